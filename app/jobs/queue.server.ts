/** The job queue: pg-boss in our own database, so that one transaction writes a row and its job. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { fromPrisma, PgBoss, type RedriveFilter } from "pg-boss";
import { z } from "zod";
import { fromDatabase } from "#app/platform/database-errors.ts";
import { database, db, type Transaction } from "#app/platform/db.server.ts";
import { currentRequestId, log } from "#app/platform/log.server.ts";
import { processParts } from "#app/platform/process-parts.server.ts";
import { currentTraceparent } from "#app/platform/tracing.server.ts";
import { type JobName, jobNames, type JobPayloads, jobs } from "./definitions.ts";
import {
  BACKLOG_PRIORITY,
  DEAD_LETTER,
  type DeadLetterChoice,
  makeBacklogIndexes,
  readOpenShares,
} from "./queue-tables.server.ts";

/** The NOTIFY channel on which the queue announces due jobs by name. Its name is the library's. */
export const notifyChannel = `pgboss_${createHash("sha224").update("pgboss").digest("hex").slice(0, 24)}`;

/** A running job without a heartbeat for this time moves to another process. */
export const HEARTBEAT_SECONDS = 10;

const HOUR = 3_600;
const YEAR = 365 * 24 * HOUR;

const errorParts = z.looseObject({ message: z.string(), stack: z.string().optional() });

/** The library reports some errors as objects with an error's parts, against its own types. */
function toError(reported: unknown): unknown {
  const { data } = errorParts.safeParse(reported);
  return reported instanceof Error || data === undefined
    ? reported
    : Object.assign(new Error(data.message), data);
}

async function startQueue(): Promise<PgBoss> {
  const queue = new PgBoss({
    ...database.queue,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: HOUR / 6,
  });
  queue.on("error", (reported) =>
    log.error({ err: fromDatabase(toError(reported)) }, "The job queue reported an error"),
  );
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
      // Our own tables keep the history. The library's counts read the whole queue, so it stays small.
      deleteAfterSeconds: HOUR,
      deadLetter: DEAD_LETTER,
      notify: true,
    };
    const existingQueue = existing.get(name);
    if (!existingQueue || !isDeepStrictEqual({ ...existingQueue, ...options }, { ...existingQueue })) {
      if (existingQueue) await queue.updateQueue(name, options);
      else await queue.createQueue(name, { ...options, policy });
    }
    if (cron !== undefined) await queue.schedule(name, cron, {});
  }
  return queue;
}

/** The job queue of this process. */
export function jobQueue(): Promise<PgBoss> {
  return (processParts.queue ??= startQueue());
}

// Starts with the module, because otherwise the first transaction that sends a job would wait for it.
await jobQueue();

export interface SendOptions {
  /** jobs with the same key count as one for the policies `short` and `stately` */
  singletonKey?: string | undefined;
  startAfter?: Date | undefined;
  /** a person waits: it runs before the shop's other jobs */
  isUrgent?: boolean;
}

/** Jobs of one merchant; cron sends all others. */
type MerchantJob = { [Name in JobName]: JobPayloads[Name] extends { shop: string } ? Name : never }[JobName];

/** The request that sends a job, for the log lines, and its trace. */
export interface JobOrigin {
  requestId: string | undefined;
  traceparent: string | undefined;
}

export const currentOrigin = (): JobOrigin => ({
  requestId: currentRequestId(),
  traceparent: currentTraceparent(),
});

/** A job to send. */
interface NewJob<Payload> {
  payload: Payload;
  singletonKey?: string | undefined;
  startAfter?: Date | undefined;
  origin?: JobOrigin;
  priority?: number;
}

/**
 * Sends jobs in the transaction, or immediately if `tx` is `db`. The merchant is the job's group. A job is skipped if
 * one with the same key already waits.
 */
async function insertJobs<Name extends MerchantJob>(
  tx: Transaction,
  name: Name,
  newJobs: readonly NewJob<JobPayloads[Name]>[],
): Promise<void> {
  const queue = await jobQueue();
  const rows = newJobs.map(({ payload, origin, singletonKey, startAfter, priority }) => ({
    data: { ...payload, ...origin },
    group: { id: payload.shop },
    ...(singletonKey === undefined ? {} : { singletonKey }),
    ...(startAfter === undefined ? {} : { startAfter }),
    ...(priority === undefined ? {} : { priority }),
  }));
  await queue.insert(name, rows, { db: fromPrisma(tx) });
}

