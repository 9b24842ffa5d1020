/** Tasks in the database: opened once per key, closed with an outcome. */
import { randomUUID } from "node:crypto";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { deadlineOf } from "./tasks.ts";
import type { TaskDetails, TaskKind, TaskOutcome } from "./tasks.ts";

export interface NewTask<Kind extends TaskKind> {
  shop: string;
  kind: Kind;
  details: TaskDetails<Kind>;
  orderId?: string;
  lineId?: string;
  unitNumber?: number;
  /** distinguishes tasks of one kind where order, line and unit number do not */
  subjectId?: string;
}

/** Opens a task. One that is open stays as it is; one that was closed is reopened. */
export async function openTask<Kind extends TaskKind>(
  task: NewTask<Kind>,
  tx: Transaction = db,
): Promise<void> {
  await openTasks([task], tx);
}

/**
 * What customers paid for the insurance that the row `task` is about: named in its details, of its item, or of the
 * order's items that wait for the same details.
 */
const atStake = Prisma.sql`
  SELECT COALESCE((task.details->>'premiumMinor')::int, sum(u."premiumMinor")::int, 0) AS "atStakeMinor",
    COALESCE(task.details->>'currency', min(u.currency)) AS currency
  FROM "InsuredUnit" AS u
  WHERE u.shop = task.shop AND u."orderId" = task."orderId" AND CASE
    WHEN task."unitNumber" IS NOT NULL THEN u."lineId" = task."lineId" AND u."unitNumber" = task."unitNumber"
    ELSE task.kind = 'customer_data' AND u.wanted AND u."contractId" IS NULL
      AND COALESCE(u.reason, 'missing_customer_data') = 'missing_customer_data' END`;

/** Opens any number of different tasks in one statement. */
export async function openTasks<Kind extends TaskKind>(
  tasks: NewTask<Kind>[],
  tx: Transaction = db,
): Promise<void> {
  if (tasks.length === 0) return;
  const openedAt = new Date();
  const rows = tasks.map(({ subjectId, ...task }) => ({
    id: randomUUID(),
    dueOn: deadlineOf(task, openedAt),
    key: [task.kind, task.orderId, task.lineId, task.unitNumber, subjectId]
      .filter((part) => part !== undefined)
      .join(":"),
    ...task,
  }));
  await tx.$executeRaw`
    INSERT INTO "Task" (id, shop, key, kind, "orderId", "lineId", "unitNumber", details, "dueOn", "atStakeMinor",
      currency)
    SELECT task.*, stake.*
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS task(id text, shop text, key text, kind text,
      "orderId" text, "lineId" text, "unitNumber" int, details jsonb, "dueOn" text), LATERAL (${atStake}) AS stake
    ON CONFLICT (shop, key) DO UPDATE
    SET "closedAt" = NULL, outcome = NULL, "openedAt" = now(), details = excluded.details, "dueOn" = excluded."dueOn",
      "atStakeMinor" = excluded."atStakeMinor", currency = excluded.currency
    WHERE "Task"."closedAt" IS NOT NULL`;
}

export interface TaskSubject {
  orderId?: string;
  lineId?: string;
  unitNumber?: number;
  /** `customer_data` is closed by `closeCustomerDataTask` alone */
  kind?: Exclude<TaskKind, "customer_data">;
}

/** Closes the open tasks about a subject. */
export async function closeTasks(
  shop: string,
  { kind, ...subject }: TaskSubject,
  outcome: TaskOutcome,
  tx: Transaction = db,
): Promise<void> {
  await tx.task.updateMany({
    where: { shop, closedAt: null, ...subject, kind: kind ?? { not: "customer_data" } },
    data: { closedAt: new Date(), outcome },
  });
}

/** Closes an order's open tasks of one kind about these subjects: nothing is left to do. */
export async function closeTasksBySubject(
  tx: Transaction,
  {
    shop,
    kind,
    orderId,
    subjectIds,
  }: { shop: string; kind: TaskKind; orderId: string; subjectIds: string[] },
): Promise<void> {
  if (subjectIds.length === 0) return;
  const keys = subjectIds.map((subjectId) => [kind, orderId, subjectId].join(":"));
  await tx.task.updateMany({
    where: { shop, key: { in: keys }, closedAt: null },
    data: { closedAt: new Date(), outcome: "obsolete" },
  });
}

/**
 * Closes the order's task about its customer's data, once no unit of the order waits for them. The task is locked first:
 * a unit that begins to wait meanwhile is seen by the second statement, or opens the task again.
 */
export async function closeCustomerDataTask(
  tx: Transaction,
  shop: string,
  orderId: string,
  outcome: TaskOutcome,
): Promise<void> {
  await tx.$executeRaw`
    SELECT FROM "Task" WHERE shop = ${shop} AND key = ${`customer_data:${orderId}`} FOR UPDATE`;
  await tx.$executeRaw`
    UPDATE "Task" SET "closedAt" = now(), outcome = ${outcome}
    WHERE shop = ${shop} AND key = ${`customer_data:${orderId}`} AND "closedAt" IS NULL AND NOT EXISTS (
      SELECT FROM "InsuredUnit" AS u WHERE u.shop = ${shop} AND u."orderId" = ${orderId}
        AND u.state = 'attention' AND u.reason = 'missing_customer_data' AND u.wanted)`;
}

/** Closes what is open about a unit that reached its end. */
export async function closeUnitTasks(
  unit: { shop: string; orderId: string; lineId: string; unitNumber: number },
  tx: Transaction = db,
): Promise<void> {
  const { shop, orderId, lineId, unitNumber } = unit;
  await closeTasks(shop, { orderId, lineId, unitNumber }, "obsolete", tx);
}

/** Closes one task. `unknown`: there is no such task in this shop; `conflict`: it is closed already. */
export async function closeTask(
  shop: string,
  { id, kind }: { id: string; kind: TaskKind },
  outcome: "done" | "dismissed",
  actor: Actor,
): Promise<"done" | "conflict" | "unknown"> {
  return db.$transaction(async (tx) => {
    const closed = await tx.task.updateMany({
      where: { shop, id, closedAt: null },
      data: { closedAt: new Date(), outcome },
    });
    if (closed.count === 0)
      return (await tx.task.count({ where: { shop, id } })) > 0 ? "conflict" : "unknown";
    await recordAudit({ shop, actor, action: "task_closed", subject: id, after: { kind, outcome } }, tx);
    return "done";
  });
}

/** Opens a task again that was closed by mistake. */
export async function reopenTask(
  shop: string,
  { id, kind, outcome }: { id: string; kind: TaskKind; outcome: TaskOutcome | null },
  actor: Actor,
): Promise<"done" | "conflict" | "unknown"> {
  return db.$transaction(async (tx) => {
    const opened = await tx.task.updateMany({
      where: { shop, id, closedAt: { not: null } },
      data: { closedAt: null, outcome: null },
    });
    if (opened.count === 0) return "unknown";
    await recordAudit({ shop, actor, action: "task_reopened", subject: id, before: { kind, outcome } }, tx);
    return "done";
  });
}
