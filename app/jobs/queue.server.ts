/**
 * The queue: pg-boss in our own database, so that a row and its job are one transaction.
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { fromPrisma, PgBoss, type RedriveFilter } from "pg-boss";
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
  singletonKey?: string | undefined;
  startAfter?: Date | undefined;
  /** a person waits for it: it goes before the shop's other jobs */
  isUrgent?: boolean;
}

/** Jobs of one merchant; cron sends the others. */
type MerchantJob = { [Name in JobName]: JobPayloads[Name] extends { shop: string } ? Name : never }[JobName];

/** The request that a job comes from, for its log lines, and its trace. */
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
 * Sends jobs as part of the transaction; with `db` for `tx`, at once. Their merchant is their group. One with a key that
 * waits already is left out.
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

/** Sends one job, which carries the current request's id and trace. */
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
 * Sends many jobs in one statement. If a merchant's jobs exceed its open share of the queue, all of them join its backlog,
 * so that they delay neither other merchants nor a single job that the merchant's next order needs.
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
      db,
      name,
      some.map((shop) => ({ payload: { shop }, singletonKey: shop })),
    );
  }
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
