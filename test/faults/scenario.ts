/** Runs rows of the fault table. */
import { linesThatHold } from "#test/log-scan.ts";
import { customer } from "#test/orders/references.ts";
import { isExact } from "./ledger.ts";
import { seeded } from "#test/random.ts";
import { Iteration } from "./iteration.ts";
import type { Row } from "./row.ts";
import { chaosRows } from "./rows-chaos.ts";
import { goodsRows } from "./rows-goods.ts";
import { intakeRows } from "./rows-intake.ts";
import { killRows } from "./rows-kills.ts";
import { machineRows } from "./rows-machine.ts";
import { pooledRows } from "./rows-pooled.ts";
import { quoteRows } from "./rows-quotes.ts";
import { releaseRows } from "./rows-releases.ts";
import { insurerRows } from "./rows-insurer.ts";
import type { TestApp } from "./stage.ts";

/** All rows of the fault table. */
export const rows: Row[] = [
  ...intakeRows,
  ...killRows,
  ...machineRows,
  ...insurerRows,
  ...chaosRows,
  ...releaseRows,
  ...quoteRows,
  ...goodsRows,
  ...pooledRows,
].sort((a, b) => a.row - b.row);

/** The rows that can run through PgBouncer; its own row does so anyway. */
export const rowsToPool: Row[] = rows.filter((row) => !pooledRows.includes(row));

/** The rows of `npm test`. */
export const testedRows: Row[] = rows.filter(({ isTested }) => isTested);

/** A line of the result. */
export interface Fault {
  row: number;
  name: string;
  seed: number;
  expected: number;
  found: number;
  lost: number;
  doubled: number;
  holds: boolean;
}

export interface RowResult {
  fault: Fault;
  orders: number;
  /** failures, as text */
  wrong: string[];
  /** measurements, as text */
  said: string[];
  seconds: number;
}

export interface RowOptions {
  seed: number;
  short: boolean;
  /** overrides the row's own number */
  orders?: number | undefined;
  /** the app connects to the database through PgBouncer */
  pooled?: boolean;
}

/** Runs one row from its seed and returns its verdict after recovery. */
export async function runRow(testApp: TestApp, row: Row, options: RowOptions): Promise<RowResult> {
  const { seed, short, pooled = false } = options;
  const started = Date.now();
  const orders = options.orders ?? (short ? row.short : row.full);
  for (const { webhooks } of testApp.shops) webhooks.reseed(seed);
  testApp.insurance.traffic.clear();
  const iteration = new Iteration(testApp, {
    random: seeded(seed * 1_000 + row.row),
    orders,
    short,
    pooled,
  });
  try {
    await row.run(iteration);
    // Ten thousand orders take long, and a job that failed often retries after ten minutes.
    await iteration.settle((short ? 300_000 : 660_000) + orders * 60);
  } catch (error) {
    iteration.wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const verdict = await iteration.end();
  iteration.wrong.push(...(await linesThatHold(testApp.logFile, neverLogged(testApp))));
  await tidy(testApp);
  const { expected, found, lost, doubled } = verdict;
  const holds = isExact(verdict) && iteration.wrong.length === 0;
  return {
    fault: { row: row.row, name: row.name, seed, expected, found, lost, doubled, holds },
    orders,
    wrong: iteration.wrong,
    said: iteration.said,
    seconds: Math.round((Date.now() - started) / 1_000),
  };
}

/** The customer of all orders (sales.ts), and the secrets of the app and of its merchants. */
function neverLogged({ env, insurance }: TestApp): string[] {
  const { last_name, address1, phone } = customer;
  const tokens = insurance.stores.flatMap(({ token_test, token_production, organisation_token }) => [
    token_test,
    token_production,
    organisation_token,
  ]);
  const secrets = [env["SHOPIFY_API_SECRET"], env["ENCRYPTION_KEYS"]?.split(":")[1]];
  const words = [last_name, address1, phone, "@example.com", ...tokens, ...secrets];
  return words.filter((word) => word !== null && word !== undefined);
}

/** Resets the stand-ins for the next row. */
async function tidy(testApp: TestApp): Promise<void> {
  for (const { state, webhooks } of testApp.shops) {
    // A failed row's pending deliveries have no receiver any more, so they are dropped.
    const { retryScheduleMs } = webhooks.behaviour;
    webhooks.behaviour.retryScheduleMs = [];
    webhooks.release();
    await webhooks.settled();
    Object.assign(webhooks.behaviour, {
      duplicates: 0,
      dropShare: 0,
      disorder: 0,
      delayMs: 0,
      retryScheduleMs,
    });
    webhooks.log.length = 0;
    state.orders.clear();
  }
  await fetch(`${testApp.insurance.control_url}/reset`, { method: "POST" });
  testApp.insurance.faults.clear();
}
