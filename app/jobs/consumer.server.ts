/**
 * Runs the jobs of one queue, with the concurrency of the job definitions.
 *
 * The library's own worker waits for its next poll after each batch, delays a whole batch for its slowest job, and
 * wakes all of its workers for every job. Here one statement fetches jobs for all free slots, and one acknowledges
 * all finished jobs. The library still does claims, retries, heartbeats and dead letters.
 */
import { describeError } from "#app/platform/describe-error.ts";
import { fromDatabase } from "#app/platform/database-errors.ts";
import { AppError } from "#app/platform/app-error.ts";
import type { Job, PgBoss } from "pg-boss";
import { z } from "zod";
import { log } from "#app/platform/log.server.ts";
import { isCovered, takeFromBacklogs } from "./queue-tables.server.ts";
import { HEARTBEAT_SECONDS } from "./queue.server.ts";

/** Maximum delay until a poll finds a job that becomes due later. Jobs that are due now are announced. */
const POLL_INTERVAL_MS = 2_000;

/**
 * After an empty poll, the next one waits for this multiple of the poll's duration: polls are slow during a backlog.
 */
const EMPTY_POLL_BACKOFF = 4;
/** Maximum pause. The reason for a slow poll may be gone, for example a lock on the table. */
const MAX_POLL_PAUSE_MS = 5_000;

/** Interval between checks of existing backlogs. One step of a backlog takes longer. */
const BACKLOG_INTERVAL_MS = 200;

/** The library's answer to a heartbeat: the jobs that this process still owns. */
const touchResult = z.object({ settled: z.array(z.string()).nullish() });

export interface ConsumerOptions {
  /** the queue's name */
  name: string;
  /** concurrent jobs in this process */
  concurrency: number;
  /** concurrent jobs of one merchant in all processes */
  merchantConcurrency: number;
  /** further jobs of a merchant with many wait in its backlog (queue-tables.server.ts) */
  hasBacklogs: boolean;
  /** a job does all pending work of its key, so a job that waits for a retry covers another failed one */
  coversOthers: boolean;
  work: (job: Job<unknown>, signal: AbortSignal) => Promise<void>;
}

export interface Consumer {
  /** Polls at once, because there may be a new job. */
  wake(): void;
  /**
   * Milliseconds since the last poll. Many poll intervals mean that the consumer is stuck; a refusing database does
   * not count.
   */
  idleMs(): number;
  /** Stops fetching and waits for the running jobs; those that exceed the timeout return to the queue. */
  stop(timeoutMs: number): Promise<void>;
}

interface RunningJob {
  job: Job<unknown>;
  abort: AbortController;
  reject: (reason: Error) => void;
}

