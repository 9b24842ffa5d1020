/**
 * The singletons of a process: its database, queue, metrics and worker. Vite's development server evaluates a changed
 * module again, and a second queue or database would stay open beside the first. So these parts outlive the modules
 * that build them.
 */
import type { PgBoss } from "pg-boss";
import type { DatabaseWatch } from "./database-watch.server.ts";
import type { Database } from "./database.server.ts";
import type { Metrics } from "./metric-definitions.server.ts";

interface ProcessParts {
  database?: Promise<Database>;
  databaseWatch?: DatabaseWatch;
  metrics?: Metrics;
  queue?: Promise<PgBoss> | undefined;
  /** functions that stop the metrics' server and the export of traces */
  operations?: Promise<(() => Promise<void>)[]>;
  worker?: Promise<void>;
}

declare global {
  var parasol: ProcessParts | undefined;
}

export const processParts: ProcessParts = (globalThis.parasol ??= {});
