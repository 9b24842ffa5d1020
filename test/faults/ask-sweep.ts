/** Run as a process of its own: asks for a reconciliation of the last hours, as the merchant's button does. */
import { stopQueue } from "#app/jobs/queue.server.ts";
import { startSweep } from "#app/plans/sweeps.server.ts";
import { database } from "#app/platform/db.server.ts";

const HOUR = 3_600_000;
const now = Date.now();
for (const shop of process.argv.slice(2)) {
  await startSweep(shop, "asked", new Date(now - 2 * HOUR), new Date(now + HOUR));
}
await stopQueue();
await database.close();
process.exit(0);
