/** Erases the bodies of stored webhooks that are about a customer. */
import { z } from "zod";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { mentionsAddress } from "./mentions-address.ts";
import { openBody } from "./sealed-body.server.ts";

const sealedBodies = z.array(z.object({ id: z.string(), sealedBody: z.string() }));
/** Bodies that are opened at a time. */
const BATCH_SIZE = 100;

/**
 * Erases the bodies of the orders' webhooks, and of all that hold the e-mail address. They are not processed any more:
 * reconciliation fetches what the orders still need.
 * @returns how many bodies
 */
export async function eraseCustomerWebhooks(
  shop: string,
  { email, orderIds }: { email: string | null; orderIds: string[] },
): Promise<number> {
  const ofOrders = await db.$executeRaw`${erasing} WHERE shop = ${shop} AND "sealedBody" <> ''
    AND "orderId" = ANY(${orderIds})`;
  if (email === null) return ofOrders;
  const others = await eraseMentions(shop, email, Prisma.sql`topic <> 'customers/redact'`);
  // The request to erase is the last: if the rest fails, it is processed again.
  return ofOrders + others + (await eraseMentions(shop, email, Prisma.sql`topic = 'customers/redact'`));
}

/**
 * Opens every body that is kept: few are, and an index knows which.
 * @param which a condition on the webhooks
 */
async function eraseMentions(shop: string, email: string, which: Prisma.Sql): Promise<number> {
  const key = await dataKeyOf(shop);
  let erased = 0;
  for (let after = ""; ;) {
    const bodies = sealedBodies.parse(
      await db.$queryRaw`
        SELECT id, "sealedBody" FROM "Webhook"
        WHERE shop = ${shop} AND "sealedBody" <> '' AND ${which} AND id > ${after} ORDER BY id LIMIT ${BATCH_SIZE}`,
    );
    const ids = bodies
      .filter(({ id, sealedBody }) => mentionsAddress(openBody(key, id, sealedBody), email))
      .map(({ id }) => id);
    if (ids.length > 0) erased += await db.$executeRaw`${erasing} WHERE shop = ${shop} AND id = ANY(${ids})`;
    const last = bodies.at(-1);
    if (!last || bodies.length < BATCH_SIZE) return erased;
    after = last.id;
  }
}

const erasing = Prisma.sql`UPDATE "Webhook" SET "sealedBody" = '', error = NULL, state = 'done',
  "doneAt" = COALESCE("doneAt", now())`;
