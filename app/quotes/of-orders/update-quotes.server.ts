/**
 * All that is to be done for the quotes of one order: a step of its reconciler (app/issuing). Everything is
 * decided from what is stored, so this may be started any number of times, and killed anywhere.
 */
import { randomBytes } from "node:crypto";
import { isAboutAccount } from "#app/merchants/account-errors.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { type DataKey, dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { readCatalogueView } from "#app/orders/catalogue-view.server.ts";
import { insuredCustomerOf, toNewCustomer } from "#app/orders/customer.ts";
import { isPlanLine } from "#app/orders/book/sale-check.ts";
import { fetchOrderIfAllowed, saveReport } from "#app/orders/save-report.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { log } from "#app/platform/log.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import {
  insertDecided,
  type OrderQuoteContext,
  readKnown,
  readOrderQuoteContext,
} from "./decide-quotes.server.ts";
import { findSales, noteSurplusContracts } from "./find-sales.server.ts";
import {
  blocksNewQuote,
  quoteRefusalOf,
  type UninsuredItem,
  uninsuredItems,
  unquotedItems,
} from "./order-quotes.ts";
import { publishOrderQuotes } from "./publish-quotes.server.ts";
import { requestDueQuotes } from "./request-quotes.server.ts";
import { dropLate, markLostAsUnknown } from "./quote-requests.server.ts";
import { revokeSurplus } from "./revoke-quotes.server.ts";
import { triggerQuoteFlow } from "./trigger-flow.server.ts";

/** @throws InsuranceError, AdminUnavailable, NoAccess: not done, try again */
export async function updateQuotes(shop: string, orderId: string): Promise<void> {
  const context = await readOrderQuoteContext(shop, orderId);
  if (!context) return;
  if (context.hasQuotes) {
    await markLostAsUnknown(shop, orderId);
    await dropLate(shop, orderId);
    await revokeAndPublish(shop, orderId);
  }
  try {
    if (context.canRequest && (context.isTimeToDecide || context.hasDue))
      await makeDue(shop, orderId, context);
    if (context.hasQuotes) await findSales(shop, orderId);
  } catch (error) {
    // The order stays due: the hourly job starts this again once the account can be used.
    if (!isAboutAccount(error)) throw error;
    log.warn({ err: error, shop, orderId }, "Quotes wait: the insurer refuses the account");
  }
  await revokeAndPublish(shop, orderId);
  if (context.hasQuotes) await noteSurplusContracts(shop, orderId);
}

/** Writes the quotes that may be used now onto the order, removes the others, and notifies the shop's workflows. */
async function revokeAndPublish(shop: string, orderId: string): Promise<void> {
  await revokeSurplus(shop, orderId);
  await publishOrderQuotes(shop, orderId);
  await triggerQuoteFlow(shop, orderId);
}

/** Decides about an order whose delay has passed, and requests its pending quotes. */
async function makeDue(
  shop: string,
  orderId: string,
  { environment, timezone, isTimeToDecide, delayHours }: OrderQuoteContext,
): Promise<void> {
  const connection = await connectionIn(shop, environment);
  if (!connection) return;
  // The app stores nothing of customers who buy without insurance: Shopify is queried for the customer now, with
  // all changes since.
  const order = await fetchOrderIfAllowed(shop, orderId, { isBackground: true });
  // What was insured, refunded or cancelled without a webhook is known before a quote is made.
  if (order) await saveReport(shop, order, "read", { sendsJob: false });
  const customer = order && toNewCustomer(insuredCustomerOf(order), connection.phoneNumber !== "optional");
  const dataKey = await dataKeyOf(shop);
  if (isTimeToDecide) {
    const email = customer?.email ?? null;
    await decideOrderQuotes(shop, orderId, order, { email, dataKey, timezone, delayHours });
  }
  if (!order || !customer) return;
  const purchaseDate = toLocalDay(timezone, order.createdAt);
  const { client } = connection;
  await requestDueQuotes(shop, orderId, { client, dataKey, customer, timezone, purchaseDate });
}

/**
 * @param order as the shop shows it now, and as it is stored by now; null: it shows none
 * @param email where its buyer may be written to; null: what the insurer needs of them is not known
 */
export async function decideOrderQuotes(
  shop: string,
  orderId: string,
  order: ShopOrder | null,
  {
    email,
    dataKey,
    timezone,
    delayHours,
  }: { email: string | null; dataKey: DataKey; timezone: string; delayHours: number },
): Promise<void> {
  const found =
    order && email !== null ? await findItems(shop, order, timezone, digest(dataKey, email)) : null;
  const rows = found?.items.map((item) => ({ ...item, linkId: randomBytes(16).toString("base64url") }));
  await insertDecided(shop, orderId, {
    environment: found?.environment ?? "",
    delayHours,
    items: rows ?? [],
  });
}

async function findItems(
  shop: string,
  order: ShopOrder,
  timezone: string,
  emailDigest: string,
): Promise<{ items: UninsuredItem[]; environment: Environment } | null> {
  const { view, environment } = await readCatalogueView(shop, order);
  // A quote of the test account insures nothing, and a test order has no buyer.
  if (order.test !== (environment === "test")) return null;
  if (quoteRefusalOf(order, view.saleRule, timezone) !== null) return null;
  const known = await readKnown(shop, order.id, environment, emailDigest);
  if (!known?.mayBeQuoted) return null;
  const products = order.lines.filter((line) => !isPlanLine(line, view));
  const items = uninsuredItems(products, known.insured, view);
  const quotes = known.quotes.map((quote) => ({
    ...quote,
    blocksNewQuote: blocksNewQuote(quote, known.today),
  }));
  const left = items.filter(({ variantId }) => !known.quotedByHand.includes(variantId));
  return { items: unquotedItems(left, quotes), environment };
}
