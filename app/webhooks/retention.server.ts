/** How long webhooks and their bodies are kept. */
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { inSmallSteps } from "#app/platform/small-steps.server.ts";

export interface WebhookLimits {
  /** bodies of events that were processed before go */
  bodyDoneBefore: Date;
  /** bodies of those that could not be processed and were received before, too */
  bodyReceivedBefore: Date;
  /** rows about products that were processed before; the platform repeats a delivery for four hours */
  productDoneBefore: Date;
  /** rows of all other events that were processed before */
  doneBefore: Date;
}

/** Events are processed after they were received, which an index knows. A customer's request stays until it was carried out. */
const oldBodies = ({ bodyDoneBefore, bodyReceivedBefore }: WebhookLimits) => Prisma.sql`
  e."sealedBody" <> '' AND e."receivedAt" < ${bodyDoneBefore} AND (
    (e.state = 'done' AND e."doneAt" < ${bodyDoneBefore})
    OR (e."receivedAt" < ${bodyReceivedBefore} AND e.topic NOT LIKE 'customers/%'))`;

const oldProductEvents = ({ productDoneBefore: before }: WebhookLimits) => Prisma.sql`
  e.state = 'done' AND e.topic LIKE 'products/%' AND e."receivedAt" < ${before} AND e."doneAt" < ${before}`;

const oldEvents = ({ doneBefore: before }: WebhookLimits) => Prisma.sql`
  e.state = 'done' AND e."receivedAt" < ${before} AND e."doneAt" < ${before}`;

/** A condition on `m.shop` of another statement: the shop has webhooks to clean up. */
export const hasOldWebhooks = (limits: WebhookLimits) =>
  Prisma.join(
    [oldBodies(limits), oldProductEvents(limits), oldEvents(limits)].map(
      (old) => Prisma.sql`EXISTS (SELECT FROM "InboxEvent" AS e WHERE e.shop = m.shop AND ${old})`,
    ),
    " OR ",
  );

/** @returns how many bodies were erased and rows deleted */
export async function cleanUpWebhooks(
  shop: string,
  limits: WebhookLimits,
  signal?: AbortSignal,
): Promise<{ bodies: number; rows: number }> {
  const bodies = await inSmallSteps(
    (size) => db.$executeRaw`
      UPDATE "InboxEvent" SET "sealedBody" = '' WHERE shop = ${shop} AND id IN (
        SELECT e.id FROM "InboxEvent" AS e WHERE e.shop = ${shop} AND ${oldBodies(limits)} LIMIT ${size})`,
    signal,
  );
  let rows = 0;
  for (const old of [oldProductEvents(limits), oldEvents(limits)]) {
    rows += await inSmallSteps(
      (size) => db.$executeRaw`
        DELETE FROM "InboxEvent" WHERE shop = ${shop} AND id IN (
          SELECT e.id FROM "InboxEvent" AS e WHERE e.shop = ${shop} AND ${old} LIMIT ${size})`,
      signal,
    );
  }
  return { bodies, rows };
}