export function createConsumer(
  queue: PgBoss,
  { name, concurrency, merchantConcurrency, hasBacklogs, coversOthers, work }: ConsumerOptions,
): Consumer {
  const running = new Map<string, RunningJob>();
  let finished: { job: Job<unknown>; error: unknown }[] = [];
  /** There may be jobs that can be fetched and that no poll has found yet. */
  let pollNeeded = true;
  /** Slots of finished jobs. Between polls, all other jobs wait for a slot of their merchant. */
  let freedSlots = 0;
  /** The earliest time of the next poll (`performance.now()`). */
  let pollNotBefore = 0;
  /** The earliest time of the next check of backlogs. */
  let backlogsNotBefore = 0;
  let stopping = false;
  let pumping: Promise<void> | null = null;
  /** The time of the last poll (`performance.now()`). */
  let lookedAt = performance.now();
  let onIdle: () => void = () => undefined;

  /** Acknowledges finished jobs and fetches new ones until there is nothing to do. It never runs concurrently. */
  function pump(): void {
    pumping ??= pumpUntilDone()
      .catch((error: unknown) => {
        // No job is lost: an unacknowledged one returns after its heartbeat expires, and the next poll fetches the
        // others.
        log.error(
          { err: fromDatabase(error), job: name },
          "Failed to fetch jobs: the queue's database did not respond; the next poll retries",
        );
        pollNeeded = true;
        return "failed" as const;
      })
      .then((outcome) => {
        pumping = null;
        lookedAt = performance.now();
        if (stopping && running.size === 0) onIdle();
        else if (outcome !== "failed" && hasWork()) pump();
      });
  }

  const freeSlots = (): number => concurrency - running.size;
  const mayPoll = (): boolean => pollNeeded && performance.now() >= pollNotBefore;
  const mayFetch = (): boolean => !stopping && freeSlots() > 0 && (freedSlots > 0 || mayPoll());
  const hasWork = (): boolean => finished.length > 0 || mayFetch();

  async function pumpUntilDone(): Promise<void> {
    while (hasWork()) {
      if (finished.length > 0) await acknowledge();
      if (mayFetch()) await fetch();
    }
  }

  async function fetch(): Promise<void> {
    const polling = mayPoll();
    if (polling) pollNeeded = false;
    const batchSize = polling ? freeSlots() : Math.min(freedSlots, freeSlots());
    const startedAt = performance.now();
    const jobs = await queue.fetch<unknown>(name, {
      batchSize,
      groupConcurrency: merchantConcurrency,
      minPriority: 0,
    });
    lookedAt = performance.now();
    for (const job of jobs) run(job);
    freedSlots = polling || jobs.length === 0 ? 0 : Math.max(0, freedSlots - jobs.length);
    if (hasBacklogs && jobs.length < batchSize) await refill();
    if (!polling) return;
    if (jobs.length > 0) {
      // The library fills a batch before it applies the merchants' limits, so other jobs may wait behind it. Only an
      // empty batch means that no job can be fetched.
      pollNeeded = true;
    } else {
      // An empty poll is slow: the database reads all jobs that wait for a slot of their merchant.
      const pauseMs = Math.min((lookedAt - startedAt) * EMPTY_POLL_BACKOFF, MAX_POLL_PAUSE_MS);
      pollNotBefore = performance.now() + pauseMs;
      setTimeout(pump, pauseMs).unref();
    }
  }

  /** Moves the next jobs out of backlogs, so that the next poll finds them. */
  async function refill(): Promise<void> {
    if (performance.now() < backlogsNotBefore) return;
    const { taken, backlogs } = await takeFromBacklogs(name);
    backlogsNotBefore = performance.now() + (backlogs > 0 ? BACKLOG_INTERVAL_MS : POLL_INTERVAL_MS);
    if (taken > 0) wake();
  }

  /** Reports finished jobs to the queue: completed ones in one statement, failed ones each with its error. */
  async function acknowledge(): Promise<void> {
    const batch = finished;
    finished = [];
    freedSlots += batch.length;
    const completed = batch.filter(({ error }) => error === null).map(({ job }) => job);
    const failed = batch.filter(({ error }) => error !== null);
    await Promise.all([
      completed.length > 0 ? queue.complete(name, completed) : null,
      ...failed.map(({ job, error }) => fail(job, error)),
    ]);
  }

  /**
   * Returns a failed job to the queue for its retry. If an earlier job of its key already waits for a retry, that one
   * does the same work, and this one is completed. The queue keeps one waiting job per key, and would move this one
   * to the dead letters.
   */
  async function fail(job: Job<unknown>, error: unknown): Promise<void> {
    if (coversOthers && (await isCovered(name, job.id))) {
      log.info({ id: job.id, job: name }, "Completed the failed job: another attempt is queued");
      await queue.complete(name, job);
    } else await queue.fail(name, job, describeError(error));
  }

  function run(job: Job<unknown>): void {
    const abort = new AbortController();
    const rejected = new Promise<never>((_, reject) => {
      running.set(job.id, { job, abort, reject });
    });
    const expiry = setTimeout(() => {
      abort.abort();
      running.get(job.id)?.reject(new AppError(`The job timed out after ${job.expireInSeconds} s`));
    }, job.expireInSeconds * 1_000);
    void Promise.race([work(job, abort.signal), rejected])
      .then(() => null)
      .catch((error: unknown) => error ?? new AppError("The job failed without an error"))
      .then((error: unknown) => {
        clearTimeout(expiry);
        running.delete(job.id);
        finished.push({ job, error });
        pump();
      });
  }

  /** Renews this process's running jobs. A job that another process has taken over is aborted. */
  async function sendHeartbeats(): Promise<void> {
    const jobs = [...running.values()].map(({ job }) => job);
    if (jobs.length === 0) return;
    const { settled: ours } = touchResult.parse(await queue.touch(name, jobs));
    if (!ours) return;
    for (const { id } of jobs) if (!ours.includes(id)) running.get(id)?.abort.abort();
  }

  const wake = () => {
    pollNeeded = true;
    pump();
  };
  const pollTimer = setInterval(wake, POLL_INTERVAL_MS);
  const heartbeatTimer = setInterval(
    () => {
      sendHeartbeats().catch((error: unknown) =>
        log.warn(
          { err: error, job: name },
          "Failed to send the heartbeat of running jobs; without it another process takes them over",
        ),
      );
    },
    (HEARTBEAT_SECONDS / 2) * 1_000,
  );
  pump();

  return {
    wake,
    idleMs: () => performance.now() - lookedAt,
    async stop(timeoutMs) {
      stopping = true;
      clearInterval(pollTimer);
      const idle = new Promise<void>((resolve) => (onIdle = resolve));
      const timeout = setTimeout(() => {
        for (const { abort, reject } of running.values()) {
          abort.abort();
          reject(new AppError("The process stopped before the job ended"));
        }
      }, timeoutMs);
      pump();
      await idle;
      clearTimeout(timeout);
      clearInterval(heartbeatTimer);
    },
  };
}
