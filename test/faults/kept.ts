/**
 * Checks the app's own database after its processes have ended: no acknowledged event is lost, and nothing is left
 * open.
 */
import pg from "pg";
import { z } from "zod";

/** Reads rows with a statement that has no parameters. */
export type Read = (sql: string) => Promise<unknown[]>;

/** Reads a database of a PostgreSQL server. */
export async function readServer<T>(connectionString: string, work: (read: Read) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return await work(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
  } finally {
    await client.end();
  }
}

/** The jobs that orders create. */
export const orderJobs = "('webhook', 'order', 'account-probe', 'reconciliation')";

const events = z.array(z.object({ webhookId: z.string(), state: z.string() }));
const [jobs, states] = [
  z.array(z.object({ name: z.string(), reason: z.string().nullable(), count: z.coerce.number() })),
  z.array(z.object({ state: z.string(), count: z.coerce.number() })),
];
const contractRows = z.array(z.object({ contractId: z.string().nullable() }));
const tasks = z.array(z.object({ kind: z.string(), webhookId: z.string().nullable() }));
const counted = z
  .array(z.object({ count: z.coerce.number() }))
  .transform((rows) => rows.reduce((sum, { count }) => sum + count, 0));

export interface Promised {
  /** the ids of the webhooks with response 200 */
  acknowledged: ReadonlySet<string>;
  /** the ids of the webhooks without an order: each creates one task, and nothing else does */
  poison: ReadonlySet<string>;
  /** the contracts in force at the insurer */
  inForce: ReadonlySet<string>;
}

/** @returns the failures, as text */
export async function faultsKept(read: Read, { acknowledged, poison, inForce }: Promised): Promise<string[]> {
  const wrong: string[] = [];
  const stored = events.parse(await read(`SELECT "webhookId", state FROM "Webhook"`));
  const stateOf = new Map(stored.map(({ webhookId, state }) => [webhookId, state]));
  const lost = [...acknowledged].filter((webhookId) => !stateOf.has(webhookId)).length;
  if (lost > 0) wrong.push(`${lost} events were acknowledged and not kept`);
  const undone = [...acknowledged].filter(
    (webhookId) => (stateOf.get(webhookId) ?? "done") !== "done",
  ).length;
  if (undone > 0) wrong.push(`${undone} acknowledged events were not processed`);

  // A Flow trigger is sent at most once, so one whose worker is killed is given up.
  const dead = jobs.parse(
    await read(
      `SELECT source_name AS name, min(source_output->>'message') AS reason, count(*) AS count
       FROM pgboss.job WHERE name = 'dead-letter' AND source_name <> 'flow' GROUP BY source_name`,
    ),
  );
  for (const { name, reason, count } of dead)
    wrong.push(`${count} of ${name} were given up: ${reason ?? ""}`);
  const left = counted.parse(
    await read(`SELECT count(*) AS count FROM pgboss.job WHERE state < 'completed' AND name IN ${orderJobs}`),
  );
  if (left > 0) wrong.push(`${left} jobs were left`);
  const open = states.parse(
    await read(
      `SELECT state, count(*) AS count FROM "InsuredItem"
       WHERE state IN ('pending', 'creating', 'unknown', 'cancelling') GROUP BY state`,
    ),
  );
  for (const { state, count } of open) wrong.push(`${count} items are still ${state}`);

  const contracts = contractRows.parse(
    await read(`SELECT "contractId" FROM "InsuredItem"
    WHERE state = 'active' OR (state = 'attention' AND reason = 'manual_cancellation')`),
  );
  const known = new Set(contracts.map(({ contractId }) => contractId));
  const differing = known.symmetricDifference(inForce).size + contracts.length - known.size;
  if (differing > 0) wrong.push(`of ${differing} contracts the app says something else than the insurer`);
  const untold = counted.parse(
    await read(
      `SELECT count(*) AS count FROM "Order" WHERE "paidAt" IS NOT NULL AND "salesRecordStatus" IN ('none', 'refused')`,
    ),
  );
  if (untold > 0) wrong.push(`the insurer did not receive ${untold} paid orders`);
  return [...wrong, ...(await tasksKept(read, acknowledged, poison))];
}

/**
 * These create a task: a poison webhook, the old contract of an exchanged product, and the premium of an order
 * cancelled without a refund. Nothing else does.
 */
async function tasksKept(
  read: Read,
  acknowledged: ReadonlySet<string>,
  poison: ReadonlySet<string>,
): Promise<string[]> {
  const open = tasks.parse(
    await read(`SELECT kind, "webhookId" FROM "Task" AS task
      LEFT JOIN "Webhook" AS event ON event.shop = task.shop AND event.id = details->>'inboxId'
      WHERE "closedAt" IS NULL AND NOT (kind = 'manual_cancellation' AND details->>'replacedBy' IS NOT NULL) AND NOT (kind = 'premium_kept' AND EXISTS (
        SELECT FROM "Order" AS o WHERE o.shop = task.shop AND o."orderId" = task."orderId" AND o."cancelledAt" IS NOT NULL))`),
  );
  const withTask = open.filter(({ kind }) => kind === "unreadable_webhook").map(({ webhookId }) => webhookId);
  const withoutTask = [...poison].filter((each) => acknowledged.has(each) && !withTask.includes(each));
  const needless = open.filter(({ webhookId }) => webhookId === null || !poison.has(webhookId));
  return [
    ...(withoutTask.length > 0 ? [`${withoutTask.length} unreadable webhooks made no task`] : []),
    ...[...Map.groupBy(needless, ({ kind }) => kind)].map(
      ([kind, { length }]) => `${length} tasks were opened for no reason: ${kind}`,
    ),
  ];
}

const bookEvents = z.array(z.object({ type: z.string(), at: z.coerce.date(), data: z.unknown() }));

/** The events of an order's book, for finding the cause of a failure. */
export async function bookOf(read: Read, orderId: string): Promise<string[]> {
  const rows = await read(
    `SELECT type, at, data FROM "OrderEvent" WHERE "orderId" = '${orderId}' ORDER BY id`,
  );
  return bookEvents
    .parse(rows)
    .map(({ type, at, data }) => `${orderId} ${at.toISOString()} ${type}: ${JSON.stringify(data)}`);
}
