/**
 * All that is to be done for the quotes of one order. Everything is decided from what is stored, so this may be started by
 * anything, any number of times, and killed anywhere.
 */
import { toNewCustomer, insuredCustomerOf } from "#app/plans/ledger/customer.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { log } from "#app/platform/log.server.ts";
import { isAboutAccount } from "#app/plans/issuing/pauses.server.ts";
import { fetchOrderIfAllowed, issueOrQueue, storeOrderReport } from "#app/plans/order-webhooks.server.ts";
import { askForDue } from "./ask.server.ts";
import { decideOrderLeads } from "./decide.server.ts";
import { findSales } from "./find-sales.server.ts";
import { publishOrderLeads } from "./publish.server.ts";
import { giveUpLost, withdrawSurplus } from "./rows.server.ts";
import { readLeadSettings } from "./settings.server.ts";
import { tellFlow } from "./tell-flow.server.ts";

/** @throws InsuranceError, AdminUnavailable, NoAccess: not done, try again */
export async function workOrderLeads(shop: string, orderId: string): Promise<void> {
  await giveUpLost(shop, orderId);
  await withdrawSurplus(shop, orderId);
  await show(shop, orderId);
  try {
    await makeDue(shop, orderId);
    await findSales(shop, orderId);
  } catch (error) {
    // The hourly job starts this again once the account can be used.
    if (!isAboutAccount(error)) throw error;
    log.warn({ err: error, shop, orderId }, "quotes wait: the account cannot be used");
  }
  await withdrawSurplus(shop, orderId);
  await show(shop, orderId);
}

/** What may be used by now stands on the order, and the shop's workflows know of it. */
async function show(shop: string, orderId: string): Promise<void> {
  await publishOrderLeads(shop, orderId);
  await tellFlow(shop, orderId);
}

/** Decides about an order whose time has come, and asks for the quotes that are still to be made. */
async function makeDue(shop: string, orderId: string): Promise<void> {
  const settings = await readLeadSettings(shop);
  const [merchant, stored, due] = await Promise.all([
    db.merchant.findUnique({
      where: { shop },
      select: { timezone: true, uninstalledAt: true, canWriteOrders: true },
    }),
    db.order.findUnique({
      where: { shop_orderId: { shop, orderId } },
      select: { leadsDecidedAt: true, paidAt: true, environment: true },
    }),
    db.orderLead.count({ where: { shop, orderId, state: "due" } }),
  ]);
  const { since, delayHours } = settings;
  if (!merchant || merchant.uninstalledAt !== null || !merchant.canWriteOrders || !stored || since === null)
    return;
  const isTimeToDecide =
    stored.leadsDecidedAt === null &&
    stored.paidAt !== null &&
    stored.paidAt > since &&
    stored.paidAt.getTime() <= Date.now() - delayHours * 3_600_000;
  if (!isTimeToDecide && due === 0) return;
  const connection = await connectionIn(shop, environment.parse(stored.environment));
  const isPaused = (await db.accountPause.count({ where: { shop, environment: stored.environment } })) > 0;
  if (!connection || isPaused) return;

  // Of who buys without insurance nothing is stored: who it is, is asked for now, with all that happened since.
  const order = await fetchOrderIfAllowed(shop, orderId, { isBackground: true });
  if (order) {
    await storeOrderReport(shop, order, "read");
    await issueOrQueue(shop, orderId);
  }
  const customer = order && toNewCustomer(insuredCustomerOf(order), connection.phoneNumber !== "optional");
  const dataKey = await dataKeyOf(shop);
  if (isTimeToDecide) {
    await decideOrderLeads(shop, orderId, order, { email: customer?.email ?? null, dataKey, delayHours });
  }
  if (!order || !customer) return;
  const purchaseDate = toLocalDay(merchant.timezone, order.createdAt);
  await askForDue(shop, orderId, { client: connection.client, dataKey, customer, purchaseDate });
}
