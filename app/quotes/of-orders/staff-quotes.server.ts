/**
 * The quotes that staff make from an order's page in Shopify's admin, beside what insures its items already, and how
 * a quote is made on request, as the customer does (insure-now.server.ts). They
 * belong to the order like its automatic quotes: revoked with it, and shown on it where the merchant allows that.
 */
import { explainStoredOrder } from "#app/orders/admin/explain-order.server.ts";
import type { Explanation } from "#app/orders/book/explain.ts";
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { quoteLink } from "#app/customers/customer-links.server.ts";
import type { NewCustomer } from "#app/insurance/customer.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { callInsurer, connectionIn } from "#app/merchants/insurance-connection.server.ts";
import type { Merchant, Seller } from "#app/merchants/merchant.ts";
import { readSellingStop } from "#app/merchants/selling.server.ts";
import { withStaffLock } from "#app/merchants/staff-request.server.ts";
import { readCatalogueView } from "#app/orders/catalogue-view.server.ts";
import { type CatalogueView, isPlanLine } from "#app/orders/book/sale-check.ts";
import { insuredCustomerOf, toNewCustomer } from "#app/orders/customer.ts";
import { appendToOrder, readOrderBook } from "#app/orders/book/book.server.ts";
import { itemRows } from "#app/orders/book/projection.ts";
import { ON_REQUEST } from "#app/orders/book/quotes.ts";
import { saveReport } from "#app/orders/save-report.server.ts";
import { makeOrderDue, sendOrderJob } from "#app/orders/schedule.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { whyUnreadable } from "#app/shopify/errors.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import type { Touchpoint } from "#app/shopify/touchpoints.ts";
import { SENDING_MS } from "#app/quotes/quotes.ts";
import {
  blocksNewQuote,
  quoteRefusalOf,
  type UninsuredItem,
  uninsuredItems,
  unquotedItems,
} from "./order-quotes.ts";
import { requestQuote } from "./request-quotes.server.ts";
import { findQuote, planQuote } from "./quote-requests.server.ts";
import { readQuoteTimezone } from "./quote-terms.server.ts";
import { isSuppressed } from "./suppression.server.ts";

export interface OrderQuotesView {
  state: "ready";
  isTest: boolean;
  problem: QuoteProblem | null;
  lines: QuotedLine[];
  /** why plans of the order have no contract in force */
  why: Pick<Explanation, "why" | "plan" | "until">[];
}

export async function readOrderQuotes(
  merchant: Merchant,
  orderId: string,
): Promise<OrderQuotesView | { state: UnreadableOrder }> {
  const order = await readOrder(merchant.shop, orderId);
  if ("state" in order) return order;
  const { problem, environment, lines } = await readStanding(merchant.shop, order);
  const why = (await explainStoredOrder(merchant.shop, orderId)) ?? [];
  return {
    state: "ready",
    isTest: environment === "test",
    problem,
    lines,
    why: why
      .filter((each) => each.why !== "in_force" && each.why !== "no_plan")
      .map(({ why: reason, plan, until }) => ({ why: reason, plan, until })),
  };
}

export const quoteRequest = z.strictObject({
  /** the product's line of the order */
  lineId: z.string().regex(/^\d{1,20}$/),
  /** the item, as the view named it: a repetition requests the same */
  itemNumber: z.int().min(1).max(100_000),
  /** where Shopify does not say who the seller is */
  seller: z.string().trim().max(200).nullable().default(null),
});
export type QuoteRequest = z.infer<typeof quoteRequest>;

export type MakeQuoteResult =
  | { state: "quoted" }
  /** the item is insured or has a quote, or is gone */
  | { state: "stands" }
  | { state: "refused"; insurerMessage: string | null }
  /** it may have been made, and is never requested again */
  | { state: "unknown" }
  | { state: "problem"; problem: QuoteProblem }
  /** another request is in flight */
  | { state: "busy" }
  /** nothing was done, later may be better */
  | { state: "insurer_unavailable" }
  | { state: UnreadableOrder };

/** As staff request it: one at a time in a shop. */
export async function makeStaffQuote(
  merchant: Merchant,
  orderId: string,
  quoteRequest: QuoteRequest,
  by: { actor: Actor; seller: Seller },
): Promise<MakeQuoteResult> {
  const item = { ...quoteRequest, categoryId: null };
  const result = await withStaffLock(merchant.shop, () =>
    makeQuote(merchant, orderId, item, { ...by, touchpoint: null }),
  );
  return result ?? { state: "busy" };
}

