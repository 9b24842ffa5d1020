/**
 * `npm run -s dead-letters -- list`: the jobs of all shops that used up their retries, for the operator. Prints a JSON
 * object a line.
 */
import { stopQueue } from "#app/jobs/queue.server.ts";
import { database } from "#app/platform/db.server.ts";
import { runDeadLetterCommand, usage } from "./dead-letter-commands.server.ts";

const lines = await runDeadLetterCommand(process.argv.slice(2));
if (lines === null) process.stderr.write(`${usage}\n`);
for (const line of lines ?? []) process.stdout.write(`${JSON.stringify(line)}\n`);
await stopQueue();
await database.close();
process.exit(lines === null ? 1 : 0);
