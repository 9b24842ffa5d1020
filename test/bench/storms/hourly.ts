/** The hour strikes for ten thousand shops that sell nothing, at a database that is some milliseconds away. */
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { eventually } from "#test/eventually.ts";
import { openTap, postgresAnswers } from "#test/faults/tap.ts";
import { figure } from "../figure.ts";
import type { Figure } from "../figure.ts";
import type { StormStage } from "./stage.ts";

const SHOPS = Number(process.env["BENCH_SHOPS"] ?? 10_000);
const DELAY_MS = Number(process.env["BENCH_DELAY_MS"] ?? 2);
/** So slow that no run ends within a second. */
const CUT_OFF = { delayMs: 100, expireInSeconds: 1 };
const ENDS_WITHIN_S = 10;

export async function idleShops(on: StormStage): Promise<Figure[]> {
  const tap = await openTap({ port: on.house.postgresPort }, postgresAnswers);
  await on.client.query(
    `INSERT INTO "Merchant" (shop, currency, timezone)
     SELECT 'idle-' || n || '.myshopify.com', 'EUR', 'Europe/Paris' FROM generate_series(1, $1::int) AS n`,
    [SHOPS],
  );
  await on.client.query("ANALYZE");
  const worker = await on.startWorker({ DATABASE_URL: on.database.replace(/:\d+\//, `:${tap.port}/`) });
  try {
    tap.onAnswer = () => wait(CUT_OFF.delayMs);
    const cutOff = await firstOf(on, [CUT_OFF.expireInSeconds]);
    await forgetRuns(on);
    tap.onAnswer = () => wait(DELAY_MS);
    let atOnce = 0;
    const watch = setInterval(() => {
      void activeJobs(on).then((active) => (atOnce = Math.max(atOnce, active)));
    }, 20);
    const before = tap.answers();
    // The second one is sent while the first one runs, as by another process's clock.
    const whole = await firstOf(on, [600, 600]);
    const statements = tap.answers() - before;
    clearInterval(watch);
    const { rows } = await on.client.query(
      `SELECT shop FROM "ReconciliationRun" WHERE shop LIKE 'idle-%' GROUP BY shop HAVING count(*) = 1`,
    );
    return [
      figure(
        `the hourly job of ${SHOPS} idle shops, statements ${DELAY_MS} ms away`,
        whole.seconds,
        "s",
        "at most 60",
        whole.outcome === "job done" && whole.seconds <= 60,
      ),
      figure("all statements of the worker meanwhile", statements, "statements"),
      figure("shops with one reconciliation", rows.length, "shops", `${SHOPS}`, rows.length === SHOPS),
      figure("hourly jobs at once, two being sent", atOnce, "jobs", "1", atOnce === 1),
      figure(
        `a run that expires after ${CUT_OFF.expireInSeconds} s has ended`,
        cutOff.seconds - CUT_OFF.expireInSeconds,
        "s later",
        `at most ${ENDS_WITHIN_S}`,
        cutOff.outcome === "job failed" && cutOff.seconds <= CUT_OFF.expireInSeconds + ENDS_WITHIN_S,
      ),
    ];
  } finally {
    await worker.end();
    await tap.close();
    await on.client.query(`DELETE FROM "Merchant" WHERE shop LIKE 'idle-%'`);
  }
}

const logLine = z.object({
  msg: z.enum(["job done", "job failed"]),
  job: z.literal("hourly"),
  durationMs: z.number(),
});

/** Sends hourly jobs, each as soon as the one before runs. @returns how the first one ended, and after how long */
async function firstOf(on: StormStage, expiries: number[]): Promise<{ outcome: string; seconds: number }> {
  const { jobQueue } = await import("#app/jobs/queue.server.ts");
  const queue = await jobQueue();
  const known = (await ended(on)).length;
  for (const expireInSeconds of expiries) {
    await queue.send("hourly", {}, { expireInSeconds, retryLimit: 0 });
    await eventually(async () => (await activeJobs(on)) > 0, "the hourly job", { everyMs: 5 });
  }
  const all = await eventually(
    async () => {
      const now = (await ended(on)).slice(known);
      return now.length >= expiries.length ? now : null;
    },
    "the end of the hourly job",
    { withinMs: 300_000, everyMs: 100 },
  );
  const [first] = all;
  if (!first) throw new Error("No hourly job has ended");
  return { outcome: first.msg, seconds: first.durationMs / 1_000 };
}

/** The ends of hourly jobs in the worker's log: what its own clock says of the work itself. */
async function ended(on: StormStage) {
  const lines = (await readFile(on.logFile, "utf8")).split("\n").filter((line) => line.includes('"hourly"'));
  return lines.flatMap((line) => {
    const parsed = logLine.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  });
}

async function activeJobs(on: StormStage): Promise<number> {
  const { rowCount } = await on.client.query(
    `SELECT 1 FROM pgboss.job WHERE name = 'hourly' AND state = 'active'`,
  );
  return rowCount ?? 0;
}

/** The next run has everything to start again. */
async function forgetRuns(on: StormStage): Promise<void> {
  await on.client.query(`DELETE FROM pgboss.job WHERE name IN ('hourly', 'reconciliation')`);
  await on.client.query(`DELETE FROM "ReconciliationRun"`);
}