interface QuotedItem {
  lineId: string;
  itemNumber: number;
  /** the chosen formula; null: the product's first */
  categoryId: string | null;
}

interface QuoteOrigin {
  actor: Actor;
  seller: Seller | null;
  /** where the customer requested it; null: staff did */
  touchpoint: Touchpoint | null;
}

/**
 * Makes the quote of one item, once: an item that has a quote, or may have one, gets no second, however many request it
 * at the same time.
 */
export async function makeQuote(
  merchant: Merchant,
  orderId: string,
  quotedItem: QuotedItem,
  origin: QuoteOrigin,
): Promise<MakeQuoteResult> {
  const result = await makeOnce(merchant, orderId, quotedItem, origin);
  // It is written to the order's page, and revoked if the order has changed meanwhile.
  if (result.state === "quoted") await sendOrderJob(db, merchant.shop, orderId);
  return result;
}

async function makeOnce(
  merchant: Merchant,
  orderId: string,
  { lineId, itemNumber, categoryId }: QuotedItem,
  { touchpoint, ...by }: QuoteOrigin,
): Promise<MakeQuoteResult> {
  const { shop } = merchant;
  const order = await readOrder(shop, orderId);
  if ("state" in order) return order;
  const early = quoteProblemOf(order, null);
  if (early !== null) return { state: "problem", problem: early };
  // What was insured, refunded or cancelled since is known before the quote is made.
  await saveReport(shop, order, "read", { sendsJob: false });
  await sendOrderJob(db, shop, orderId);
  const { problem, environment, customer, unquoted } = await readStanding(shop, order);
  if (problem !== null && !(problem === "suppressed" && touchpoint !== null))
    return { state: "problem", problem };
  const item = unquoted.find((each) => each.lineId === lineId && each.itemNumber === itemNumber);
  if (!item || !customer) return { state: "stands" };
  const dataKey = await dataKeyOf(shop);
  const planned = planQuote(categoryId === null ? item : { ...item, categoryId }, {
    environment,
    delayHours: ON_REQUEST,
    touchpoint,
  });
  // The order's own quotes may be decided at this moment.
  const saveIntent = async () => {
    const { quote } = planned;
    const appended = await appendToOrder(
      shop,
      orderId,
      ({ order: known }) =>
        findQuote(known, quote) ? null : [planned, { type: "quote_asked", quote, attempt: 1 }],
      { sendsJob: false },
    );
    if (appended === null) return null;
    // Should this process end before the answer, the reconciler finds the request lost.
    await makeOrderDue(shop, orderId, new Date(Date.now() + 2 * SENDING_MS));
    return findQuote(appended.order, quote) ?? null;
  };
  const { timezone } = merchant;
  const purchaseDate = toLocalDay(timezone, order.createdAt);
  const result = await callInsurer(
    shop,
    ({ client }) =>
      requestQuote({ shop, orderId, client, dataKey, customer, timezone, purchaseDate, by }, saveIntent),
    environment,
  );
  if (result.state !== "answered") return { state: "insurer_unavailable" };
  if (result.value === null) return { state: "stands" };
  return result.value.state === "open" ? { state: "quoted" } : result.value;
}

/** Why staff see no order. */
export type UnreadableOrder =
  /** Shopify has not approved the app for orders */
  | "no_access"
  /** this shop has no such order, or it is too old for the app */
  | "not_found"
  /** Shopify does not answer */
  | "unavailable";

/** Why no item of an order gets a quote. */
export type QuoteProblem =
  | "cancelled"
  | "not_paid"
  /** its customer's data was erased */
  | "erased"
  /** a test order and the production account, or the other way round */
  | "other_account"
  | "not_connected"
  /** the sale is paused, or the insurer refuses the account */
  | "not_selling"
  /** the customer wants no quotes */
  | "suppressed"
  /** the insurer needs more of the customer than the order has */
  | "customer_missing"
  /** the rule of sale refuses the order */
  | "other_country"
  | "company"
  | "too_old";

export interface QuotedLine {
  lineId: string;
  title: string;
  quantity: number;
  /** of its items; `contract` is null until there is one */
  insured: {
    state: string;
    contract: string | null;
    /** the last insured day, `YYYY-MM-DD`; null until there is a contract */
    until: string | null;
    /** by the customer, minor units */
    paid: { minor: number; currency: string };
  }[];
  /** `link` is null where it is not to be used */
  quotes: { state: string; quoteId: string | null; link: string | null; until: string | null }[];
  /** the item that gets the next quote; null: none does */
  next: number | null;
  /** why none does; null where one does, or all items are insured or quoted */
  reason: "no_category" | "no_offer_at_price" | null;
}

