/** One row of the fault table: what happens. The expected outcome is the same for all: ledger.ts. */
import type { Iteration } from "./iteration.ts";

export interface Row {
  row: number;
  name: string;
  /** how many orders a full run takes */
  full: number;
  /** how many the short form takes */
  short: number;
  /** `npm test` runs its short form: one row for each kind of fault */
  isTested?: boolean;
  /** a program without which the row is left out */
  needs?: string;
  run(iteration: Iteration): Promise<void>;
}
