/**
 * An embedded database that cannot write its log any more (disk full) panics, and its next statement would hang the
 * process forever. A server would restart itself; here the process exits, so that its supervisor restarts it with what
 * was written. Nothing is acknowledged meanwhile.
 */
import type { PGlite } from "@electric-sql/pglite";
import { log } from "./log.server.ts";

const fatalSeverities = new Set<unknown>(["PANIC", "FATAL"]);

/** Exits the process as soon as the database has panicked, before the next statement. */
export function exitOnPanic(pglite: PGlite): void {
  const execProtocol = pglite.execProtocol.bind(pglite);
  const execProtocolStream = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocol = async (...given) => execProtocol(...given).catch(exitIfPanicked);
  pglite.execProtocolStream = async (...given) => execProtocolStream(...given).catch(exitIfPanicked);
}

function exitIfPanicked(error: unknown): never {
  if (
    typeof error === "object" &&
    error !== null &&
    "severity" in error &&
    fatalSeverities.has(error.severity)
  ) {
    log.fatal({ err: error }, "the embedded database panicked: the process exits to be restarted");
    process.exit(1);
  }
  throw error;
}
