/** An import's preview as a page can show it: numbers, and the first of each kind. */
import type { ImportPreview } from "./import.server.ts";
import type { LineError } from "./import.ts";

/** A file may hold tens of thousands of lines. */
const SHOWN = 50;

export interface ImportView {
  added: number;
  changed: number;
  unchanged: number;
  errors: number;
  firstErrors: LineError[];
  /** references that would be held back */
  withheld: number;
  firstWithheld: { referenceId: string; problem: string; detail: string }[];
  /** what would be new or different, by reference */
  firstReferences: {
    referenceId: string;
    categoryId: string;
    termMonths: number;
    bandMinMinor: number;
    bandMaxMinor: number;
    currency: string;
    priceMinor: number;
    /** null: it is new */
    priceBefore: number | null;
  }[];
}

export function importView({ added, changed, unchanged, errors, problems }: ImportPreview): ImportView {
  const withheld = Object.entries(problems).map(([referenceId, { problem, detail }]) => ({
    referenceId,
    problem,
    detail,
  }));
  return {
    added: added.length,
    changed: changed.length,
    unchanged,
    errors: errors.length,
    firstErrors: errors.slice(0, SHOWN),
    withheld: withheld.length,
    firstWithheld: withheld.slice(0, SHOWN),
    firstReferences: [
      ...changed.map(({ before, after }) => ({ ...row(after), priceBefore: before.priceMinor })),
      ...added.map((reference) => ({ ...row(reference), priceBefore: null })),
    ].slice(0, SHOWN),
  };
}

function row(reference: ImportPreview["added"][number]) {
  const { referenceId, categoryId, termMonths, bandMinMinor, bandMaxMinor, currency, priceMinor } = reference;
  return { referenceId, categoryId, termMonths, bandMinMinor, bandMaxMinor, currency, priceMinor };
}
