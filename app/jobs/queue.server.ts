/**
 * The queue: pg-boss in our own database, so that a row and its job are one transaction.
 */
import { createHash } from "node:crypto";
import { PgBoss, fromPrisma } from "pg-boss";
import type { Db } from "pg-boss";
import { database } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { currentRequestId, log } from "#app/platform/log.server.ts";
import { jobNames, jobs } from "./definitions.ts";
import type { JobName, JobPayloads } from "./definitions.ts";

/** Where a job ends up after its last attempt; the admin lists and replays it. */
export const DEAD_LETTER = "dead-letter";

/** Where the queue says (NOTIFY) that a job is due, with the job's name: how the library names it for its schema. */
export const notifyChannel = `pgboss_${createHash("sha224").update("pgboss").digest("hex").slice(0, 24)}`;

/** A running job whose process has not been heard of for so long is given to another. */
export const HEARTBEAT_SECONDS = 10;

const HOUR = 3_600;
const YEAR = 365 * 24 * HOUR;

/** The id of no job. */
const NO_JOB = "00000000-0000-0000-0000-000000000000";

declare global {
  // See app/platform/db.server.ts: a module that is evaluated anew must not start a second queue.
  var parasolQueue: Promise<PgBoss> | undefined;
}

async function startQueue(): Promise<PgBoss> {
  const queue = new PgBoss({
    ...database.queue,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: HOUR / 6,
  });
  queue.on("error", (error) => log.error({ err: error }, "queue"));
  queue.on("warning", (warning) => log.warn({ warning: warning.message }, "queue"));
  await queue.start();
  const known = new Set((await queue.getQueues()).map((existing) => existing.name));
  if (!known.has(DEAD_LETTER)) await queue.createQueue(DEAD_LETTER, { retentionSeconds: YEAR });
  for (const name of jobNames) {
    const { retryLimit, retryDelay, retryDelayMax, expireInSeconds, policy, cron } = jobs[name];
    const options = {
      retryLimit,
      retryDelay,
      retryDelayMax,
      retryBackoff: true,
      expireInSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retentionSeconds: YEAR,
      // What is done is told by our own tables; the queue stays small: its own counts go through all of it.
      deleteAfterSeconds: HOUR,
      deadLetter: DEAD_LETTER,
      notify: true,
    };
    if (known.has(name)) await queue.updateQueue(name, options);
    else await queue.createQueue(name, { ...options, policy });
    // pg-boss looks a queue up on its own connection before its first job, and keeps what it found. Inside a caller's
    // transaction, which holds the embedded database's one connection, that look-up would never end.
    await queue.findJobs(name, { id: NO_JOB });
    if (cron !== undefined) await queue.schedule(name, cron, {});
  }
  return queue;
}

/** The queue of this process. */
export function jobQueue(): Promise<PgBoss> {
  return (globalThis.parasolQueue ??= startQueue());
}

// Started as the module is loaded: a start inside a transaction would wait for the embedded database's one connection,
// which that transaction holds.
await jobQueue();

export interface SendJob {
  /** which jobs count as the same for the policies `short` and `stately` */
  key?: string;
  after?: Date;
  /** puts the job into the caller's transaction; without it inside one, the embedded database deadlocks */
  transaction?: Transaction;
}

/** The jobs that belong to one merchant; the others are sent by the clock. */
type MerchantJob = { [Name in JobName]: JobPayloads[Name] extends { shop: string } ? Name : never }[JobName];

/** Sends a job. It carries its merchant as its group, and the request's id for the logs. */
export async function sendJob<Name extends MerchantJob>(
  name: Name,
  payload: JobPayloads[Name],
  { key, after, transaction }: SendJob = {},
): Promise<void> {
  const queue = await jobQueue();
  await queue.send(
    name,
    { ...payload, requestId: currentRequestId() },
    {
      group: { id: payload.shop },
      ...(key === undefined ? {} : { singletonKey: key }),
      ...(after === undefined ? {} : { startAfter: after }),
      ...(transaction === undefined ? {} : { db: inTransaction(transaction) }),
    },
  );
}

/** Whether a job waits, runs or is to be tried again that carries this. */
export async function isInQueue<Name extends MerchantJob>(
  name: Name,
  data: Partial<JobPayloads[Name]>,
): Promise<boolean> {
  const found = await (await jobQueue()).findJobs(name, { data });
  return found.some(({ state }) => ["created", "retry", "active"].includes(state));
}

function inTransaction(transaction: Transaction): Db {
  return fromPrisma(transaction);
}

const endings = new Set<() => Promise<void>>();

/** Before the queue of this process stops, `end` is done: what works with it has to end first. */
export function beforeQueueStops(end: () => Promise<void>): void {
  endings.add(end);
}

/** Ends the work in hand (worker.server.ts), and leaves the rest to the next process. */
export async function stopQueue(): Promise<void> {
  const started = globalThis.parasolQueue;
  if (!started) return;
  await Promise.all([...endings].map((end) => end()));
  endings.clear();
  globalThis.parasolQueue = undefined;
  await (await started).stop({ graceful: true, timeout: 1_000 });
}