/** Sends one job with the current request's id and trace. */
export async function sendJob<Name extends MerchantJob>(
  tx: Transaction,
  name: Name,
  payload: JobPayloads[Name],
  { isUrgent = false, ...options }: SendOptions = {},
): Promise<void> {
  const newJob = { payload, origin: currentOrigin(), ...options };
  await insertJobs(tx, name, [isUrgent ? { ...newJob, priority: 1 } : newJob]);
}

/**
 * Sends many jobs in one statement. If a merchant's jobs exceed its open share of the queue, all of them join its
 * backlog. So they delay neither other merchants nor the jobs of the merchant's next order.
 */
export async function sendJobs<Name extends MerchantJob>(
  tx: Transaction,
  name: Name,
  newJobs: readonly Omit<NewJob<JobPayloads[Name]>, "priority">[],
): Promise<void> {
  if (newJobs.length === 0) return;
  if (!jobs[name].hasBacklogs) return insertJobs(tx, name, newJobs);
  const counts = new Map<string, number>();
  for (const { payload } of newJobs) counts.set(payload.shop, (counts.get(payload.shop) ?? 0) + 1);
  const shares = await readOpenShares(tx, name, [...counts.keys()]);
  const fits = (shop: string) => (counts.get(shop) ?? 0) <= (shares.get(shop) ?? 0);
  await insertJobs(
    tx,
    name,
    newJobs.map((newJob) => ({ ...newJob, priority: fits(newJob.payload.shop) ? 0 : BACKLOG_PRIORITY })),
  );
}

/** Limit of jobs that one statement sends. */
const JOBS_AT_ONCE = 500;

/** Sends a job to each of many shops, except those where one already waits. */
export async function sendJobToShops(
  name: "claim-changes",
  shops: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  for (let sent = 0; sent < shops.length; sent += JOBS_AT_ONCE) {
    signal?.throwIfAborted();
    const some = shops.slice(sent, sent + JOBS_AT_ONCE);
    await sendJobs(
      db,
      name,
      some.map((shop) => ({ payload: { shop }, singletonKey: shop })),
    );
  }
}

const stopListeners = new Set<() => Promise<void>>();

/** Calls `listener` before the queue of this process stops, so that its users stop first. */
export function onQueueStop(listener: () => Promise<void>): void {
  stopListeners.add(listener);
}

/** Waits for the running jobs (worker.server.ts) and leaves the others to the next process. */
export async function stopQueue(): Promise<void> {
  const started = processParts.queue;
  if (!started) return;
  await Promise.all([...stopListeners].map((listener) => listener()));
  stopListeners.clear();
  processParts.queue = undefined;
  await (await started).stop({ graceful: true, timeout: 1_000 });
}

/** Limit of dead letters that one statement sends again. */
const REDRIVE_BATCH_SIZE = 1_000;

/**
 * Sends the dead letters that match the filter again. The queue keeps each job that failed at its last attempt with
 * its payload.
 * @returns the number of sent jobs
 */
async function redriveAll(filter: Pick<RedriveFilter, "data" | "ids" | "sourceName">): Promise<number> {
  const queue = await jobQueue();
  // A job that fails again in the meantime is not replayed twice.
  const createdBefore = new Date();
  let moved = 0;
  for (;;) {
    const count = await queue.redrive(DEAD_LETTER, { ...filter, createdBefore, limit: REDRIVE_BATCH_SIZE });
    moved += count;
    // Jobs that already wait are not counted, so a smaller batch is not necessarily the last one.
    if (count === 0) return moved;
  }
}

/**
 * Sends the selected existing dead letters again. A job with a single attempt is only sent again if it is selected by
 * id, because its work may have been done.
 * @returns the number of sent jobs
 */
export async function replayChosen({ job, shop, id }: DeadLetterChoice): Promise<number> {
  if (id !== undefined) return redriveAll({ ids: [id] });
  const names = jobNames.filter((name) => (job === undefined || name === job) && jobs[name].retryLimit > 0);
  let sent = 0;
  for (const sourceName of names)
    sent += await redriveAll({ sourceName, ...(shop === undefined ? {} : { data: { shop } }) });
  return sent;
}
