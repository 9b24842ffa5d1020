/** Operations on a stored webhook: find it, mark it as done or failed, leave it to a task, process it again. */
import { z } from "zod";
import { deadLettersOf } from "#app/jobs/queue-tables.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma, type Webhook } from "#app/platform/prisma/client.ts";
import { openBody } from "./sealed-body.server.ts";

export type OpenedWebhook = Omit<Webhook, "sealedBody"> & {
  /** the received text; empty after its erasure */
  body: string;
};

/** Null if the shop's data has been erased in the meantime. */
export async function findWebhook(shop: string, id: string): Promise<OpenedWebhook | null> {
  const row = await db.webhook.findUnique({ where: { shop_id: { shop, id } } });
  if (!row) return null;
  const { sealedBody, ...webhook } = row;
  return { ...webhook, body: sealedBody === "" ? "" : openBody(await dataKeyOf(shop), id, sealedBody) };
}

/** Records that processing failed. */
export async function markWebhookFailed(shop: string, id: string, error: string): Promise<void> {
  const where = { shop, id, state: { not: "done" } };
  await db.webhook.updateMany({ where, data: { state: "failed", error } });
}

/**
 * Records that the webhook has been processed. A body about an order whose customer is stored is kept a while longer, for
 * questions about its contracts. All others are erased, those of fulfilments too.
 * @param ordersWithCustomer a query of the orders (`shop`, `orderId`) whose customer is stored
 */
export async function markWebhookDone(
  shop: string,
  id: string,
  ordersWithCustomer: Prisma.Sql,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Webhook" AS w SET state = 'done', "doneAt" = now(), error = NULL,
      "sealedBody" = CASE
        WHEN topic NOT IN ('orders/fulfilled', 'orders/partially_fulfilled')
          AND EXISTS (SELECT 1 FROM (${ordersWithCustomer}) AS o WHERE o.shop = w.shop AND o."orderId" = w."orderId")
          THEN "sealedBody"
        ELSE '' END
    WHERE shop = ${shop} AND id = ${id}`;
}

/** Records that the webhook waits for a person or an operator to process it again. Its body stays. */
export async function leaveWebhookToTask(tx: Transaction, shop: string, id: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Webhook" SET state = 'done', "doneAt" = now(), error = NULL
    WHERE shop = ${shop} AND id = ${id}`;
}

const failedWebhooks = z.array(
  z.object({
    shop: z.string(),
    id: z.string(),
    topic: z.string(),
    orderId: z.string().nullable(),
    error: z.string().nullable(),
  }),
);

/**
 * Finds the webhooks of dead letters that are not done and have no task.
 * @param topics a regular expression of their topics
 */
export async function findFailedWebhooks(
  topics: RegExp,
  limit: number,
): Promise<z.infer<typeof failedWebhooks>> {
  const rows = await db.$queryRaw`
    SELECT DISTINCT w.shop, w.id, w.topic, w."orderId", w.error
    FROM (${deadLettersOf("webhook")}) AS letter
      JOIN "Webhook" AS w ON w.shop = letter.data->>'shop' AND w.id = letter.data->>'inboxId'
    WHERE w.state <> 'done' AND w.topic ~ ${topics.source} AND NOT EXISTS (
      SELECT FROM "Task" AS t WHERE t.shop = w.shop AND t.kind = 'webhook_failed' AND t.details->>'inboxId' = w.id
        AND t."openedAt" >= letter.created_on)
    LIMIT ${limit}`;
  return failedWebhooks.parse(rows);
}
/** A webhook as the admin lists it; its body is loaded separately. */
export type FailedWebhook = Pick<Webhook, "id" | "topic" | "receivedAt" | "error">;

/** The webhooks about an order that have failed so far. */
export async function listFailedWebhooks(shop: string, orderId: string): Promise<FailedWebhook[]> {
  return db.webhook.findMany({
    where: { shop, orderId, state: "failed" },
    select: { id: true, topic: true, receivedAt: true, error: true },
    orderBy: { receivedAt: "asc" },
    take: 200,
  });
}

/** Processes a webhook again. @returns false if it is gone, or its body has been erased */
export async function reprocessWebhook(shop: string, id: string, tx: Transaction): Promise<boolean> {
  const { count } = await tx.webhook.updateMany({
    where: { shop, id, sealedBody: { not: "" } },
    data: { state: "received", doneAt: null, error: null },
  });
  if (count === 1) await sendJob(tx, "webhook", { shop, inboxId: id });
  return count === 1;
}
