/** Universes: the categories that a product gets together, as formulas for the shopper to choose from. */
import type { Rule } from "./rules.ts";

type Outcome = Pick<Rule, "categoryId" | "otherCategoryIds">;

/**
 * The categories of each universe in the merchant's order, by its first category. Categories sold separately are
 * missing.
 */
export type Universes = ReadonlyMap<string, readonly string[]>;

/** A rule's distinct categories in order; empty if the rule excludes products. */
export const categoriesOf = ({ categoryId, otherCategoryIds = [] }: Outcome): string[] =>
  categoryId === null ? [] : [...new Set([categoryId, ...otherCategoryIds])];

/**
 * A universe's catalogue has the key of its first category, so the first rule with that category defines its
 * formulas.
 */
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

/** Gives rules with the same first category the same formulas, as they are saved. */
export function withSameUniverses(rules: readonly Rule[], universes = universesOf(rules)): Rule[] {
  return rules.map(({ id, conditions, categoryId }) => {
    const [, ...others] = categoryId === null ? [] : universeOf(universes, categoryId);
    return { id, conditions, categoryId, ...(others.length === 0 ? {} : { otherCategoryIds: others }) };
  });
}

/**
 * Adds rules. The formulas of the new rules apply to all rules of their first category. A new rule without formulas
 * gets those of its category.
 */
export function addRules(rules: readonly Rule[], added: readonly Rule[]): Rule[] {
  const naming = [...added, ...rules].filter((each) => categoriesOf(each).length > 1);
  return withSameUniverses([...rules, ...added], universesOf(naming));
}
