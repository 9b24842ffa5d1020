/**
 * `npm run faults -- [--seed N] [--only ROW] [--orders N] [--short] [--json]`: plays the fault table against the
 * stand-in's own books, on PostgreSQL with several processes and on the embedded database. ROW is a number, or a part
 * of a row's name.
 */
import { parseArgs } from "node:util";
import { play, plays } from "./play.ts";
import type { Fault } from "./play.ts";
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
const orders = values.orders === undefined ? undefined : Number(values.orders);
const { only } = values;
const asked = plays.filter(({ row: { row }, name }) => {
  if (only === undefined) return true;
  return Number.isInteger(Number(only)) ? row === Number(only) : name.includes(only);
});
if (asked.length === 0 || !Number.isInteger(seed) || (orders !== undefined && !(orders > 0))) {
  console.error(`Usage: npm run faults -- [--seed N] [--only ROW] [--orders N] [--short] [--json]
Rows:\n${plays.map(({ row: { row }, name }) => `  ${row}  ${name}`).join("\n")}`);
  process.exit(2);
}

const say = (text: string): void => (values.json ? console.error(text) : console.log(text));
say(`Seed ${seed}`);
const house = await openHouse();
const faults: Fault[] = [];
const started = Date.now();
try {
  for (const one of asked) {
    const { fault, ...played } = await play(house, one, { seed, short: values.short, orders });
    faults.push(fault);
    const { row, name, expected, found, lost, doubled } = fault;
    say(
      `${fault.holds ? "holds " : "BROKEN"} ${String(row).padStart(2)} ${name}: expected ${expected}, found ${found}, lost ${lost}, doubled ${doubled} (${played.orders} orders, ${played.seconds} s)`,
    );
    for (const each of played.wrong) say(`          ${each}`);
  }
} finally {
  await house.close();
}
const held = faults.filter(({ holds }) => holds).length;
say(`${held} of ${faults.length} hold, ${Math.round((Date.now() - started) / 1_000)} s, seed ${seed}`);
if (values.json) console.log(JSON.stringify({ faults }));
process.exit(held === faults.length ? 0 : 1);
