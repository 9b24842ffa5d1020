/** Universes: the categories that a product gets together, as formulas for the shopper to choose from. */
import type { Rule } from "./rules.ts";

/** A universe of more formulas than these is none that a shopper could choose from. */
export const MAX_UNIVERSE = 20;

type Outcome = Pick<Rule, "categoryId" | "otherCategoryIds">;

/** The categories of each universe in the merchant's order, by the first one. A category that is sold alone is left out. */
export type Universes = ReadonlyMap<string, readonly string[]>;

/** A rule's categories in their order, each once; none where it excludes products. */
export const categoriesOf = ({ categoryId, otherCategoryIds = [] }: Outcome): string[] =>
  categoryId === null ? [] : [...new Set([categoryId, ...otherCategoryIds])];

/** The catalogue of a universe has its first category's key, so the first rule speaks for all rules of that category. */
export function universesOf(rules: readonly Outcome[]): Universes {
  const universes = new Map<string, string[]>();
  for (const each of rules) {
    const [first, ...others] = categoriesOf(each);
    if (first !== undefined && !universes.has(first)) universes.set(first, [first, ...others]);
  }
  return new Map([...universes].filter(([, categories]) => categories.length > 1));
}

export const universeOf = (universes: Universes, categoryId: string): readonly string[] =>
  universes.get(categoryId) ?? [categoryId];

/** The rules as they are saved: those of one first category have the same formulas. */
export function withSameUniverses(rules: readonly Rule[], universes = universesOf(rules)): Rule[] {
  return rules.map(({ id, conditions, categoryId }) => {
    const [, ...others] = categoryId === null ? [] : universeOf(universes, categoryId);
    return { id, conditions, categoryId, ...(others.length === 0 ? {} : { otherCategoryIds: others }) };
  });
}

/**
 * The rules with more of them, whose formulas are those of their categories from now on. A rule without any gets those of
 * its category.
 */
export function addRules(rules: readonly Rule[], added: readonly Rule[]): Rule[] {
  const naming = [...added, ...rules].filter((each) => categoriesOf(each).length > 1);
  return withSameUniverses([...rules, ...added], universesOf(naming));
}
