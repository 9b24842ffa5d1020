/** What a signed-in customer sees of their own orders, beside the cover in their metafield (reconciler/shop-steps.ts). */
import { z } from "zod";
import { isLink } from "#app/catalogue/references/reference.ts";
import { readContractClaims } from "#app/claims/claims.server.ts";
import { findInsurableOrders, insureLink } from "#app/leads/order-leads/insure-now.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { isOfStoreBefore } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { customerDigest } from "#app/plans/ledger/sealed.server.ts";
import { joinCategory } from "#app/plans/ledger/units.server.ts";
import type { AccountContract, AccountOrder } from "../../../extensions/cover/src/account.ts";

/** Orders of one look: a page of the account. */
export const MOST_ORDERS = 50;

const contractRow = z.object({
  orderId: z.string(),
  environment,
  isOfStoreBefore: z.boolean(),
  contractId: z.string(),
  insurerPage: z.string().nullable(),
});
type ContractRow = z.infer<typeof contractRow>;

/** Contracts of one look. A reseller's orders may have more. */
const MOST_CONTRACTS = 500;

async function readContracts(
  shop: string,
  owner: string,
  orderIds: readonly string[],
): Promise<ContractRow[]> {
  const rows = await db.$queryRaw`
    SELECT o."orderId", o.environment, ${isOfStoreBefore} AS "isOfStoreBefore", u."contractId",
      c.marketing->'modal'->>'marketingPageUrl' AS "insurerPage"
    FROM "Order" AS o
    JOIN "InsuredUnit" AS u ON u.shop = o.shop AND u."orderId" = o."orderId" AND u."contractId" IS NOT NULL
    ${joinCategory}
    WHERE o.shop = ${shop} AND o."customerDigest" = ${owner} AND o."orderId" = ANY(${orderIds})
    ORDER BY o."purchasedAt" DESC, o."orderId", u."lineId", u."unitNumber" LIMIT ${MOST_CONTRACTS}`;
  return z.array(contractRow).parse(rows);
}

/** Those of the orders that are the customer's; of others nothing, not even whether there are any. */
export async function readCustomerOrders(
  shop: string,
  customerId: string,
  orderIds: readonly string[],
): Promise<AccountOrder[]> {
  const owner = customerDigest(await dataKeyOf(shop), customerId);
  const contracts = await readContracts(shop, owner, orderIds);
  const claims = new Map<string, AccountContract>();
  for (const [of, rows] of Map.groupBy(contracts, (row) => row.environment)) {
    for (const [contract, known] of await readContractClaims(shop, of, rows))
      claims.set(`${of} ${contract}`, {
        contract,
        claims: known.claims,
        asOf: known.readAt.toISOString(),
        isCurrent: known.isCurrent,
      });
  }
  const byOrder = Map.groupBy(contracts, ({ orderId }) => orderId);
  const insurable = await findInsurableOrders(shop, [...byOrder.keys()]);
  return [...byOrder].map(([orderId, rows]) => ({
    orderId,
    insure: insurable.has(orderId) ? insureLink(shop, orderId, "customer_account") : null,
    insurerPage:
      rows.map(({ insurerPage }) => insurerPage).find((page) => page !== null && isLink(page)) ?? null,
    contracts: rows.flatMap((row) => claims.get(`${row.environment} ${row.contractId}`) ?? []),
  }));
}
