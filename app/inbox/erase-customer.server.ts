/** Erases the bodies of stored webhooks about a customer. */
import { z } from "zod";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { mentionsAddress } from "./mentions-address.ts";
import { openBody } from "./sealed-body.server.ts";

const sealedBodies = z.array(z.object({ id: z.string(), sealedBody: z.string() }));
/** Bodies to open in one batch. */
const BATCH_SIZE = 100;

/**
 * Erases the bodies of the orders' webhooks, and of all that contain the e-mail address. They are no longer
 * processed: reconciliation fetches what the orders still need.
 * @returns the number of bodies
 */
export async function eraseCustomerWebhooks(
  shop: string,
  { email, orderIds }: { email: string | null; orderIds: string[] },
): Promise<number> {
  const ofOrders = await db.$executeRaw`${erasing} WHERE shop = ${shop} AND "sealedBody" <> ''
    AND "orderId" = ANY(${orderIds})`;
  if (email === null) return ofOrders;
  const others = await eraseMentions(shop, email, Prisma.sql`topic <> 'customers/redact'`);
  // The redact request itself is last: if an earlier step fails, the queue processes it again.
  return ofOrders + others + (await eraseMentions(shop, email, Prisma.sql`topic = 'customers/redact'`));
}

/**
 * Opens every stored body. There are few, and an index finds them.
 * @param which an SQL condition on the webhooks
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
