/**
 * Run as a process of its own: `node test/migrated-database.ts FOLDER`. Opens an empty embedded database in the folder
 * as the app does, with the tables of the app and of its queue, and leaves it there twice: as a data folder and as a
 * dump. Tests begin from a copy, because making one takes longer than most tests do.
 */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

const [folder = ""] = process.argv.slice(2);
Object.assign(process.env, {
  NODE_ENV: "test",
  LOG_LEVEL: "warn",
  DATA_DIR: folder,
  DATABASE_URL: "",
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "secret",
  SHOPIFY_APP_URL: "http://app.test",
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32).toString("base64")}`,
  INSURANCE_BASE_URL_TEST: "http://insurance.test",
  INSURANCE_BASE_URL_PRODUCTION: "http://insurance.test",
});
const { stopQueue } = await import("#app/jobs/queue.server.ts");
const { database } = await import("#app/platform/db.server.ts");
await stopQueue();
await database.close();

const pglite = await PGlite.create(join(folder, "postgres", "data"));
const dump = await pglite.dumpDataDir("none");
await writeFile(join(folder, "dump.tar"), Buffer.from(await dump.arrayBuffer()));
await pglite.close();
// Names the process that has the folder open.
await rm(join(folder, "postgres", "holder.txt"));
process.exit(0);
