/**
 * Finds the texts that shoppers lack, by language: the insurer's texts have one language, and the merchant writes the
 * others.
 */
import type { StorefrontSettings } from "./storefront-settings.ts";

/** The texts of an offered category. */
export interface CategoryTexts {
  key: string;
  /** the insurer's name of it */
  name: string;
  /** the coverage, in the insurer's language */
  bullets: string[];
  /** the insurer's legal text */
  legal: string;
}

export interface FormulaTexts extends CategoryTexts {
  /** the formulas that the merchant can describe: the category itself beside others, or those in it */
  formulas: { key: string; name: string }[];
}

export type MissingText = "headline" | "bullets" | "legal";

/** The texts that shoppers of a language lack. */
export function missingTexts(
  settings: StorefrontSettings,
  language: string,
  categories: readonly CategoryTexts[],
): MissingText[] {
  const merchantTexts = settings.texts[language];
  const covers = settings.covers[language];
  const isInsurers = language === settings.language;
  const lacksCover = categories.some(
    ({ key, bullets }) => (covers?.[key]?.bullets.length ?? 0) === 0 && (!isInsurers || bullets.length === 0),
  );
  const missing: MissingText[] = [];
  if (!isInsurers && !merchantTexts?.headline) missing.push("headline");
  if (lacksCover) missing.push("bullets");
  if (!isInsurers && !merchantTexts?.legal) missing.push("legal");
  return missing;
}

export interface TextGap {
  language: string;
  missing: MissingText[];
}

/** The published languages of the shop without coverage texts. Empty if nothing is offered. */
export function findTextGaps(
  settings: StorefrontSettings,
  published: readonly string[],
  categories: readonly CategoryTexts[],
): TextGap[] {
  if (categories.length === 0) return [];
  const languages = [...new Set(published.map((code) => code.split("-")[0] ?? code))];
  return languages
    .map((language) => ({ language, missing: missingTexts(settings, language, categories) }))
    .filter(({ missing }) => missing.includes("bullets"));
}

/** Words for a customer's withdrawal from a contract, in the seven languages. */
const withdrawing =
  /renonc|rétract|withdraw|cancel|cooling|widerruf|rücktritt|desist|reced|recesso|ripensamento|herroep|bedenktijd|livre resolução|arrepend/i;
const days = /(\d{1,3})\)?\s*(?:jours?|days?|tagen?|tage|días?|giorni|dagen|dias?)\b/giu;

/** Whether a legal text names another number of days for withdrawing than the setting. */
export const namesOtherDays = (legalTexts: readonly string[], days: number): boolean =>
  legalTexts.some((text) => withdrawalDaysIn(text).some((named) => named !== days));

/** The withdrawal periods in days that a text mentions, from its sentences about withdrawal. */
export function withdrawalDaysIn(text: string): number[] {
  return text
    .split(/[.;\n](?:\s|$)/)
    .filter((sentence) => withdrawing.test(sentence))
    .flatMap((sentence) => [...sentence.matchAll(days)].map(([, count]) => Number(count)));
}
