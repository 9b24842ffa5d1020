/** What a worker has found of the mutants that its tests reach. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const results = z.object({
  /** ids of mutants that a test reached */
  reached: z.array(z.string()),
  /** ids of mutants in code that runs as its module is imported, and that no test can switch on alone */
  imported: z.array(z.string()),
  /** ids of those with which a test failed that passes without */
  killed: z.array(z.string()),
  /** tests that fail without any mutant, or pass only now and then */
  unreliable: z.array(z.string()),
});
export type Results = z.infer<typeof results>;

/** Names the folder that the workers write to. */
export const RESULTS_FOLDER = "MUTANTS_RESULTS";

/** Keeps what this worker has found so far. */
export function writeResults(found: Results): void {
  const folder = process.env[RESULTS_FOLDER] ?? "reports";
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(found));
}

/** What all workers have found. */
export function readResults(folder: string): Results {
  const found = readdirSync(folder).map((file) =>
    results.parse(JSON.parse(readFileSync(join(folder, file), "utf8"))),
  );
  return {
    reached: found.flatMap(({ reached }) => reached),
    imported: found.flatMap(({ imported }) => imported),
    killed: found.flatMap(({ killed }) => killed),
    unreliable: found.flatMap(({ unreliable }) => unreliable),
  };
}
