/**
 * `npm run reseal`, after a new key was put in front of ENCRYPTION_KEYS and every process was started with both: seals
 * all secrets with the new key. When it ends with 0, the old key can go.
 */
import { database } from "#app/platform/db.server.ts";
import { resealSecrets } from "./reseal-secrets.server.ts";

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

say({ resealed: await resealSecrets() });
// A process that still writes with the old key shows here.
const left = await resealSecrets();
await database.close();
const isDone = Object.values(left).every((count) => count === 0);
say(isDone ? { done: true } : { done: false, sealedWithAnOldKeyMeanwhile: left });
process.exit(isDone ? 0 : 1);
