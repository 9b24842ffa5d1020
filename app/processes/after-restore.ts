/**
 * `npm run after-restore`, with all processes stopped, once a backup is restored and before they are started: of orders
 * from before now, the service is asked for plans before any is created. Safe to repeat.
 */
import { database } from "#app/platform/db.server.ts";
import { noteRestore } from "#app/plans/issuing/restore.server.ts";

process.stdout.write(`${JSON.stringify({ restoredAt: await noteRestore() })}\n`);
await database.close();
process.exit(0);
