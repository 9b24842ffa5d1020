/** One row of the fault table: a fault. The expected result is the same for all rows: ledger.ts. */
import type { Iteration } from "./iteration.ts";

export interface Row {
  row: number;
  name: string;
  /** number of orders in a full run */
  full: number;
  /** number of orders in the short form */
  short: number;
  /** `npm test` runs its short form: one row for each kind of fault */
  isTested?: boolean;
  /** a required program; the row is skipped without it */
  needs?: string;
  run(iteration: Iteration): Promise<void>;
}
