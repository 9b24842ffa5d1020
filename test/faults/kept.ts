/** What the app's own database says once its processes have ended: nothing acknowledged lost, nothing left open. */
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { z } from "zod";

/** Reads rows with a statement that has no parameters. */
export type Read = (sql: string) => Promise<unknown[]>;

/** Asks a PostgreSQL server. */
export async function readServer<T>(connectionString: string, work: (read: Read) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
  } finally {
    await client.end();
  }
}

/** Asks the embedded database of a data folder that no process has open any more. */
export async function readFolder<T>(folder: string, work: (read: Read) => Promise<T>): Promise<T> {
  const pglite = await PGlite.create(join(folder, "postgres", "data"));
  try {
    return await work(async (sql) => (await pglite.query<Record<string, unknown>>(sql)).rows);
  } finally {
    await pglite.close();
  }
}

/** The jobs that orders lead to. */
export const orderJobs = "('platform-event', 'order-work', 'order-sweep')";

const events = z.array(z.object({ eventId: z.string(), state: z.string() }));
const [jobs, states] = [
  z.array(z.object({ name: z.string(), reason: z.string().nullable(), count: z.coerce.number() })),
  z.array(z.object({ state: z.string(), count: z.coerce.number() })),
];
const counted = z.tuple([z.object({ count: z.coerce.number() })]);

export interface Promised {
  /** the events whose delivery was answered 200 */
  acknowledged: Set<string>;
  /** how many of them were no JSON: each is a task for a person, and nothing else */
  poison: number;
}

/** @returns what is wrong, in words */
export async function faultsKept(read: Read, { acknowledged, poison }: Promised): Promise<string[]> {
  const wrong: string[] = [];
  const stored = events.parse(await read(`SELECT "eventId", state FROM "InboxEvent"`));
  const stateOf = new Map(stored.map(({ eventId, state }) => [eventId, state]));
  const lost = [...acknowledged].filter((eventId) => !stateOf.has(eventId)).length;
  if (lost > 0) wrong.push(`${lost} events were acknowledged and not kept`);
  const undone = [...acknowledged].filter((eventId) => (stateOf.get(eventId) ?? "done") !== "done").length;
  if (undone > 0) wrong.push(`${undone} acknowledged events were not worked off`);

  const dead = jobs.parse(
    await read(
      `SELECT source_name AS name, min(source_output->>'message') AS reason, count(*) AS count
       FROM pgboss.job WHERE name = 'dead-letter' GROUP BY source_name`,
    ),
  );
  for (const { name, reason, count } of dead)
    wrong.push(`${count} of ${name} were given up: ${reason ?? ""}`);
  const [{ count: left }] = counted.parse(
    await read(`SELECT count(*) AS count FROM pgboss.job WHERE state < 'completed' AND name IN ${orderJobs}`),
  );
  if (left > 0) wrong.push(`${left} jobs were left`);
  const open = states.parse(
    await read(
      `SELECT state, count(*) AS count FROM "InsuredUnit"
       WHERE state IN ('pending', 'creating', 'unknown', 'cancelling') GROUP BY state`,
    ),
  );
  for (const { state, count } of open) wrong.push(`${count} units are still ${state}`);

  const [{ count: unreadable }] = counted.parse(
    await read(`SELECT count(*) AS count FROM "Task" WHERE kind = 'unreadable_event'`),
  );
  if (unreadable !== poison) wrong.push(`${poison} unreadable events made ${unreadable} tasks`);
  return wrong;
}

const steps = z.array(
  z.object({
    unit: z.int(),
    at: z.coerce.date(),
    cause: z.string(),
    after: z.string(),
    note: z.string().nullable(),
  }),
);

/** What the ledger says of an order's units, step by step; to see how something went wrong. */
export async function historyOf(read: Read, orderId: string): Promise<string[]> {
  const rows = await read(
    `SELECT unit, at, cause, after, note FROM "UnitHistory" WHERE "orderId" = '${orderId}' ORDER BY at`,
  );
  return steps
    .parse(rows)
    .map(
      ({ unit, at, cause, after, note }) =>
        `${orderId}/${unit} ${at.toISOString()} ${cause}: ${after} ${note ?? ""}`,
    );
}
