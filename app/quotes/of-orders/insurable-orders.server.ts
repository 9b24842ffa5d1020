/** The orders whose customers can insure something by the link of insure-now.server.ts. */
import { z } from "zod";
import { isInsurable } from "#app/orders/quote-conditions.server.ts";
import { db } from "#app/platform/db.server.ts";

export async function findInsurableOrders(shop: string, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw`
    SELECT o."orderId" FROM "Order" AS o JOIN "Merchant" AS m ON m.shop = o.shop
    WHERE o.shop = ${shop} AND o."orderId" = ANY(${orderIds}) AND ${isInsurable}`;
  return new Set(
    z
      .array(z.object({ orderId: z.string() }))
      .parse(rows)
      .map(({ orderId }) => orderId),
  );
}
