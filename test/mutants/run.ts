/**
 * `npm run mutants`: changes the pure rules one small step at a time and sees whether their tests notice.
 * `npm run mutants -- --mutate app/platform/day.ts` looks at these files only and lists what survived.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { startVitest } from "vitest/node";
import { RESULTS_FOLDER, readResults } from "./results.ts";
import { ruleFiles, tests } from "./rules.ts";

/** In percent, of those that a test could notice. */
const GOAL = 90;

const { values } = parseArgs({ options: { mutate: { type: "string", short: "m", multiple: true } } });
const named = values.mutate ?? [];
const quiet = () => undefined;
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => true,
  isFatalEnabled: () => true,
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: console.error,
  fatal: console.error,
};
const sources = await Promise.all(
  ruleFiles(named).map(async (name) => ({ name, mutate: true, content: await readFile(name, "utf8") })),
);
const { files, mutants } = await new Instrumenter(logger).instrument(sources, {
  plugins: null,
  excludedMutations: [],
  ignorers: [],
  noHeader: false,
});
const mutated = new Map(files.map(({ name, content }) => [resolve(name), content]));

const folder = await mkdtemp(join(tmpdir(), "parasol-mutants-"));
process.env[RESULTS_FOLDER] = folder;
const vitest = await startVitest(
  [],
  {
    config: false,
    watch: false,
    ...tests,
    // Only the tests that import them, where files are named.
    ...(named.length > 0 ? { related: [...mutated.keys()] } : {}),
    // One process for many files: a mutant that one of them has killed meets no other.
    isolate: false,
    // It knows the files by what is on the disk.
    fsModuleCache: false,
    maxWorkers: 2,
    runner: resolve("test/mutants/runner.ts"),
    // For a mutant that waits for ever.
    testTimeout: 20_000,
    reporters: [{}],
  },
  {
    plugins: [
      {
        name: "mutants",
        enforce: "pre",
        load: (id) => mutated.get(id.split("?", 1)[0] ?? ""),
      },
    ],
  },
);
await vitest.close();

const { reached, imported, killed, unreliable } = readResults(folder);
await rm(folder, { recursive: true, force: true });
const isReached = new Set(reached);
const isKilled = new Set(killed);
// Tables and schemas: with one of them changed, all of its file would have to be imported anew.
const isLeftOut = new Set(imported.filter((id) => !isReached.has(id)));
const counted = mutants.filter(({ id, status }) => status !== "Ignored" && !isLeftOut.has(id));
const rows = files.map(({ name }) => {
  const own = counted.filter(({ fileName }) => fileName === name);
  const survived = own.filter(({ id }) => !isKilled.has(id));
  return { name, killed: own.length - survived.length, all: own.length, survived };
});
for (const { name, killed, all } of rows) console.log(`${`${killed}/${all}`.padStart(9)} ${name}`);
const lines = rows.flatMap(({ name, survived }) => {
  const source = (sources.find((each) => each.name === name)?.content ?? "").split("\n");
  return survived.map(({ id, location: { start, end }, replacement }) => {
    const line = source[start.line] ?? "";
    const was =
      start.line === end.line ? line.slice(start.column, end.column) : `${line.slice(start.column)} …`;
    const reach = isReached.has(id) ? "" : " (no test reaches it)";
    return `${name}:${start.line + 1} ${was} => ${replacement.replaceAll(/\s+/g, " ")}${reach}`;
  });
});
await mkdir("reports", { recursive: true });
await writeFile("reports/mutants.txt", lines.join("\n"));
if (named.length > 0) console.log(lines.join("\n"));
for (const name of unreliable) console.log(`Not counted, fails by itself: ${name}`);

const all = rows.reduce((sum, row) => sum + row.all, 0);
const percent = (100 * rows.reduce((sum, row) => sum + row.killed, 0)) / all;
console.log(`${percent.toFixed(1)}% of ${all} killed; survivors are in reports/mutants.txt`);
process.exit(percent < GOAL ? 1 : 0);
