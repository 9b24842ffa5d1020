/** A category's prices as a merchant reads them: bands of the product's price by terms, one grid for each formula. */
import type { ListedReference } from "./reference-list.ts";

/** A row: the references of each term; several if they differ in billing, or overlap. */
export interface GridBand {
  minMinor: number;
  maxMinor: number;
  currency: string;
  /** as many as the grid has terms */
  cells: ListedReference[][];
}

export interface PriceGrid {
  /** null: the category has one formula alone */
  formula: string | null;
  /** months, ascending */
  terms: number[];
  bands: GridBand[];
}

/** @param references of one category */
export function toPriceGrids(references: readonly ListedReference[]): PriceGrid[] {
  return [...Map.groupBy(references, ({ formula }) => formula)]
    .sort(([a], [b]) => (a ?? "").localeCompare(b ?? ""))
    .map(([formula, ofFormula]) => {
      const terms = [...new Set(ofFormula.map(({ termMonths }) => termMonths))].sort((a, b) => a - b);
      const bands = Map.groupBy(
        ofFormula,
        ({ bandMinMinor, bandMaxMinor, currency }) => `${bandMinMinor} ${bandMaxMinor} ${currency}`,
      );
      return {
        formula,
        terms,
        bands: [...bands.values()]
          .flatMap(([first, ...others]) => (first === undefined ? [] : [toBand([first, ...others], terms)]))
          .sort((a, b) => a.minMinor - b.minMinor || a.maxMinor - b.maxMinor),
      };
    });
}

function toBand(references: [ListedReference, ...ListedReference[]], terms: readonly number[]): GridBand {
  const [{ bandMinMinor, bandMaxMinor, currency }] = references;
  const cells = terms.map((term) =>
    references
      .filter(({ termMonths }) => termMonths === term)
      .sort((a, b) => a.billing.localeCompare(b.billing) || a.priceMinor - b.priceMinor),
  );
  return { minMinor: bandMinMinor, maxMinor: bandMaxMinor, currency, cells };
}
