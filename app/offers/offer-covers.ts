/** What the offers for a product cover, and their legal texts, as customers' pages say it. Pure. */
import type { Category } from "#app/insurance/categories.ts";
import { categoryKey, coverKeyOf, type SoldReference } from "#app/catalogue/sync/compact-catalogue.ts";
import type { Language } from "#app/platform/locale.ts";
import { type NameFormula, shownFormula } from "./offers-response.ts";
import { coverPoints, coversIn, type StorefrontSettings } from "./storefront-settings.ts";

export interface OfferCover {
  /** the formulas that have it; empty if all offers cover the same */
  name: string;
  points: readonly string[];
  exclusions: readonly string[];
  /** in the merchant's words; empty: not written */
  excess: string;
  limit: string;
}

export interface LegalText {
  text: string;
  /** of an insurer's text in another language than the page; null: the page's */
  language: string | null;
}

/** The covers of these offers in the customer's language. Formulas that cover the same share one. */
export function offerCovers(
  sold: readonly SoldReference[],
  categories: readonly Category[],
  settings: StorefrontSettings,
  language: Language,
  nameFormula: NameFormula,
): OfferCover[] {
  const ofReference = (reference: SoldReference) => {
    const { categoryId } = reference;
    const keys = [coverKeyOf(reference), categoryKey(categoryId)];
    const bullets = categories.find(({ id }) => id === categoryId)?.marketing.modal.bulletPoints ?? [];
    const own = keys.flatMap((key) => coversIn(settings, language)[key] ?? []);
    return {
      formula: shownFormula(reference, nameFormula),
      cover: {
        points: coverPoints(settings, language, { keys, bullets }),
        exclusions: own.map(({ exclusions }) => exclusions).find(({ length }) => length > 0) ?? [],
        excess: own.map(({ excess }) => excess).find(Boolean) ?? "",
        limit: own.map(({ limit }) => limit).find(Boolean) ?? "",
      },
    };
  };
  const same = Map.groupBy(sold.map(ofReference), ({ cover }) => JSON.stringify(cover));
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || isEmpty(first.cover)) return [];
    const formulas = [...new Set(group.flatMap(({ formula }) => formula ?? []))];
    return [{ name: same.size > 1 ? formulas.join(", ") : "", ...first.cover }];
  });
}

const isEmpty = ({ points, exclusions, excess, limit }: Omit<OfferCover, "name">): boolean =>
  points.length === 0 && exclusions.length === 0 && excess === "" && limit === "";

/** The legal texts of these categories: the merchant's, or each insurer's own, unchanged. */
export function legalTexts(
  categories: readonly Category[],
  { texts, language: insurerLanguage }: StorefrontSettings,
  language: Language,
): LegalText[] {
  const own = texts[language]?.legal ?? "";
  if (own !== "") return [{ text: own, language: null }];
  const legal = new Set(categories.map(({ marketing }) => marketing.modal.legalText));
  return [...legal].flatMap((text) =>
    text === "" ? [] : [{ text, language: insurerLanguage === language ? null : insurerLanguage }],
  );
}
