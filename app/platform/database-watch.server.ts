/**
 * Watches the connection to the database: one line when it is lost, one a minute while it stays lost, one when it is
 * back. Without it, each statement that fails meanwhile would be a line with a stack.
 */
import pg from "pg";
import {
  connectionProblem,
  DISK_FULL,
  isDatabaseLoss,
  isDiskFull,
  portOf,
  serverOf,
} from "./database-errors.ts";
import { type Log, log, passErrorsTo } from "./log.server.ts";

export interface WatchOptions {
  /** the variable that names the server */
  variable: string;
  connectionString: string;
  everyMs?: number;
  repeatMs?: number;
  fullForMs?: number;
}

export interface DatabaseWatch {
  /** why the database cannot be used; null: it answers */
  problem(): string | null;
  stop(): Promise<void>;
}

const ANSWERS_WITHIN_MS = 4_000;

/** The queue writes more often, so a full disk is reported again in this time. */
const FULL_FOR_MS = 20_000;

export function watchDatabase(
  { variable, connectionString, everyMs = 5_000, repeatMs = 60_000, fullForMs = FULL_FOR_MS }: WatchOptions,
  lines: Log = log,
): DatabaseWatch {
  const server = serverOf(connectionString);
  const port = portOf(connectionString);
  let client: pg.Client | null = null;
  let lost: { at: number; saidAt: number; problem: string } | null = null;
  let failures = 0;
  let diskFullAt: number | null = null;
  let probing: Promise<void> | null = null;

  async function ask(): Promise<void> {
    if (client === null) {
      const opened = new pg.Client({
        connectionString,
        connectionTimeoutMillis: ANSWERS_WITHIN_MS,
        query_timeout: ANSWERS_WITHIN_MS,
        application_name: "parasol-watch",
      });
      // The next probe reports it.
      opened.on("error", () => undefined);
      client = opened;
      await opened.connect();
    }
    await client.query("SELECT 1");
  }

  async function probe(): Promise<void> {
    try {
      await ask();
      if (diskFullAt !== null && performance.now() - diskFullAt < fullForMs) {
        say(DISK_FULL);
        return;
      }
      diskFullAt = null;
      if (lost === null) return;
      const seconds = Math.round((performance.now() - lost.at) / 1_000);
      lines.info({ durationMs: seconds * 1_000 }, `The database is back after ${seconds} s`);
      lost = null;
      failures = 0;
    } catch (error) {
      const failed = client;
      client = null;
      await failed?.end().catch(() => undefined);
      say(connectionProblem(error));
    }
  }

  function say(problem: string): void {
    const now = performance.now();
    const isFirst = lost === null;
    lost ??= { at: now, saidAt: now, problem };
    lost.problem = problem;
    if (!isFirst && now - lost.saidAt < repeatMs) return;
    lost.saidAt = now;
    const seconds = Math.round((now - lost.at) / 1_000);
    lines.error(
      { durationMs: seconds * 1_000, missed: failures },
      `Failed to reach the database (${variable}, ${server}): it ${problem}. ${
        isFirst
          ? "Pages fail and jobs wait; the process retries and says when it is back"
          : `It has been away for ${seconds} s`
      }`,
    );
  }

  const look = () =>
    (probing ??= probe().finally(() => {
      probing = null;
    }));
  const timer = setInterval(() => void look(), everyMs).unref();
  passErrorsTo((error) => {
    if (isDiskFull(error)) diskFullAt = performance.now();
    else if (!isDatabaseLoss(error, { port, isLost: lost !== null })) return false;
    failures += 1;
    void look();
    return true;
  });
  return {
    problem: () => (lost === null ? null : `the database (${variable}) ${lost.problem}`),
    async stop() {
      clearInterval(timer);
      passErrorsTo(null);
      await probing;
      await client?.end().catch(() => undefined);
    },
  };
}
