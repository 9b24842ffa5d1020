/**
 * Takes the jobs of one kind from the queue and works them off, as many at once as the catalogue of jobs allows.
 *
 * The library's own worker waits for its next poll after each batch, holds a whole batch back for its slowest job, and
 * wakes every one of its workers for every job. Here one statement fetches for all free places and one tells of all
 * jobs that ended meanwhile. Claims, retries, heartbeats and dead letters stay the library's.
 */
import type { Job, PgBoss } from "pg-boss";
import { z } from "zod";
import { log } from "#app/platform/log.server.ts";
import { HEARTBEAT_SECONDS } from "./queue.server.ts";

/** Jobs that become due later are found within this time; those due now are announced. */
const LOOK_EVERY_MS = 2_000;

/** A look that finds nothing is followed by so many times its own length without one: a backlog makes it long. */
const REST = 4;

/** What the library answers to a heartbeat: the jobs that are still ours. */
const beaten = z.object({ settled: z.array(z.string()).nullish() });

export interface Taking {
  name: string;
  /** jobs at once in this process */
  concurrency: number;
  /** jobs of one merchant at once in all processes */
  merchantConcurrency: number;
  work: (job: Job<unknown>, signal: AbortSignal) => Promise<void>;
}

export interface Taker {
  /** There is a new job, or there may be. */
  look(): void;
  /** Takes nothing more, and waits for what runs; what still runs after the time limit goes back to the queue. */
  end(patienceMs: number): Promise<void>;
}

interface Running {
  job: Job<unknown>;
  claim: AbortController;
  giveUp: (why: Error) => void;
}

export function openTaker(queue: PgBoss, { name, concurrency, merchantConcurrency, work }: Taking): Taker {
  const running = new Map<string, Running>();
  let ended: { job: Job<unknown>; error: unknown }[] = [];
  /** There may be jobs that could be taken and that no fetch has seen. */
  let unseen = true;
  /** Places that ended jobs have left: all else that waits is known to wait for a place of its merchant. */
  let room = 0;
  /** The moment (`performance.now()`) before which nothing is looked for again. */
  let rested = 0;
  let stopping = false;
  let turning: Promise<void> | null = null;
  let idle: () => void = () => undefined;

  /** One at a time: tells of what ended, then fetches for the free places, until there is nothing to do. */
  function turn(): void {
    turning ??= takeTurns()
      .catch((error: unknown) => {
        // Nothing is lost: what was not told comes back by its heartbeat, what was not fetched by the next look.
        log.error({ err: error, job: name }, "queue not reached");
        unseen = true;
        return "failed" as const;
      })
      .then((outcome) => {
        turning = null;
        if (stopping && running.size === 0) idle();
        else if (outcome !== "failed" && isDue()) turn();
      });
  }

  const free = (): number => concurrency - running.size;
  const mayLook = (): boolean => unseen && performance.now() >= rested;
  const mayFetch = (): boolean => !stopping && free() > 0 && (room > 0 || mayLook());
  const isDue = (): boolean => ended.length > 0 || mayFetch();

  async function takeTurns(): Promise<void> {
    while (isDue()) {
      if (ended.length > 0) await tell();
      if (mayFetch()) await fetch();
    }
  }

  async function fetch(): Promise<void> {
    const looking = mayLook();
    if (looking) unseen = false;
    const batchSize = looking ? free() : Math.min(room, free());
    const started = performance.now();
    const jobs = await queue.fetch<unknown>(name, { batchSize, groupConcurrency: merchantConcurrency });
    for (const job of jobs) start(job);
    room = looking || jobs.length === 0 ? 0 : Math.max(0, room - jobs.length);
    if (!looking) return;
    if (jobs.length > 0) {
      // A batch is filled before its merchants' limits are applied: others may wait behind it. Only an empty one tells
      // that nothing can be taken.
      unseen = true;
    } else {
      // To find nothing, the database walks past all that waits for a place of its merchant.
      const rest = (performance.now() - started) * REST;
      rested = performance.now() + rest;
      setTimeout(turn, rest).unref();
    }
  }

  async function tell(): Promise<void> {
    const told = ended;
    ended = [];
    room += told.length;
    const done = told.filter(({ error }) => error === null).map(({ job }) => job);
    const failed = told.filter(({ error }) => error !== null);
    await Promise.all([
      done.length > 0 ? queue.complete(name, done) : null,
      ...failed.map(({ job, error }) =>
        queue.fail(name, job, error instanceof Error ? error : { message: String(error) }),
      ),
    ]);
  }

  function start(job: Job<unknown>): void {
    const claim = new AbortController();
    const givenUp = new Promise<never>((_, reject) => {
      running.set(job.id, { job, claim, giveUp: reject });
    });
    const late = setTimeout(() => {
      claim.abort();
      running.get(job.id)?.giveUp(new Error(`The job took longer than ${job.expireInSeconds} s`));
    }, job.expireInSeconds * 1_000);
    void Promise.race([work(job, claim.signal), givenUp])
      .then(() => null)
      .catch((error: unknown) => error ?? new Error("The job failed without a word"))
      .then((error: unknown) => {
        clearTimeout(late);
        running.delete(job.id);
        ended.push({ job, error });
        turn();
      });
  }

  /** Says that the running jobs are alive. One that is no longer ours learns it by its signal. */
  async function beat(): Promise<void> {
    const jobs = [...running.values()].map(({ job }) => job);
    if (jobs.length === 0) return;
    const { settled: ours } = beaten.parse(await queue.touch(name, jobs));
    if (!ours) return;
    for (const { id } of jobs) if (!ours.includes(id)) running.get(id)?.claim.abort();
  }

  const look = () => {
    unseen = true;
    turn();
  };
  const lookout = setInterval(look, LOOK_EVERY_MS);
  const heart = setInterval(
    () => {
      beat().catch((error: unknown) => log.warn({ err: error, job: name }, "heartbeat not told"));
    },
    (HEARTBEAT_SECONDS / 2) * 1_000,
  );
  turn();

  return {
    look,
    async end(patienceMs) {
      stopping = true;
      clearInterval(lookout);
      const over = new Promise<void>((resolve) => (idle = resolve));
      const impatience = setTimeout(() => {
        for (const { claim, giveUp } of running.values()) {
          claim.abort();
          giveUp(new Error("The process stopped"));
        }
      }, patienceMs);
      turn();
      await over;
      clearTimeout(impatience);
      clearInterval(heart);
    },
  };
}
