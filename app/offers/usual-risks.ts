/**
 * The usual risks as cover in the languages that the insurer's texts do not speak. The merchant accepts them for a
 * category with one click, because only the merchant can say that the contract covers them.
 */
import { languages, type Language } from "#app/platform/locale.ts";
import type { StorefrontSettings } from "./storefront-settings.ts";

/** Each risk as the insurer's own texts may name it, in the seven languages. */
const words = {
  breakage: /cass|bris|accident|break(?!down)|bruch|unfall|rotura|rottura|quebra|ongeluk/i,
  theft: /\bvols?\b|theft|stol|diebstahl|robo|hurto|furto|diefstal|roubo/i,
  oxidation: /oxyd|oxid|liquid|líquid|flüssig|wasser|vocht|água/i,
  breakdown: /panne|breakdown|defe[ck]t|aver[ií]a|guast|storing|avaria/i,
} as const;
export type Risk = keyof typeof words;
export const risks = ["breakage", "theft", "oxidation", "breakdown"] as const satisfies Risk[];

/** The usual risks that a list of points names; all of them if it names none that Parasol knows. */
export function risksIn(points: readonly string[]): Risk[] {
  const named = risks.filter((risk) => points.some((point) => words[risk].test(point)));
  return named.length > 0 ? named : [...risks];
}

/** The languages that lack points for a category: neither the merchant's nor, in its own language, the insurer's. */
export const languagesWithoutCover = (
  settings: StorefrontSettings,
  { key, bullets }: { key: string; bullets: readonly string[] },
): Language[] =>
  languages.filter(
    (language) =>
      (settings.covers[language]?.[key]?.bullets.length ?? 0) === 0 &&
      (language !== settings.language || bullets.length === 0),
  );

/** The settings with the category's usual risks in every language that lacks points; other texts stay. */
export function acceptUsualRisks(
  settings: StorefrontSettings,
  category: { key: string; bullets: readonly string[] },
  names: Record<Language, Record<Risk, string>>,
): StorefrontSettings {
  const accepted = risksIn(category.bullets);
  const covers = { ...settings.covers };
  for (const language of languagesWithoutCover(settings, category)) {
    const cover = covers[language]?.[category.key] ?? { bullets: [], exclusions: [] };
    const bullets = accepted.map((risk) => names[language][risk]);
    covers[language] = { ...covers[language], [category.key]: { ...cover, bullets } };
  }
  return { ...settings, covers };
}
