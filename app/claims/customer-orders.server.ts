/** What a signed-in customer sees of their own orders, beside the cover in their metafield (reconciler/shop-steps.ts). */
import { isLink } from "#app/platform/web-address.ts";
import { insureLink } from "#app/customers/customer-links.server.ts";
import { readContractClaims } from "./claims.server.ts";
import { findInsurableOrders } from "#app/quotes/of-orders/insurable-orders.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { customerDigest } from "#app/orders/sealed.server.ts";
import { readCustomerContracts } from "#app/orders/order-contracts.server.ts";
import type { AccountContract, AccountOrder } from "../../extensions/cover/src/account.ts";

/** Orders of one look: a page of the account. */
export const MOST_ORDERS = 50;

/** Those of the orders that are the customer's; of others nothing, not even whether there are any. */
export async function readCustomerOrders(
  shop: string,
  customerId: string,
  orderIds: readonly string[],
): Promise<AccountOrder[]> {
  const owner = customerDigest(await dataKeyOf(shop), customerId);
  const contracts = await readCustomerContracts(shop, owner, orderIds);
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
