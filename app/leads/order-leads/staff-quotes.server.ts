/**
 * The quotes that staff make from an order's page in the platform's admin, beside what insures its pieces already. They are
 * the order's own, as those that it gets by itself: withdrawn with it, and shown on it where the merchant allows that.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { InsuranceError } from "#app/insurance/errors.ts";
import type { NewCustomer } from "#app/insurance/customer.ts";
import { sendOrderJob } from "#app/jobs/order-jobs.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { callService, connectionIn } from "#app/merchants/insurance-connection.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import type { Seller } from "#app/merchants/seller.ts";
import { withStaffLock } from "#app/merchants/staff-lock.server.ts";
import { db } from "#app/platform/db.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { log } from "#app/platform/log.server.ts";
import { readCatalogueView } from "#app/plans/ledger/catalogue-view.server.ts";
import type { CatalogueView } from "#app/plans/ledger/catalogue-view.ts";
import { insuredCustomerOf, toNewCustomer } from "#app/plans/ledger/customer.ts";
import { isPlanLine } from "#app/plans/ledger/plan-lines.ts";
import { storeOrderReport } from "#app/plans/order-webhooks.server.ts";
import { AccessDenied, ShopError } from "#app/shopify/errors.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { askFor } from "./ask.server.ts";
import type { Answer } from "./ask.server.ts";
import { linkOf } from "./link.server.ts";
import { orderLeadRow } from "./rows.server.ts";
import { scheduleOrderLeads } from "./schedule.server.ts";
import { BY_STAFF, stands } from "./states.ts";
import { uninsuredPieces, unquotedPieces } from "./uninsured-pieces.ts";
import type { UninsuredPiece } from "./uninsured-pieces.ts";

/** Why staff see no order. */
export type UnreadableOrder =
  /** the platform has not approved the app for orders */
  | "no_access"
  /** this shop has no such order, or it is too old for the app */
  | "not_found"
  /** the platform does not answer */
  | "unavailable";

/** Why no piece of an order gets a quote. */
export type QuoteProblem =
  | "cancelled"
  | "not_paid"
  /** its customer's data was erased */
  | "erased"
  /** a test order and the production account, or the other way round */
  | "other_account"
  | "not_connected"
  /** the customer wants no quotes */
  | "suppressed"
  /** the service needs more of the customer than the order has */
  | "customer_missing";

export interface QuotedLine {
  lineId: string;
  title: string;
  quantity: number;
  /** of its pieces; `contract` is null until there is one */
  insured: { state: string; contract: string | null }[];
  /** `link` is null where it is not to be used */
  quotes: { state: string; leadId: string | null; link: string | null; until: string | null }[];
  /** the piece that gets the next quote; null: none does */
  next: number | null;
  /** why none does; null where one does, or all pieces are insured or quoted */
  reason: "no_category" | "no_offer_at_price" | null;
}

export interface OrderQuotesView {
  state: "ready";
  isTest: boolean;
  problem: QuoteProblem | null;
  lines: QuotedLine[];
}

export async function readOrderQuotes(
  merchant: Merchant,
  orderId: string,
): Promise<OrderQuotesView | { state: UnreadableOrder }> {
  const order = await readOrder(merchant.shop, orderId);
  if ("state" in order) return order;
  const { problem, environment, lines } = await readStanding(merchant.shop, order);
  return { state: "ready", isTest: environment === "test", problem, lines };
}

async function readOrder(shop: string, orderId: string): Promise<ShopOrder | { state: UnreadableOrder }> {
  try {
    return (await fetchOrder(shop, orderId)) ?? { state: "not_found" };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    if (!isTimeout && !(error instanceof ShopError)) throw error;
    log.warn({ err: error, shop, orderId }, "an order cannot be read");
    return { state: error instanceof AccessDenied ? "no_access" : "unavailable" };
  }
}

interface Standing {
  problem: QuoteProblem | null;
  environment: Environment;
  customer: NewCustomer | null;
  /** without insurance and without a quote, and of a product with an offer */
  pieces: UninsuredPiece[];
  lines: QuotedLine[];
}

async function readStanding(shop: string, order: ShopOrder): Promise<Standing> {
  const where = { shop, orderId: order.id };
  const { view, environment } = await readCatalogueView(shop, order);
  const [stored, units, quotes, connection] = await Promise.all([
    db.order.findUnique({ where: { shop_orderId: where }, select: { erased: true, cancelledAt: true } }),
    db.insuredUnit.findMany({
      where: { ...where, state: { not: "cancelled" } },
      orderBy: { unitNumber: "asc" },
    }),
    db.orderLead.findMany({ where, orderBy: { unitNumber: "asc" } }),
    connectionIn(shop, environment),
  ]);
  const today = new Date().toISOString().slice(0, 10);
  const products = order.lines.filter((line) => !isPlanLine(line, view) && line.currentQuantity > 0);
  const insured = units.filter(({ wanted }) => wanted).map(({ insuredLineId }) => insuredLineId);
  const known = quotes.map((quote) => ({ ...quote, stands: stands(quote, today) }));
  const pieces = unquotedPieces(uninsuredPieces(products, insured, view), known);
  const customer = toNewCustomer(insuredCustomerOf(order), connection?.phoneNumber !== "optional");
  return {
    problem:
      problemOf(order, stored) ??
      (order.test === (environment === "test") ? null : "other_account") ??
      (connection ? null : "not_connected") ??
      (customer ? await suppressionOf(shop, customer) : "customer_missing"),
    ...{ environment, customer, pieces },
    lines: products.map((line) => ({
      ...{ lineId: line.id, title: line.title, quantity: line.currentQuantity },
      insured: units
        .filter(({ insuredLineId }) => insuredLineId === line.id)
        .map(({ state, contractId }) => ({ state, contract: contractId })),
      quotes: known
        .filter(({ lineId, state }) => lineId === line.id && state !== "withdrawn")
        .map(({ state, leadId, linkId, expiresOn, ...quote }) => ({
          state: state === "open" && !quote.stands ? "expired" : state,
          leadId,
          link: state === "open" && quote.stands ? linkOf(shop, linkId) : null,
          until: expiresOn?.slice(0, 10) ?? null,
        })),
      next: pieces.find(({ lineId }) => lineId === line.id)?.unitNumber ?? null,
      reason: reasonOf(line, view),
    })),
  };
}

