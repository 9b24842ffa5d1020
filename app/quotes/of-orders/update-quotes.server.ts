/**
 * All that is to be done for the quotes of one order: a step of its reconciler (app/issuing). Everything is
 * decided from what is stored, so this may be started any number of times, and killed anywhere.
 */
import { isAboutAccount } from "#app/merchants/account-errors.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { readOrderBook } from "#app/orders/book/book.server.ts";
import { decideAt, quoteSituation, type QuoteTerms } from "#app/orders/book/quote-rules.ts";
import { insuredCustomerOf, toNewCustomer } from "#app/orders/customer.ts";
import { fetchOrderIfAllowed, saveReport } from "#app/orders/save-report.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { log } from "#app/platform/log.server.ts";
import { decideOrderQuotes } from "./decide-quotes.server.ts";
import { findSales } from "./find-sales.server.ts";
import { publishOrderQuotes } from "./publish-quotes.server.ts";
import { type QuoteContext, readQuoteContext } from "./quote-terms.server.ts";
import { requestDueQuotes } from "./request-quotes.server.ts";
import { noteSurplusContracts, settleQuotes } from "./revoke-quotes.server.ts";
import { triggerQuoteFlow } from "./trigger-flow.server.ts";

type Environment = QuoteContext["environment"];

/** @throws InsuranceError, AdminUnavailable, NoAccess: not done, try again */
export async function updateQuotes(shop: string, orderId: string): Promise<void> {
  const context = await readQuoteContext(shop, orderId);
  const { terms } = context ?? { terms: null };
  const book = await readOrderBook(shop, orderId);
  if (!context || terms === null || book === null) return;
  const now = new Date();
  const hasQuotes = quoteSituation(book.order, terms, now).exist;
  const time = decideAt(book.order, terms, now);
  const isTimeToDecide = time !== null && time <= now;
  if (hasQuotes) await settleAndPublish(shop, orderId, terms, context);
  try {
    const hasDue = book.order.quotes.some(({ state }) => state === "due");
    if (context.isSelling && terms.since !== null && (isTimeToDecide || hasDue))
      await makeDue(shop, orderId, context.environment, { ...terms, isTimeToDecide });
    if (hasQuotes) await findSales(shop, orderId);
  } catch (error) {
    // The order stays due: the hourly job starts this again once the account can be used.
    if (!isAboutAccount(error)) throw error;
    log.warn({ err: error, shop, orderId }, "Quotes wait: the insurer refuses the account");
  }
  await settleAndPublish(shop, orderId, terms, context);
  if (hasQuotes) await noteSurplusContracts(shop, orderId, terms.timezone);
}

/** Writes the quotes that may be used now onto the order, removes the others, and notifies the shop's workflows. */
async function settleAndPublish(
  shop: string,
  orderId: string,
  terms: QuoteTerms,
  context: QuoteContext,
): Promise<void> {
  await settleQuotes(shop, orderId, terms);
  if (context.canWriteOrders) await publishOrderQuotes(shop, orderId, terms.timezone);
  await triggerQuoteFlow(shop, orderId, terms.timezone);
}

/** Decides about an order whose delay has passed, and requests its pending quotes. */
async function makeDue(
  shop: string,
  orderId: string,
  environment: Environment,
  { timezone, isTimeToDecide, delayHours }: QuoteTerms & { isTimeToDecide: boolean },
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
  await requestDueQuotes({ shop, orderId, client, dataKey, customer, timezone, purchaseDate });
}
