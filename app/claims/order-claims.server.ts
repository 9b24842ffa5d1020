/** The claims on an order's contracts, for the shop's staff. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { isSoldByPreviousStore } from "#app/merchants/merchant.server.ts";
import { contractsOfOrder } from "#app/orders/order-contracts.server.ts";
import { db } from "#app/platform/db.server.ts";
import { type KnownClaims, readContractClaims } from "./claims.server.ts";

const contractRows = z.array(
  z.object({ environment, isSoldByPreviousStore: z.boolean(), contractId: z.string() }),
);

/** By contract, also of those that have ended. A contract of which nothing was ever known is missing. */
export async function readOrderClaims(shop: string, orderId: string): Promise<Map<string, KnownClaims>> {
  const rows = await db.$queryRaw`
    SELECT o.environment, ${isSoldByPreviousStore} AS "isSoldByPreviousStore", contract."contractId"
    FROM "Order" AS o CROSS JOIN LATERAL ${contractsOfOrder} AS contract
    WHERE o.shop = ${shop} AND o."orderId" = ${orderId}
    ORDER BY contract."lineId", contract."itemNumber"`;
  const contracts = contractRows.parse(rows);
  const [first] = contracts;
  return first ? readContractClaims(shop, first.environment, contracts) : new Map();
}