export async function readOrder(
  shop: string,
  orderId: string,
): Promise<ShopOrder | { state: UnreadableOrder }> {
  try {
    return (await fetchOrder(shop, orderId)) ?? { state: "not_found" };
  } catch (error) {
    const state = whyUnreadable(error);
    log.warn({ err: error, shop, orderId }, "Failed to read the order from Shopify");
    return { state };
  }
}

interface Standing {
  problem: QuoteProblem | null;
  environment: Environment;
  customer: NewCustomer | null;
  /** without insurance and without a quote, and of a product with an offer */
  unquoted: UninsuredItem[];
  lines: QuotedLine[];
}

export async function readStanding(shop: string, order: ShopOrder): Promise<Standing> {
  const { view, environment } = await readCatalogueView(shop, order);
  const [book, connection, stop, timezone] = await Promise.all([
    readOrderBook(shop, order.id),
    connectionIn(shop, environment),
    readSellingStop(shop, environment),
    readQuoteTimezone(shop),
  ]);
  const today = toLocalDay(timezone, new Date());
  const items = book === null ? [] : itemRows(book.order).filter(({ state }) => state !== "cancelled");
  const products = order.lines.filter((line) => !isPlanLine(line, view) && line.currentQuantity > 0);
  const insured = items.filter(({ wanted }) => wanted).map(({ insuredLineId }) => insuredLineId);
  const known = (book?.order.quotes ?? []).map((quote) => ({
    ...quote,
    blocksNewQuote: blocksNewQuote(quote, today),
  }));
  const unquoted = unquotedItems(uninsuredItems(products, insured, view), known);
  const customer = toNewCustomer(insuredCustomerOf(order), connection?.phoneNumber !== "optional");
  return {
    problem:
      quoteProblemOf(order, book?.order ?? null) ??
      quoteRefusalOf(order, view.saleRule, timezone) ??
      (order.test === (environment === "test") ? null : "other_account") ??
      (connection ? null : "not_connected") ??
      (stop === null ? null : "not_selling") ??
      (customer ? await suppressionOf(shop, customer) : "customer_missing"),
    environment,
    customer,
    unquoted,
    lines: products.map((line) => ({
      lineId: line.id,
      title: line.title,
      quantity: line.currentQuantity,
      insured: items
        .filter(({ insuredLineId }) => insuredLineId === line.id)
        .map(({ state, contractId, expiresOn, premiumMinor, currency }) => ({
          state,
          contract: contractId,
          until: expiresOn,
          paid: { minor: premiumMinor, currency },
        })),
      quotes: known
        .filter(({ lineId, state }) => lineId === line.id && state !== "revoked")
        .map(({ state, quoteId, planned, expiresOn, ...quote }) => ({
          state: state === "open" && !quote.blocksNewQuote ? "expired" : state,
          quoteId,
          link: state === "open" && quote.blocksNewQuote ? quoteLink(shop, planned.linkId) : null,
          until: expiresOn,
        })),
      next: unquoted.find(({ lineId }) => lineId === line.id)?.itemNumber ?? null,
      reason: reasonOf(line, view),
    })),
  };
}

export function quoteProblemOf(
  { cancelledAt, paid }: ShopOrder,
  stored: { erasedAt: Date | null; cancelledAt: Date | null } | null,
): "cancelled" | "erased" | "not_paid" | null {
  if (cancelledAt !== null || (stored?.cancelledAt ?? null) !== null) return "cancelled";
  if ((stored?.erasedAt ?? null) !== null) return "erased";
  return paid ? null : "not_paid";
}

async function suppressionOf(shop: string, { email }: NewCustomer): Promise<QuoteProblem | null> {
  return (await isSuppressed(shop, email)) ? "suppressed" : null;
}

function reasonOf(
  { productId, amounts }: ShopOrder["lines"][number],
  { categories, hasOffer }: CatalogueView,
): QuotedLine["reason"] {
  const own = categories.get(productId ?? "");
  if (own === undefined) return "no_category";
  return own.some((category) => amounts.some((price) => hasOffer(category, price)))
    ? null
    : "no_offer_at_price";
}
