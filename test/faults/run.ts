/**
 * `npm run faults -- [--seed N] [--only ROW] [--orders N] [--short] [--json]`: plays the fault table against the
 * stand-in's own books. ROW is a number, or a part of a row's name. Needs `npm run build`.
 */
import { parseArgs } from "node:util";
import { play, rows } from "./play.ts";
import type { Played } from "./play.ts";
import { openHouse } from "./stage.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    only: { type: "string" },
    orders: { type: "string" },
    short: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const { only } = values;
const asked = rows.filter(({ row, name }) => {
  if (only === undefined) return true;
  return Number.isInteger(Number(only)) ? row === Number(only) : name.includes(only);
});
if (asked.length === 0 || !Number.isInteger(seed)) {
  console.error(`Usage: npm run faults -- [--seed N] [--only ROW] [--orders N] [--short] [--json]
Rows:\n${rows.map(({ row, name }) => `  ${row}  ${name}`).join("\n")}`);
  process.exit(2);
}

const say = (text: string): void => (values.json ? console.error(text) : console.log(text));
say(`Seed ${seed}`);
const house = await openHouse();
const played: Played[] = [];
try {
  for (const row of asked) {
    const options = {
      seed,
      short: values.short,
      ...(values.orders === undefined ? {} : { orders: Number(values.orders) }),
    };
    const result = await play(house, row, options);
    played.push(result);
    const { expected, found, lost, doubled, seconds, wrong } = result;
    say(
      `${result.holds ? "holds " : "BROKEN"} ${String(row.row).padStart(2)} ${row.name}: expected ${expected}, found ${found}, lost ${lost}, doubled ${doubled} (${result.orders} orders, ${seconds} s)`,
    );
    for (const each of wrong) say(`          ${each}`);
  }
} finally {
  await house.close();
}
if (values.json) console.log(JSON.stringify({ faults: played }));
process.exit(played.every(({ holds }) => holds) ? 0 : 1);
