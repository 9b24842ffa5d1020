/** One row of the fault table: what happens. The expected outcome is the same for all: ledger.ts. */
import type { Iteration } from "./iteration.ts";

/** The databases that the app runs on: a PostgreSQL server with several processes, or the embedded one with one. */
export const kinds = ["server", "embedded"] as const;
export type Kind = (typeof kinds)[number];

export interface Row {
  row: number;
  name: string;
  /** how many orders a full run takes on each database; a row without a number is not about that database */
  full: Partial<Record<Kind, number>>;
  /** how many the short form takes */
  short: number;
  /**
   * `npm test` runs its short form, on this database: one row for each kind of fault. The server where either would
   * do: the embedded one takes several times its processor time.
   */
  tested?: Kind;
  /** a program without which the row is left out */
  needs?: string;
  run(iteration: Iteration): Promise<void>;
}

export const databaseNames: Record<Kind, string> = { server: "PostgreSQL", embedded: "embedded database" };
