/** What insures the items of an order and which have a quote, as staff see it on its page in the platform's admin. */
import type { NewCustomer } from "#app/insurance/customer.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { readSellingStop } from "#app/merchants/selling.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { readCatalogueView } from "#app/plans/ledger/catalogue-view.server.ts";
import type { CatalogueView } from "#app/plans/ledger/catalogue-view.ts";
import { insuredCustomerOf, toNewCustomer } from "#app/plans/ledger/customer.ts";
import { isPlanLine } from "#app/plans/ledger/plan-lines.ts";
import { whyUnreadable } from "#app/shopify/errors.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { linkOf } from "./link.server.ts";
import { blocksNewQuote } from "./states.ts";
import { uninsuredItems, unquotedItems } from "./uninsured-items.ts";
import type { UninsuredItem } from "./uninsured-items.ts";

/** Why staff see no order. */
export type UnreadableOrder =
  /** the platform has not approved the app for orders */
  | "no_access"
  /** this shop has no such order, or it is too old for the app */
  | "not_found"
  /** the platform does not answer */
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
  /** the sale is paused, or the service refuses the account */
  | "not_selling"
  /** the customer wants no quotes */
  | "suppressed"
  /** the service needs more of the customer than the order has */
  | "customer_missing";

export interface QuotedLine {
  lineId: string;
  title: string;
  quantity: number;
  /** of its items; `contract` is null until there is one */
  insured: { state: string; contract: string | null }[];
  /** `link` is null where it is not to be used */
  quotes: { state: string; leadId: string | null; link: string | null; until: string | null }[];
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
    log.warn({ err: error, shop, orderId }, "Failed to read the order from the platform");
    return { state };
  }
}

interface Standing {
  problem: QuoteProblem | null;
  environment: Environment;
  customer: NewCustomer | null;
  /** without insurance and without a quote, and of a product with an offer */
  items: UninsuredItem[];
  lines: QuotedLine[];
}

export async function readStanding(shop: string, order: ShopOrder): Promise<Standing> {
  const where = { shop, orderId: order.id };
  const { view, environment } = await readCatalogueView(shop, order);
  const [stored, units, quotes, connection, stop] = await Promise.all([
    db.order.findUnique({ where: { shop_orderId: where }, select: { erasedAt: true, cancelledAt: true } }),
    db.insuredUnit.findMany({
      where: { ...where, state: { not: "cancelled" } },
      orderBy: { unitNumber: "asc" },
    }),
    db.orderLead.findMany({ where, orderBy: { unitNumber: "asc" } }),
    connectionIn(shop, environment),
    readSellingStop(shop, environment),
  ]);
  const today = new Date().toISOString().slice(0, 10);
  const products = order.lines.filter((line) => !isPlanLine(line, view) && line.currentQuantity > 0);
  const insured = units.filter(({ wanted }) => wanted).map(({ insuredLineId }) => insuredLineId);
  const known = quotes.map((quote) => ({ ...quote, blocksNewQuote: blocksNewQuote(quote, today) }));
  const items = unquotedItems(uninsuredItems(products, insured, view), known);
  const customer = toNewCustomer(insuredCustomerOf(order), connection?.phoneNumber !== "optional");
  return {
    problem:
      quoteProblemOf(order, stored) ??
      (order.test === (environment === "test") ? null : "other_account") ??
      (connection ? null : "not_connected") ??
      (stop === null ? null : "not_selling") ??
      (customer ? await suppressionOf(shop, customer) : "customer_missing"),
    ...{ environment, customer, items },
    lines: products.map((line) => ({
      ...{ lineId: line.id, title: line.title, quantity: line.currentQuantity },
      insured: units
        .filter(({ insuredLineId }) => insuredLineId === line.id)
        .map(({ state, contractId }) => ({ state, contract: contractId })),
      quotes: known
        .filter(({ lineId, state }) => lineId === line.id && state !== "withdrawn")
        .map(({ state, leadId, linkId, expiresOn, ...quote }) => ({
          state: state === "open" && !quote.blocksNewQuote ? "expired" : state,
          leadId,
          link: state === "open" && quote.blocksNewQuote ? linkOf(shop, linkId) : null,
          until: expiresOn?.slice(0, 10) ?? null,
        })),
      next: items.find(({ lineId }) => lineId === line.id)?.unitNumber ?? null,
      reason: reasonOf(line, view),
    })),
  };
}

export function quoteProblemOf(
  { cancelledAt, paid }: ShopOrder,
  stored: { erasedAt: Date | null; cancelledAt: Date | null } | null,
): QuoteProblem | null {
  if (cancelledAt !== null || (stored?.cancelledAt ?? null) !== null) return "cancelled";
  if ((stored?.erasedAt ?? null) !== null) return "erased";
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
