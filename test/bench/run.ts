/** `npm run bench -- NAME [--json]`: runs a benchmark and prints a table, or one JSON line. */
import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { BenchModule } from "./figure.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
const notBenches = new Set(["run.ts", "environment.ts", "figure.ts"]);
const names = (await readdir(import.meta.dirname, { withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !notBenches.has(entry.name))
  .map((entry) => entry.name.replace(/\.ts$/, ""));
const [name] = positionals;

if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run bench -- NAME [--json]\nNAME is one of: ${names.join(", ")}`);
  process.exit(2);
}

function isBench(module: unknown): module is BenchModule {
  return (
    typeof module === "object" && module !== null && "bench" in module && typeof module.bench === "function"
  );
}

const module: unknown = await import(`./${name}.ts`);
if (!isBench(module)) throw new Error(`test/bench/${name}.ts exports no bench()`);
const figures = await module.bench();
if (values.json) {
  console.log(JSON.stringify({ bench: name, figures }));
} else {
  console.table(
    figures.map((figure) => ({
      figure: figure.name,
      value: Number.isInteger(figure.value) ? figure.value : Number(figure.value.toPrecision(4)),
      unit: figure.unit,
      goal: figure.goal,
      holds: figure.holds === null ? "" : figure.holds ? "yes" : "NO",
    })),
  );
}
process.exit(figures.some((figure) => figure.holds === false) ? 1 : 0);
