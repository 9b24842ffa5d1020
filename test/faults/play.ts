/** Runs scenarios: rows of the fault table. */
import { linesThatHold } from "#test/log-scan.ts";
import { customer } from "#test/plans/references.ts";
import { isExact } from "./books.ts";
import { mendService } from "./break.ts";
import { seeded } from "./random.ts";
import { Round } from "./round.ts";
import { databaseNames, kinds } from "./row.ts";
import type { Kind, Row } from "./row.ts";
import { chaosRows } from "./rows-chaos.ts";
import { intakeRows } from "./rows-intake.ts";
import { killRows } from "./rows-kills.ts";
import { machineRows } from "./rows-machine.ts";
import { pooledRows } from "./rows-pooled.ts";
import { quoteRows } from "./rows-quotes.ts";
import { releaseRows } from "./rows-releases.ts";
import { serviceRows } from "./rows-service.ts";
import type { House } from "./stage.ts";

export interface Play {
  row: Row;
  kind: Kind;
  /** the row's sentence, and the database */
  name: string;
}

/** Every row on every database that it is about. */
export const plays: Play[] = [
  ...intakeRows,
  ...killRows,
  ...machineRows,
  ...serviceRows,
  ...chaosRows,
  ...releaseRows,
  ...quoteRows,
  ...pooledRows,
]
  .sort((a, b) => a.row - b.row)
  .flatMap((row) =>
    kinds
      .filter((kind) => row.full[kind] !== undefined)
      .map((kind) => ({ row, kind, name: `${row.name} (${databaseNames[kind]})` })),
  );

/** Each row once: on the server only where the row needs one. */
export const quickPlays: Play[] = plays.filter(
  ({ row, kind }) => kind === "embedded" || row.full.embedded === undefined,
);

/** What can be played through PgBouncer: its own row does so anyway. */
export const pooledPlays: Play[] = plays.filter(
  ({ row, kind }) => kind === "server" && !pooledRows.includes(row),
);

/** The scenarios of `npm test`. */
export const testedPlays: Play[] = plays.filter(({ row, kind }) => row.tested === kind);

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

export interface Played {
  fault: Fault;
  orders: number;
  /** what was wrong, in words */
  wrong: string[];
  /** what the row measured, in words */
  said: string[];
  seconds: number;
}

export interface PlayOptions {
  seed: number;
  short: boolean;
  /** instead of the row's own number */
  orders?: number | undefined;
  /** a server is reached through PgBouncer */
  pooled?: boolean;
}

/** Runs one row from its seed and judges it after recovery. */
export async function play(house: House, { row, kind, name }: Play, options: PlayOptions): Promise<Played> {
  const { seed, short, pooled = false } = options;
  const started = Date.now();
  const orders = options.orders ?? (short ? row.short : (row.full[kind] ?? row.short));
  for (const { webhooks } of house.shops) webhooks.reseed(seed);
  house.insurance.traffic.clear();
  const round = new Round(house, { random: seeded(seed * 1_000 + row.row), kind, orders, short, pooled });
  try {
    await row.play(round);
    // Ten thousand orders take their time, and a job that failed often is tried again after ten minutes.
    await round.settle((short ? 300_000 : 660_000) + orders * 60);
  } catch (error) {
    round.wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const verdict = await round.end();
  round.wrong.push(...(await linesThatHold(house.logFile, neverLogged(house))));
  await tidy(house);
  const { expected, found, lost, doubled } = verdict;
  const holds = isExact(verdict) && round.wrong.length === 0;
  return {
    fault: { row: row.row, name, seed, expected, found, lost, doubled, holds },
    orders,
    wrong: round.wrong,
    said: round.said,
    seconds: Math.round((Date.now() - started) / 1_000),
  };
}

/** The customer of all orders (sales.ts), and the secrets of the app and of its merchants. */
function neverLogged({ env, insurance }: House): string[] {
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
async function tidy(house: House): Promise<void> {
  for (const { state, webhooks } of house.shops) {
    // What a broken row left on its way meets nobody any more, and is given up.
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
  await fetch(`${house.insurance.control_url}/reset`, { method: "POST" });
  mendService(house);
}
