import type { Rule } from "#app/catalogue/product-categories/rules.ts";

/**
 * The rules for a comparison, by their conditions in words. Of equal ones the second is named so, because neither hides
 * the other. The value holds the place, because a moved rule decides other products than before.
 */
export function describeRules(
  rules: Rule[],
  conditionsText: (conditions: Rule["conditions"]) => string,
  outcomeText: (number: number, categoryId: string | null) => string,
): [name: string, value: string][] {
  const seen = new Map<string, number>();
  return rules.map(({ conditions, categoryId }, index) => {
    const text = conditionsText(conditions);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return [count === 1 ? text : `${text} (${count})`, outcomeText(index + 1, categoryId)];
  });
}
