/**
 * `npm run migrate`, before a new version's processes are started: brings the database up to date, for all of them.
 * Processes of the version before may run meanwhile (docs/decisions/0045-migrations.md).
 */
import { migrateServer } from "#app/platform/database.server.ts";
import { env } from "#app/platform/env.server.ts";
import { MigrationBlockedError } from "#app/platform/migrations.server.ts";

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const url = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
if (url === undefined || url === "memory:") {
  say({ migrated: [], embedded: "is brought up to date by the process that opens it" });
  process.exit(0);
}
try {
  say({ migrated: await migrateServer(url) });
} catch (error) {
  if (!(error instanceof MigrationBlockedError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
// The queue makes its own tables as it starts.
const { stopQueue } = await import("#app/jobs/queue.server.ts");
const { database } = await import("#app/platform/db.server.ts");
await stopQueue();
await database.close();
say({ queue: "ready" });
process.exit(0);
