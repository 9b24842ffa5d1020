/**
 * The process's one database connection. Importing this module opens it (and applies pending migrations).
 */
import { openDatabase } from "./database.server.ts";
import type { Database } from "./database.server.ts";
import { env } from "./env.server.ts";

declare global {
  // Vite's development server evaluates a changed module anew; the embedded database can only be opened once.
  var parasolDatabase: Promise<Database> | undefined;
}

export const database = await (globalThis.parasolDatabase ??= openDatabase({
  url: env.DATABASE_URL,
  dataDir: env.DATA_DIR,
}));
export const db = database.prisma;

/** What runs inside `db.$transaction(async (tx) => …)`. */
export type Transaction = Parameters<Parameters<typeof db.$transaction>[0]>[0];
