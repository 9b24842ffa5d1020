/** The hour strikes for ten thousand shops that sell nothing, at a database that is some milliseconds away. */
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { HourlyTask } from "#app/jobs/definitions.ts";
import { eventually } from "#test/eventually.ts";
import { openProxy, postgresAnswers } from "#test/faults/proxy.ts";
import { figure } from "../figure.ts";
import type { Figure } from "../figure.ts";
import type { StormStage } from "./stage.ts";

const SHOPS = Number(process.env["BENCH_SHOPS"] ?? 10_000);
const DELAY_MS = Number(process.env["BENCH_DELAY_MS"] ?? 2);
const LIMIT_S = 60;
/** So slow that no run ends within a second. */
const CUT_OFF = { delayMs: 100, expireInSeconds: 1 };
const ENDS_WITHIN_S = 10;
const patient = { withinMs: 600_000, everyMs: 100 };

export async function idleShops(on: StormStage): Promise<Figure[]> {
  const proxy = await openProxy({ port: on.testApp.postgresPort }, postgresAnswers);
  await on.client.query(
    `INSERT INTO "Merchant" (shop, currency, timezone)
     SELECT 'idle-' || n || '.myshopify.com', 'EUR', 'Europe/Paris' FROM generate_series(1, $1::int) AS n`,
    [SHOPS],
  );
  await on.client.query("ANALYZE");
  const worker = await on.startWorker({ DATABASE_URL: on.database.replace(/:\d+\//, `:${proxy.port}/`) });
  try {
    proxy.onAnswer = () => wait(CUT_OFF.delayMs);
    const cutOff = await firstOf(on, "reconciliations", [CUT_OFF.expireInSeconds]);
    proxy.onAnswer = () => wait(DELAY_MS);
    // As after a release that counts all statistics again: every shop is due.
    await forgetRuns(on);
    const recounted = await firstOf(on, "recounts", [600]);
    await eventually(async () => (await openJobs(on, "attachment-recount")) === 0, "the counts", patient);
    await forgetRuns(on);
    // The second one is sent while the first one runs, as by another process's clock.
    const idle = await firstOf(on, "reconciliations", [600, 600]);
    const { rowCount } = await on.client.query(
      `SELECT 1 FROM "ReconciliationRun" WHERE shop LIKE 'idle-%' GROUP BY shop HAVING count(*) = 1`,
    );
    const ofAll = `the hourly job of ${SHOPS} idle shops, statements ${DELAY_MS} ms away`;
    return [
      ...[
        { name: ofAll, run: idle },
        { name: `${ofAll}, statistics to be counted again`, run: recounted },
      ].map(({ name, run: { outcome, seconds } }) =>
        figure(name, seconds, "s", `at most ${LIMIT_S}`, outcome === "job done" && seconds <= LIMIT_S),
      ),
      figure("shops with one reconciliation", rowCount ?? 0, "shops", `${SHOPS}`, rowCount === SHOPS),
      figure("hourly jobs at once, two being sent", idle.atOnce, "jobs", "1", idle.atOnce === 1),
      figure(
        `a run that expires after ${CUT_OFF.expireInSeconds} s, statements ${CUT_OFF.delayMs} ms away: its end`,
        cutOff.seconds - CUT_OFF.expireInSeconds,
        "s later",
        `at most ${ENDS_WITHIN_S}`,
        cutOff.outcome === "job failed" && cutOff.seconds <= CUT_OFF.expireInSeconds + ENDS_WITHIN_S,
      ),
    ];
  } finally {
    await worker.end();
    await proxy.close();
    await on.client.query(`DELETE FROM "Merchant" WHERE shop LIKE 'idle-%'`);
  }
}

const logLine = z.object({
  msg: z.enum(["job done", "job failed"]),
  job: z.literal("hourly"),
  durationMs: z.number(),
});

/**
 * Sends hourly jobs of one task, each as soon as the one before runs, and waits for them.
 * @param expiries seconds that each of them may take
 * @returns how the first one ended, and how many of them ran at once
 */
async function firstOf(on: StormStage, task: HourlyTask, expiries: number[]) {
  const { jobQueue } = await import("#app/jobs/queue.server.ts");
  const queue = await jobQueue();
  const known = (await ended(on)).length;
  let atOnce = 0;
  for (const expireInSeconds of expiries) {
    await queue.send("hourly", { task }, { expireInSeconds, retryLimit: 0, singletonKey: task });
    await eventually(async () => (await openJobs(on, "hourly", "active")) > 0, "the hourly job", patient);
  }
  const [first] = await eventually(
    async () => {
      atOnce = Math.max(atOnce, await openJobs(on, "hourly", "active"));
      const now = (await ended(on)).slice(known);
      return now.length >= expiries.length ? now : null;
    },
    "the end of the hourly job",
    { ...patient, everyMs: 20 },
  );
  if (!first) throw new Error("No hourly job has ended");
  return { outcome: first.msg, seconds: first.durationMs / 1_000, atOnce };
}

/** The ends of hourly jobs in the worker's log: what it says itself of how long the work took. */
async function ended(on: StormStage) {
  const lines = (await readFile(on.logFile, "utf8")).split("\n").filter((line) => line.includes('"hourly"'));
  return lines.flatMap((line) => {
    const parsed = logLine.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  });
}

/** @param state by default all that have not ended */
async function openJobs(on: StormStage, name: string, state?: "active"): Promise<number> {
  const { rows } = await on.client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pgboss.job
     WHERE name = $1 AND state < 'completed' AND ($2::text IS NULL OR state::text = $2)`,
    [name, state ?? null],
  );
  return rows[0]?.count ?? NaN;
}

/** The next run has everything to start again. */
async function forgetRuns(on: StormStage): Promise<void> {
  await on.client.query(`DELETE FROM pgboss.job WHERE name IN ('hourly', 'reconciliation')`);
  await on.client.query(`DELETE FROM "ReconciliationRun"`);
}
