/**
 * The lease of an order, in the order's row and on the database's clock: one statement takes it and reads what is stored
 * beside the book, another ends it.
 */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { orderColumns, storedOrder, type StoredOrder } from "./stored-order.server.ts";

export const LEASE_MS = 15_000;
const leaseEnd = Prisma.sql`now() + ${LEASE_MS} * interval '1 millisecond'`;

const acquired = z.array(z.object({ order: storedOrder.nullable(), heldUntil: z.coerce.date() })).max(1);

/** Takes the lease where it is free, and reads the order. `order` is null where it is not; null: there is no such order. */
export async function leaseStoredOrder(shop: string, orderId: string, holder: string) {
  const isFree = Prisma.sql`(o."leaseExpiresAt" IS NULL OR o."leaseExpiresAt" < now())`;
  const rows = await db.$queryRaw`
    WITH before AS (
      SELECT "leaseExpiresAt" FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId}
    ), o AS (
      UPDATE "Order" AS o SET
        "leaseHolder" = CASE WHEN ${isFree} THEN ${holder} ELSE o."leaseHolder" END,
        "leaseExpiresAt" = CASE WHEN ${isFree} THEN ${leaseEnd} ELSE o."leaseExpiresAt" END,
        revision = CASE WHEN ${isFree} THEN o.revision ELSE o.revision + 1 END
      WHERE o.shop = ${shop} AND o."orderId" = ${orderId}
      RETURNING o.*
    ), acquired AS (
      SELECT ${orderColumns} FROM o WHERE o."leaseHolder" = ${holder}
    )
    SELECT to_jsonb(acquired) AS "order",
      GREATEST(before."leaseExpiresAt", now()) + interval '1 second' AS "heldUntil"
    FROM before LEFT JOIN acquired ON true`;
  return acquired.parse(rows)[0] ?? null;
}

/** @returns false where the lease is lost */
export async function renewLease(shop: string, orderId: string, holder: string): Promise<boolean> {
  const renewed = await db.$executeRaw`
    UPDATE "Order" SET "leaseExpiresAt" = ${leaseEnd}
    WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leaseHolder" = ${holder} AND "leaseExpiresAt" > now()`;
  return renewed === 1;
}

export interface Released {
  /** false where the order has a newer revision, or the lease was lost: read the order again */
  isCurrent: boolean;
  /** the order waits for its account */
  isWaiting: boolean;
}

const released = z.array(z.object({ revision: z.int(), isHeld: z.boolean(), isWaiting: z.boolean() })).max(1);

/**
 * Ends the lease, in one statement. An order that waits locks its account's pause meanwhile, so the end of the pause
 * finds every order that waits.
 */
export async function releaseLease(
  shop: string,
  { orderId, environment: account, revision }: Pick<StoredOrder, "orderId" | "environment" | "revision">,
  holder: string,
  { dueAt, waits }: { dueAt: Date | null; waits: boolean },
): Promise<Released> {
  const waiting = Prisma.sql`, paused AS (
    SELECT p.environment FROM "AccountPause" AS p WHERE p.shop = ${shop} AND p.environment = ${account}
    FOR KEY SHARE
  ), waiting AS (
    INSERT INTO "WaitingOrder" (shop, "orderId", environment)
    SELECT ${shop}, ${orderId}, environment FROM paused ON CONFLICT DO NOTHING)`;
  const rows = await db.$queryRaw`
    WITH held AS (
      SELECT COALESCE("leaseHolder" = ${holder}, false) AS "isHeld" FROM "Order"
      WHERE shop = ${shop} AND "orderId" = ${orderId} FOR UPDATE
    )${waits ? waiting : Prisma.empty}
    UPDATE "Order" AS o SET
      "leaseHolder" = CASE WHEN held."isHeld" THEN NULL ELSE o."leaseHolder" END,
      "leaseExpiresAt" = CASE WHEN held."isHeld" THEN NULL ELSE o."leaseExpiresAt" END,
      "dueAt" = CASE WHEN held."isHeld" AND o.revision = ${revision} THEN ${dueAt}::timestamptz ELSE o."dueAt" END
    FROM held WHERE o.shop = ${shop} AND o."orderId" = ${orderId}
    RETURNING o.revision, held."isHeld", ${waits ? Prisma.sql`EXISTS (SELECT FROM paused)` : Prisma.sql`false`} AS "isWaiting"`;
  const [row] = released.parse(rows);
  return {
    isCurrent: row?.isHeld === true && row.revision === revision,
    isWaiting: row?.isWaiting === true,
  };
}

export async function endLease(shop: string, orderId: string, holder: string): Promise<void> {
  await db.order.updateMany({
    where: { shop, orderId, leaseHolder: holder },
    data: { leaseHolder: null, leaseExpiresAt: null },
  });
}
