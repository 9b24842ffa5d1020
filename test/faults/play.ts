/** Plays rows of the fault table. */
import { setTimeout as wait } from "node:timers/promises";
import { seeded } from "./random.ts";
import { Round, isGood } from "./row.ts";
import type { Row } from "./row.ts";
import { intakeRows } from "./rows-intake.ts";
import { processRows } from "./rows-processes.ts";
import { serviceRows } from "./rows-service.ts";
import type { House } from "./stage.ts";

export const rows: Row[] = [...intakeRows, ...processRows, ...serviceRows].sort((a, b) => a.row - b.row);

export interface Played {
  row: number;
  name: string;
  seed: number;
  orders: number;
  expected: number;
  found: number;
  lost: number;
  doubled: number;
  holds: boolean;
  /** what was wrong, in words */
  wrong: string[];
  seconds: number;
}

export interface PlayOptions {
  seed: number;
  short: boolean;
  /** instead of the row's own number */
  orders?: number;
}

/** Plays one row from its seed and judges it after recovery. */
export async function play(house: House, row: Row, { seed, short, orders }: PlayOptions): Promise<Played> {
  const started = Date.now();
  const count = orders ?? (short ? row.orders.short : row.orders.full);
  const round = new Round(house, seeded(seed * 1_000 + row.row), count, short);
  try {
    await row.play(round);
    // Ten thousand orders take their time; nothing waits longer than what is still on its way.
    await round.settle(180_000 + count * 60);
  } catch (error) {
    round.wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const verdict = await round.judge();
  await round.close();
  await wait(100);
  return {
    row: row.row,
    name: row.name,
    seed,
    orders: count,
    expected: verdict.expected,
    found: verdict.found,
    lost: verdict.lost,
    doubled: verdict.doubled,
    holds: isGood({ ...verdict, wrong: round.wrong }),
    wrong: round.wrong,
    seconds: Math.round((Date.now() - started) / 1_000),
  };
}
