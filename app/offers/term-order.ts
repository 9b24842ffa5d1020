/**
 * Sorts terms for shoppers: those in the merchant's list first, then the others, shortest first. The theme extension
 * does the same in Liquid (snippets/parasol-terms.liquid).
 */
export function orderedTerms(terms: readonly number[], order: readonly number[]): number[] {
  const otherTerms = [...new Set(terms)].filter((months) => !order.includes(months)).sort((a, b) => a - b);
  return [...order.filter((months) => terms.includes(months)), ...otherTerms];
}
