/** Revokes quotes that are not to be used any more, and notes the contracts that were made from such. */
import { z } from "zod";
import { surplusQuotes } from "#app/orders/quote-conditions.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { OrderQuoteReason } from "./order-quotes.ts";

/** Revokes what is not to be used any more. */
export async function revokeSurplus(shop: string, orderId: string): Promise<void> {
  await db.$executeRaw`
    WITH surplus AS (${surplusQuotes(Prisma.sql`${shop}`, Prisma.sql`${orderId}`)}), revoked AS (
      UPDATE "OrderQuote" AS l SET state = 'revoked', "revokedAt" = now(),
        reason = CASE WHEN surplus.erased THEN 'erased' WHEN surplus.cancelled THEN 'order_cancelled' ELSE 'fewer_pieces' END
      FROM surplus
      WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l."lineId" = surplus."lineId"
        AND l."itemNumber" = surplus."itemNumber" AND l.state IN ('due', 'open')
      RETURNING l.environment, l."quoteId"
    )
    UPDATE "Quote" AS quote SET status = 'revoked' FROM revoked
    WHERE quote.shop = ${shop} AND quote.environment = revoked.environment AND quote."quoteId" = revoked."quoteId"`;
}

/**
 * Revokes the quotes of these orders, or these quotes, whatever their items. Both accounts may have a quote of the
 * same id.
 * @returns their orders
 */
export async function revokeAll(
  tx: Transaction,
  shop: string,
  which: Prisma.OrderQuoteWhereInput,
  reason: OrderQuoteReason,
): Promise<string[]> {
  const revoked = await tx.orderQuote.updateManyAndReturn({
    where: { ...which, shop, state: { in: ["due", "open"] } },
    data: { state: "revoked", revokedAt: new Date(), reason },
    select: { orderId: true, environment: true, quoteId: true },
  });
  for (const [account, quotes] of Map.groupBy(revoked, ({ environment }) => environment)) {
    await tx.quote.updateMany({
      where: { shop, environment: account, quoteId: { in: quotes.flatMap(({ quoteId }) => quoteId ?? []) } },
      data: { status: "revoked" },
    });
  }
  return [...new Set(revoked.map(({ orderId }) => orderId))];
}

const contractIds = z.array(z.object({ contractId: z.string() }));

/** Notes once each sold quote whose order or item is gone. @returns their contracts */
export async function markSurplusContracts(
  tx: Transaction,
  shop: string,
  orderId: string,
): Promise<string[]> {
  const rows = await tx.$queryRaw`
    WITH surplus AS (${surplusQuotes(Prisma.sql`${shop}`, Prisma.sql`${orderId}`)})
    UPDATE "OrderQuote" AS l SET "revokedAt" = now(),
      reason = CASE WHEN surplus.cancelled THEN 'order_cancelled' ELSE 'fewer_pieces' END
    FROM surplus
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l."lineId" = surplus."lineId"
      AND l."itemNumber" = surplus."itemNumber" AND NOT surplus.erased
      AND l.state = 'sold' AND l."soldTitle" IS NOT NULL AND l.reason IS NULL
    RETURNING l."contractId"`;
  return contractIds.parse(rows).map(({ contractId }) => contractId);
}
