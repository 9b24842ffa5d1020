/**
 * The queue: pg-boss in our own database, so that a row and its job are one transaction.
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Db, fromPrisma, PgBoss, type RedriveFilter } from "pg-boss";
import { database, type Transaction } from "#app/platform/db.server.ts";
import { currentRequestId, log } from "#app/platform/log.server.ts";
import { processParts } from "#app/platform/process-parts.server.ts";
import { currentTraceparent } from "#app/platform/tracing.server.ts";
import { type JobName, jobNames, type JobPayloads, jobs } from "./definitions.ts";
import {
  BACKLOG_FROM,
  BACKLOG_PRIORITY,
  DEAD_LETTER,
  type DeadLetterChoice,
  makeBacklogIndexes,
} from "./queue-tables.server.ts";

/** The channel on which the queue announces due jobs (NOTIFY, with the job's name), named as the library does. */
export const notifyChannel = `pgboss_${createHash("sha224").update("pgboss").digest("hex").slice(0, 24)}`;

/** A running job without a heartbeat for this long goes to another process. */
export const HEARTBEAT_SECONDS = 10;

const HOUR = 3_600;
const YEAR = 365 * 24 * HOUR;

async function startQueue(): Promise<PgBoss> {
  const queue = new PgBoss({
    ...database.queue,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: HOUR / 6,
  });
  queue.on("error", (error) => log.error({ err: error }, "The job queue reported an error"));
  queue.on("warning", (warning) =>
    log.warn({ warning: warning.message }, "The job queue reported a warning"),
  );
  await queue.start();
  await makeBacklogIndexes();
  const existing = new Map((await queue.getQueues()).map((found) => [found.name, found]));
  if (!existing.has(DEAD_LETTER)) await queue.createQueue(DEAD_LETTER, { retentionSeconds: YEAR });
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
      // Our own tables keep the history. The queue stays small, because the library's counts read all of it.
      deleteAfterSeconds: HOUR,
      deadLetter: DEAD_LETTER,
      notify: true,
    };
    const found = existing.get(name);
    if (!found || !isDeepStrictEqual({ ...found, ...options }, { ...found })) {
      if (found) await queue.updateQueue(name, options);
      else await queue.createQueue(name, { ...options, policy });
    }
    if (cron !== undefined) await queue.schedule(name, cron, {});
  }
  return queue;
}

/** The queue of this process. */
export function jobQueue(): Promise<PgBoss> {
  return (processParts.queue ??= startQueue());
}

// Started when the module loads: otherwise the first transaction that sends a job would wait for it.
await jobQueue();

export interface SendOptions {
  /** jobs with the same key count as one for the policies `short` and `stately` */
  singletonKey?: string;
  startAfter?: Date;
  /** a person waits for it: it goes before the shop's other jobs */
  isUrgent?: boolean;
  /** sends the job as part of this transaction */
  transaction?: Transaction;
}

/** Jobs of one merchant; cron sends the others. */
type MerchantJob = { [Name in JobName]: JobPayloads[Name] extends { shop: string } ? Name : never }[JobName];

/** Sends a job. Its merchant is its group; it carries the request's id for the logs, and its trace. */
export async function sendJob<Name extends MerchantJob>(
  name: Name,
  payload: JobPayloads[Name],
  { singletonKey, startAfter, isUrgent = false, transaction: tx }: SendOptions = {},
): Promise<void> {
  const queue = await jobQueue();
  await queue.send(
    name,
    { ...payload, requestId: currentRequestId(), traceparent: currentTraceparent() },
    {
      group: { id: payload.shop },
      ...(isUrgent ? { priority: 1 } : {}),
      ...(singletonKey === undefined ? {} : { singletonKey }),
      ...(startAfter === undefined ? {} : { startAfter }),
      ...(tx === undefined ? {} : { db: inTransaction(tx) }),
    },
  );
}

/**
 * Sends several jobs in one statement. One with a key that waits already is left out.
 * @param tx sends them as part of it, as `SendOptions.transaction` does
 */
export async function sendJobs<Name extends MerchantJob>(
  name: Name,
  sent: readonly { payload: JobPayloads[Name]; singletonKey?: string; startAfter?: Date }[],
  tx?: Transaction,
): Promise<void> {
  if (sent.length === 0) return;
  const queue = await jobQueue();
  const priority = jobs[name].hasBacklogs && sent.length > BACKLOG_FROM ? BACKLOG_PRIORITY : 0;
  await queue.insert(
    name,
    sent.map(({ payload, ...options }) => ({
      data: payload,
      group: { id: payload.shop },
      priority,
      ...options,
    })),
    tx === undefined ? {} : { db: inTransaction(tx) },
  );
}

/** Jobs that are sent by one statement. */
const JOBS_AT_ONCE = 500;

/** Sends each of many shops a job. One that waits already is left out. */
export async function sendJobToShops(
  name: "claim-changes",
  shops: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  for (let sent = 0; sent < shops.length; sent += JOBS_AT_ONCE) {
    signal?.throwIfAborted();
    const some = shops.slice(sent, sent + JOBS_AT_ONCE);
    await sendJobs(
      name,
      some.map((shop) => ({ payload: { shop }, singletonKey: shop })),
    );
  }
}

function inTransaction(tx: Transaction): Db {
  return fromPrisma(tx);
}

const stopListeners = new Set<() => Promise<void>>();

/** Calls `listener` before the queue of this process stops: what uses the queue has to stop first. */
export function onQueueStop(listener: () => Promise<void>): void {
  stopListeners.add(listener);
}

/** Lets the running jobs finish (worker.server.ts) and leaves the rest to the next process. */
export async function stopQueue(): Promise<void> {
  const started = processParts.queue;
  if (!started) return;
  await Promise.all([...stopListeners].map((listener) => listener()));
  stopListeners.clear();
  processParts.queue = undefined;
  await (await started).stop({ graceful: true, timeout: 1_000 });
}

/** Dead letters that one statement sends again. */
const REDRIVE_BATCH_SIZE = 1_000;

/**
 * Sends the dead letters again that the filter matches: the queue keeps each job that failed at its last attempt with its
 * payload.
 * @returns how many were sent
 */
async function redriveAll(filter: Pick<RedriveFilter, "data" | "ids" | "sourceName">): Promise<number> {
  const queue = await jobQueue();
  // A job that fails again meanwhile is not replayed by the same act.
  const createdBefore = new Date();
  let moved = 0;
  for (;;) {
    const count = await queue.redrive(DEAD_LETTER, { ...filter, createdBefore, limit: REDRIVE_BATCH_SIZE });
    moved += count;
    // Of jobs that wait already none is counted: a batch may be smaller and not the last.
    if (count === 0) return moved;
  }
}

/**
 * Sends the chosen dead letters again, those that are there by now. One of a job that has a single attempt is sent again
 * where it is chosen by its id alone: it may have been done.
 * @returns how many were sent
 */
export async function replayChosen({ job, shop, id }: DeadLetterChoice): Promise<number> {
  if (id !== undefined) return redriveAll({ ids: [id] });
  const names = jobNames.filter((name) => (job === undefined || name === job) && jobs[name].retryLimit > 0);
  let sent = 0;
  for (const sourceName of names)
    sent += await redriveAll({ sourceName, ...(shop === undefined ? {} : { data: { shop } }) });
  return sent;
}
