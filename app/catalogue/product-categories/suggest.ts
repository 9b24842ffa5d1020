/** Suggests a category for a product type. The merchant decides; an uncertain match is no suggestion. */
import type { Category } from "#app/insurance/categories.ts";
import { sharedWords } from "#app/catalogue/references/formula.ts";
import { MAX_UNIVERSE } from "./rules.ts";

/** A match in the category's name counts more than one in its texts. */
const IN_NAME = 3;
const IN_TEXTS = 1;

/**
 * Finds the category that shares most words with a product type, in its name or in its marketing texts ("votre
 * ordinateur ou votre tablette"). There is no suggestion if no category matches, or if two match equally.
 * Categories whose names begin with the product's word ("Smartphone casse", "Smartphone casse et vol") are formulas
 * of one universe. All of them are suggested, the shortest name first. The texts are read once for all product types.
 */
export function categorySuggester(categories: readonly Category[]): (productType: string) => string[] {
  const words = categories.map((category) => ({
    id: category.id,
    name: significantWords(category.id),
    texts: significantWords(textsOf(category)),
  }));
  return (productType) => bestMatch(significantWords(productType), words);
}

function bestMatch(
  typeWords: ReadonlySet<string>,
  categories: readonly { id: string; name: ReadonlySet<string>; texts: ReadonlySet<string> }[],
): string[] {
  const scores = categories.map(({ id, name, texts }) => {
    const score = [...typeWords].reduce(
      (sum, word) => sum + (name.has(word) ? IN_NAME : texts.has(word) ? IN_TEXTS : 0),
      0,
    );
    return { id, score };
  });
  const best = Math.max(0, ...scores.map(({ score }) => score));
  const ids = scores.filter(({ score }) => score === best).map(({ id }) => id);
  if (best === 0 || (ids.length > 1 && !isOneUniverse(typeWords, ids))) return [];
  return ids.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, MAX_UNIVERSE);
}

/** The common beginning of the names describes the product: "Smartphone", not "casse". */
function isOneUniverse(typeWords: ReadonlySet<string>, names: readonly string[]): boolean {
  const universe = significantWords(sharedWords(names));
  return [...universe].some((word) => typeWords.has(word));
}

function textsOf({ marketing: { buttons, modal } }: Category): string {
  return [buttons.headline, buttons.linkText, modal.headline, ...modal.bulletPoints].join(" ");
}

/** Words of at least four letters, without accents, case and plural endings. */
function significantWords(text: string): Set<string> {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return new Set((plain.match(/\p{L}{4,}/gu) ?? []).map((word) => word.replace(/[sx]$/, "")));
}
