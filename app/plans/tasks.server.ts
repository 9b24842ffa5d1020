/** Tasks in the database: opened once per key, closed with an outcome. */
import { randomUUID } from "node:crypto";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import type { TaskDetails, TaskKind, TaskOutcome } from "./tasks.ts";

export interface NewTask<Kind extends TaskKind> {
  shop: string;
  kind: Kind;
  details: TaskDetails<Kind>;
  orderId?: string;
  lineId?: string;
  unit?: number;
  /** tells tasks of one kind apart where order, line and unit do not */
  about?: string;
}

/** Opens a task. One that is open already stays as it is; one that was closed is opened again. */
export async function openTask<Kind extends TaskKind>(
  task: NewTask<Kind>,
  transaction: Transaction = db,
): Promise<void> {
  const { shop, kind, orderId = null, lineId = null, unit = null, about } = task;
  const key = [kind, orderId, lineId, unit, about]
    .filter((part) => part !== null && part !== undefined)
    .join(":");
  await transaction.$executeRaw`
    INSERT INTO "Task" (id, shop, key, kind, "orderId", "lineId", unit, details)
    VALUES (${randomUUID()}, ${shop}, ${key}, ${kind}, ${orderId}, ${lineId}, ${unit},
            ${JSON.stringify(task.details)}::jsonb)
    ON CONFLICT (shop, key) DO UPDATE
    SET "closedAt" = NULL, outcome = NULL, "openedAt" = now(), details = excluded.details
    WHERE "Task"."closedAt" IS NOT NULL`;
}

export interface TaskSubject {
  orderId?: string;
  lineId?: string;
  unit?: number;
  kind?: TaskKind;
}

/** Closes the open tasks about something. */
export async function closeTasks(
  shop: string,
  subject: TaskSubject,
  outcome: TaskOutcome,
  transaction: Transaction = db,
): Promise<void> {
  await transaction.task.updateMany({
    where: { shop, closedAt: null, ...subject },
    data: { closedAt: new Date(), outcome },
  });
}

/** A unit reached its end: whatever was asked about it is answered. */
export async function closeUnitTasks(unit: {
  shop: string;
  orderId: string;
  lineId: string;
  unit: number;
}): Promise<void> {
  const { shop, orderId, lineId, unit: piece } = unit;
  await closeTasks(shop, { orderId, lineId, unit: piece }, "gone");
}