function problemOf(
  { cancelledAt, paid }: ShopOrder,
  stored: { erased: boolean; cancelledAt: Date | null } | null,
): QuoteProblem | null {
  if (cancelledAt !== null || (stored?.cancelledAt ?? null) !== null) return "cancelled";
  if (stored?.erased === true) return "erased";
  return paid ? null : "not_paid";
}

async function suppressionOf(shop: string, { email }: NewCustomer): Promise<QuoteProblem | null> {
  const emailDigest = digest(await dataKeyOf(shop), email);
  return (await db.leadSuppression.count({ where: { shop, emailDigest } })) > 0 ? "suppressed" : null;
}

function reasonOf(
  { productId, amounts }: ShopOrder["lines"][number],
  { categories, hasOffer }: CatalogueView,
): QuotedLine["reason"] {
  const category = categories.get(productId ?? "");
  if (category === undefined) return "no_category";
  return amounts.some((price) => hasOffer(category, price)) ? null : "no_offer_at_price";
}

export const quoteWish = z.strictObject({
  /** the product's line of the order */
  lineId: z.string().regex(/^\d{1,20}$/),
  /** the piece, as the view said it: a repetition asks for the same */
  unitNumber: z.int().min(1).max(100_000),
  /** where the platform does not say who the seller is */
  seller: z.string().trim().max(200).nullable().default(null),
});
export type QuoteWish = z.infer<typeof quoteWish>;

export type MakeQuoteResult =
  | { state: "quoted" }
  /** the piece is insured or has a quote, or is gone */
  | { state: "stands" }
  | { state: "refused"; serviceMessage: string | null }
  /** it may have been made, and is never asked for again */
  | { state: "unknown" }
  | { state: "problem"; problem: QuoteProblem }
  /** others are asking */
  | { state: "busy" }
  /** nothing was done, later may be better */
  | { state: "service_unavailable" }
  | { state: UnreadableOrder };

/** Makes the quote of one piece, once: what has one, or may have one, gets no second. */
export async function makeStaffQuote(
  merchant: Merchant,
  orderId: string,
  wish: QuoteWish,
  by: { actor: Actor; seller: Seller },
): Promise<MakeQuoteResult> {
  const { shop } = merchant;
  const result = await withStaffLock(shop, () => makeLocked(merchant, orderId, wish, by));
  // It is written to the order's page, and withdrawn if the order has changed meanwhile.
  if (result?.state === "quoted") await scheduleOrderLeads(shop, orderId);
  return result ?? { state: "busy" };
}

async function makeLocked(
  merchant: Merchant,
  orderId: string,
  { lineId, unitNumber }: QuoteWish,
  by: { actor: Actor; seller: Seller },
): Promise<MakeQuoteResult> {
  const { shop } = merchant;
  const order = await readOrder(shop, orderId);
  if ("state" in order) return order;
  const early = problemOf(order, null);
  if (early !== null) return { state: "problem", problem: early };
  // What was insured, refunded or cancelled since is known before the quote is made.
  await storeOrderReport(shop, order, "read");
  await sendOrderJob("order-issuing", shop, orderId);
  const { problem, environment, customer, pieces } = await readStanding(shop, order);
  if (problem !== null) return { state: "problem", problem };
  const piece = pieces.find((each) => each.lineId === lineId && each.unitNumber === unitNumber);
  if (!piece || !customer) return { state: "stands" };
  const dataKey = await dataKeyOf(shop);
  const { title, ...columns } = piece;
  const row = {
    ...{ shop, orderId, ...columns, productTitle: title, environment, delayHours: BY_STAFF },
    ...{ state: "sending", attempt: 1, sentAt: new Date(), linkId: randomBytes(16).toString("base64url") },
  };
  // The order's own quotes may be decided at this moment.
  const { count } = await db.orderLead.createMany({ data: [row], skipDuplicates: true });
  if (count === 0) return { state: "stands" };
  const purchaseDate = toLocalDay(merchant.timezone, order.createdAt);
  const result = await callService(
    shop,
    async ({ client }): Promise<Answer> => {
      try {
        return await askFor(orderLeadRow.parse(row), { client, dataKey, customer, purchaseDate, by });
      } catch (error) {
        // Nothing was done: it is as if nobody had asked.
        if (error instanceof InsuranceError) {
          await db.orderLead.deleteMany({ where: { shop, orderId, lineId, unitNumber, state: "sending" } });
        }
        throw error;
      }
    },
    environment,
  );
  if (result.state !== "answered") return { state: "service_unavailable" };
  return result.value.state === "open" ? { state: "quoted" } : result.value;
}
