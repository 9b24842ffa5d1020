/**
 * An embedded database that cannot write its log any more (disk full) panics, and its next statement would hang the
 * whole process without an end. A server would restart itself; here the process has to go, so that whatever keeps it
 * up starts it again on what was written. Nothing is acknowledged on the way.
 */
import type { PGlite } from "@electric-sql/pglite";
import { log } from "./log.server.ts";

const ends = new Set<unknown>(["PANIC", "FATAL"]);

/** Ends the process as soon as the database has panicked, before anything else is asked of it. */
export function exitOnPanic(pglite: PGlite): void {
  const execProtocol = pglite.execProtocol.bind(pglite);
  const execProtocolStream = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocol = async (...given) => execProtocol(...given).catch(exitIfPanicked);
  pglite.execProtocolStream = async (...given) => execProtocolStream(...given).catch(exitIfPanicked);
}

function exitIfPanicked(error: unknown): never {
  if (typeof error === "object" && error !== null && "severity" in error && ends.has(error.severity)) {
    log.fatal({ err: error }, "the embedded database panicked: the process ends, to be started again");
    process.exit(1);
  }
  throw error;
}
