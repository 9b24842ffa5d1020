/**
 * `npm run faults -- [--seed N] [--only ROW] [--orders N] [--quick] [--pooled] [--json]`: runs the fault table against
 * the stand-in's own records. ROW is a number, or a part of a row's name. `--quick` runs the short forms. With `--pooled`
 * the app reaches its database through PgBouncer.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { z } from "zod";
import { hasPgBouncer } from "#test/pgbouncer.ts";
import { rows, rowsToPool, runRow } from "./scenario.ts";
import type { Fault } from "./scenario.ts";
import { openTestApp } from "./stage.ts";

const whole = z
  .string()
  .regex(/^\d{1,15}$/, "has to be a whole number")
  .transform(Number);
const options = z.object({
  seed: whole.optional(),
  orders: whole.refine((orders) => orders > 0, "has to be at least 1").optional(),
  only: z
    .string()
    .transform((only) =>
      rows.filter(({ row, name }) => (/^\d+$/.test(only) ? row === Number(only) : name.includes(only))),
    )
    .refine(({ length }) => length > 0, "names no row")
    .optional(),
  quick: z.boolean().default(false),
  pooled: z
    .boolean()
    .refine((pooled) => !pooled || hasPgBouncer, "wants Debian's PgBouncer, which is not there")
    .default(false),
  json: z.boolean().default(false),
});

function readArguments(): z.output<typeof options> {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: "string" },
        only: { type: "string" },
        orders: { type: "string" },
        quick: { type: "boolean" },
        pooled: { type: "boolean" },
        json: { type: "boolean" },
      },
    });
    return options.parse(values);
  } catch (error) {
    if (!(error instanceof z.ZodError) && !(error instanceof TypeError)) throw error;
    const reason =
      error instanceof z.ZodError
        ? error.issues.map(({ path, message }) => `--${path.join(".")} ${message}`).join("; ")
        : error.message;
    console.error(`${reason}
Usage: npm run faults -- [--seed N] [--only ROW] [--orders N] [--quick] [--pooled] [--json]
Rows, by number or by a part of the name:
${rows.map(({ row, name }) => `  ${String(row).padStart(2)}  ${name}`).join("\n")}`);
    process.exit(2);
  }
}

const {
  seed = Math.floor(Math.random() * 1_000_000),
  quick,
  pooled,
  orders,
  json,
  ...given
} = readArguments();
const requested = given.only ?? rows;
const chosen = pooled ? requested.filter((each) => rowsToPool.includes(each)) : requested;
const say = (text: string): void => (json ? console.error(text) : console.log(text));
say(`Seed ${seed}`);
const testApp = await openTestApp();
const faults: Fault[] = [];
const started = Date.now();
try {
  for (const one of chosen) {
    const { needs } = one;
    if (needs !== undefined && !existsSync(needs)) {
      say(`left out ${one.row} ${one.name}: ${needs} is not there`);
      continue;
    }
    const { fault, ...played } = await runRow(testApp, one, { seed, short: quick, orders, pooled });
    faults.push(fault);
    const { row, name, expected, found, lost, doubled } = fault;
    say(
      `${fault.holds ? "holds " : "BROKEN"} ${String(row).padStart(2)} ${name}: expected ${expected}, found ${found}, lost ${lost}, doubled ${doubled} (${played.orders} orders, ${played.seconds} s)`,
    );
    for (const each of [...played.said, ...played.wrong]) say(`          ${each}`);
  }
} finally {
  await testApp.close();
}
const held = faults.filter(({ holds }) => holds).length;
say(`${held} of ${faults.length} hold, ${Math.round((Date.now() - started) / 1_000)} s, seed ${seed}`);
if (json) console.log(JSON.stringify({ faults }));
process.exitCode = held === faults.length ? 0 : 1;
