/**
 * All that is to be done for the quotes of one order: a step of its reconciler (app/plans/reconciler). Everything is
 * decided from what is stored, so this may be started any number of times, and killed anywhere.
 */
import { toNewCustomer, insuredCustomerOf } from "#app/plans/ledger/customer.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { log } from "#app/platform/log.server.ts";
import { fetchOrderIfAllowed, storeOrderReport } from "#app/plans/order-webhooks.server.ts";
import { isAboutAccount } from "#app/plans/reconciler/account.server.ts";
import { findGap } from "#app/plans/reconciliation/compare-with-shop.server.ts";
import { requestDueLeads } from "./request-leads.server.ts";
import { decideOrderLeads } from "./decide.server.ts";
import { findSales } from "./find-sales.server.ts";
import { publishOrderLeads } from "./publish.server.ts";
import { markLostAsUnknown, withdrawSurplus } from "./rows.server.ts";
import { readOrderLeadContext } from "./order-lead-context.server.ts";
import type { OrderLeadContext } from "./order-lead-context.server.ts";
import { noteSurplusContracts } from "./surplus-contracts.server.ts";
import { triggerQuoteFlow } from "./trigger-flow.server.ts";

/** @throws InsuranceError, AdminUnavailable, NoAccess: not done, try again */
export async function updateQuotes(shop: string, orderId: string): Promise<void> {
  const context = await readOrderLeadContext(shop, orderId);
  if (!context) return;
  if (context.hasQuotes) {
    await markLostAsUnknown(shop, orderId);
    await withdrawAndPublish(shop, orderId, context);
  }
  try {
    if (context.canRequest && (context.isTimeToDecide || context.hasDue))
      await makeDue(shop, orderId, context);
    if (context.hasQuotes) await findSales(shop, orderId);
  } catch (error) {
    // The order stays due: the hourly job starts this again once the account can be used.
    if (!isAboutAccount(error)) throw error;
    log.warn({ err: error, shop, orderId }, "Quotes wait: the service refuses the account");
  }
  await withdrawAndPublish(shop, orderId, context);
  if (context.hasQuotes) await noteSurplusContracts(shop, orderId);
}

/** Writes the quotes that may be used now onto the order, removes the others, and notifies the shop's workflows. */
async function withdrawAndPublish(
  shop: string,
  orderId: string,
  { tellsFlow }: OrderLeadContext,
): Promise<void> {
  await withdrawSurplus(shop, orderId);
  await publishOrderLeads(shop, orderId);
  if (tellsFlow) await triggerQuoteFlow(shop, orderId);
}

/** Decides about an order whose delay has passed, and requests its pending quotes. */
async function makeDue(
  shop: string,
  orderId: string,
  { environment, timezone, isTimeToDecide, delayHours }: OrderLeadContext,
): Promise<void> {
  const connection = await connectionIn(shop, environment);
  if (!connection) return;
  // The app stores nothing of customers who buy without insurance: the platform is queried for the customer now, with
  // all changes since.
  const order = await fetchOrderIfAllowed(shop, orderId, { isBackground: true });
  // What was insured, refunded or cancelled without a webhook is known before a quote is made.
  if (order && (await findGap(shop, order)) === "behind") await storeOrderReport(shop, order, "read");
  const customer = order && toNewCustomer(insuredCustomerOf(order), connection.phoneNumber !== "optional");
  const dataKey = await dataKeyOf(shop);
  if (isTimeToDecide) {
    await decideOrderLeads(shop, orderId, order, { email: customer?.email ?? null, dataKey, delayHours });
  }
  if (!order || !customer) return;
  const purchaseDate = toLocalDay(timezone, order.createdAt);
  await requestDueLeads(shop, orderId, { client: connection.client, dataKey, customer, purchaseDate });
}
