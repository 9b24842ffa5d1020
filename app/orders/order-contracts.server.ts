/** The contracts of orders, sold with their products or made from quotes, as their customers see them. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { isSoldByPreviousStore } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

const customerContract = z.object({
  orderId: z.string(),
  environment,
  isSoldByPreviousStore: z.boolean(),
  contractId: z.string(),
  insurerPage: z.string().nullable(),
});
export type CustomerContract = z.infer<typeof customerContract>;

/**
 * The contracts of the order `o`, for a lateral join: those sold with its products, and those that its customer took
 * from quotes.
 */
export const contractsOfOrder = Prisma.sql`(
  SELECT u."lineId", u."itemNumber", u."contractId", u.state = 'cancelled' AS "isCancelled", u."planTitle",
    u."insuredTitle", u."insuredPriceMinor", u."insuredCurrency", u."expiresOn",
    c.marketing->'modal'->>'marketingPageUrl' AS "insurerPage"
  FROM "InsuredItem" AS u
    LEFT JOIN "Reference" AS r ON r.shop = u.shop AND r.environment = u.environment
      AND r."referenceId" = u."offerReferenceId"
    LEFT JOIN "Category" AS c ON c.shop = r.shop AND c.environment = r.environment
      AND c."categoryId" = r."categoryId"
  WHERE u.shop = o.shop AND u."orderId" = o."orderId" AND u."contractId" IS NOT NULL
  UNION ALL SELECT l."lineId", l."itemNumber", l."contractId", l.reason IS NOT DISTINCT FROM 'contract_cancelled', l."soldTitle",
    l."productTitle", l."priceMinor", l.currency, l."soldUntil",
    c.marketing->'modal'->>'marketingPageUrl'
  FROM "OrderQuote" AS l LEFT JOIN "Category" AS c ON c.shop = l.shop AND c.environment = l.environment
    AND c."categoryId" = l."categoryId"
  WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.environment = o.environment
    AND l."soldTitle" IS NOT NULL)`;

/** Contracts of one look. A reseller's orders may have more. */
const MOST_CONTRACTS = 500;

/** Those of the orders that are of the owner. @param owner digest of the customer */
export async function readCustomerContracts(
  shop: string,
  owner: string,
  orderIds: readonly string[],
): Promise<CustomerContract[]> {
  const rows = await db.$queryRaw`
    SELECT o."orderId", o.environment, ${isSoldByPreviousStore} AS "isSoldByPreviousStore", contract."contractId",
      contract."insurerPage"
    FROM "Order" AS o CROSS JOIN LATERAL ${contractsOfOrder} AS contract
    WHERE o.shop = ${shop} AND o."customerDigest" = ${owner} AND o."orderId" = ANY(${orderIds})
    ORDER BY o."purchasedAt" DESC, o."orderId", contract."lineId", contract."itemNumber" LIMIT ${MOST_CONTRACTS}`;
  return z.array(customerContract).parse(rows);
}
