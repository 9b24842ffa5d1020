/**
 * The threat model is a table whose every line has its test: `npm run threats`. Exits 1 with the lines that are
 * incomplete, name a file that is no test or does not exist, and with the attackers that no line is about.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const columns = ["Who", "What they want", "What stops them", "Test"];
/** Each of them has at least one line. */
const attackers = [
  "shopper",
  "merchant's staff",
  "another merchant",
  "the insurer gone bad",
  "reader of a backup",
  "replayer",
  "operator",
];

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

function problemsOf(cells: string[]): string[] {
  const empty = columns.filter((_, index) => (cells[index] ?? "") === "");
  const files = [...(cells[3] ?? "").matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
  return [
    ...(cells.length === columns.length ? [] : [`has ${cells.length} cells`]),
    ...empty.map((column) => `says nothing under "${column}"`),
    ...(files.length > 0 || empty.includes("Test") ? [] : ["names no test"]),
    ...files
      .filter((file) => !/^test\/.*\.test\.tsx?$/.test(file) || !existsSync(join(root, file)))
      .map((file) => `${file} is no test that exists`),
  ];
}

const table = readFileSync(join(root, "docs/threat-model.md"), "utf8")
  .split("\n")
  .map((line, index) => ({ line, number: index + 1 }))
  .filter(({ line }) => line.startsWith("|"));
const [head, , ...rows] = table;
const missing = attackers.filter(
  (who) => !rows.some(({ line }) => cellsOf(line)[0]?.split(", ").includes(who)),
);
const problems = [
  ...(cellsOf(head?.line ?? "").join() === columns.join()
    ? []
    : [`the columns are not ${columns.join(", ")}`]),
  ...rows.flatMap(({ line, number }) =>
    problemsOf(cellsOf(line)).map((problem) => `docs/threat-model.md:${number} ${problem}`),
  ),
  ...missing.map((who) => `docs/threat-model.md has no line about: ${who}`),
];
console.log(problems.length === 0 ? `Threats: ${rows.length}, each with its test` : problems.join("\n"));
process.exitCode = problems.length === 0 ? 0 : 1;
