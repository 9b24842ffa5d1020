/** Erases and deletes stored webhooks after their retention period. */
import { db, inSmallSteps } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

interface WebhookLimits {
  /** erases bodies of webhooks processed before this time */
  bodyDoneBefore: Date;
  /** also erases bodies of unprocessed webhooks received before this time */
  bodyReceivedBefore: Date;
  /** deletes rows about products processed before this time; Shopify repeats a delivery for four hours */
  productDoneBefore: Date;
  /** deletes rows of all other webhooks processed before this time */
  doneBefore: Date;
}

/**
 * Both limits use `receivedAt`, which has an index and is earlier than the processing. A webhook left to a task is
 * unprocessed. A customer's request stays until it is carried out.
 */
const oldBodies = ({ bodyDoneBefore, bodyReceivedBefore }: WebhookLimits) => Prisma.sql`
  w."sealedBody" <> '' AND w."receivedAt" < ${bodyDoneBefore} AND (
    (w.state = 'done' AND w."doneAt" < ${bodyDoneBefore} AND NOT EXISTS (
      SELECT FROM "Task" AS t WHERE t.shop = w.shop AND t.kind IN ('webhook_failed', 'unreadable_webhook') AND t."closedAt" IS NULL
        AND t.details->>'inboxId' = w.id))
    OR (w."receivedAt" < ${bodyReceivedBefore} AND w.topic NOT LIKE 'customers/%'))`;

const oldProductWebhooks = ({ productDoneBefore: before }: WebhookLimits) => Prisma.sql`
  w.state = 'done' AND w.topic LIKE 'products/%' AND w."receivedAt" < ${before} AND w."doneAt" < ${before}`;

const oldWebhooks = ({ doneBefore: before }: WebhookLimits) => Prisma.sql`
  w.state = 'done' AND w."receivedAt" < ${before} AND w."doneAt" < ${before}`;

/** An SQL condition on `m.shop`: the shop has webhooks to clean up. */
export const hasOldWebhooks = (limits: WebhookLimits) =>
  Prisma.join(
    [oldBodies(limits), oldProductWebhooks(limits), oldWebhooks(limits)].map(
      (old) => Prisma.sql`EXISTS (SELECT FROM "Webhook" AS w WHERE w.shop = m.shop AND ${old})`,
    ),
    " OR ",
  );

/** @returns the number of erased bodies and of deleted rows */
export async function cleanUpWebhooks(
  shop: string,
  limits: WebhookLimits,
  signal?: AbortSignal,
): Promise<{ bodies: number; rows: number }> {
  const bodies = await inSmallSteps(
    (size) => db.$executeRaw`
      UPDATE "Webhook" SET "sealedBody" = '' WHERE shop = ${shop} AND id IN (
        SELECT w.id FROM "Webhook" AS w WHERE w.shop = ${shop} AND ${oldBodies(limits)} LIMIT ${size})`,
    signal,
  );
  let rows = 0;
  for (const old of [oldProductWebhooks(limits), oldWebhooks(limits)]) {
    rows += await inSmallSteps(
      (size) => db.$executeRaw`
        DELETE FROM "Webhook" WHERE shop = ${shop} AND id IN (
          SELECT w.id FROM "Webhook" AS w WHERE w.shop = ${shop} AND ${old} LIMIT ${size})`,
      signal,
    );
  }
  return { bodies, rows };
}
