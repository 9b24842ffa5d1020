/** A quote's form begun from an order of the shop: its customer, its day, and those of its products that can be insured. */
import { findCategorisedVariants } from "#app/catalogue/references/look-up.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { insuredCustomerOf } from "#app/orders/customer.ts";
import { listOrders } from "#app/orders/admin/order-list.server.ts";
import { orderFilter } from "#app/orders/admin/order-forms.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import { readOrNull } from "#app/shopify/graphql.server.ts";
import type { ShopOrder, ShopOrderLine } from "#app/shopify/order.ts";
import type { QuoteField } from "./quote-form.ts";

/** What is offered to begin from. */
export interface OrderChoice {
  orderId: string;
  name: string;
  purchasedAt: Date;
  products: string[];
  /** null: not known, as of orders without insurance */
  email: string | null;
}

export interface OrderDraft {
  orderId: string;
  name: string;
  /** the fields of the form that the order answers */
  values: Partial<Record<QuoteField, string>>;
  /** the order's products that have a category and no insurance */
  products: { variantId: string; title: string }[];
}

/** Enough to find the one that was just sold; others are found by their name or their customer's e-mail. */
const SHOWN = 5;

/** The latest orders, or those that a search finds. */
export async function listOrderChoices(merchant: Merchant, query: string | null): Promise<OrderChoice[]> {
  const filter = orderFilter.parse({ query });
  const { items } = await listOrders(merchant, filter, { after: null, before: null }, SHOWN);
  return items.map(({ orderId, name, purchasedAt, lines, email }) => ({
    orderId,
    name,
    purchasedAt,
    products: lines.map(({ title }) => title),
    email,
  }));
}

/** The order with the lines that still have items. Null: the shop has no such order, or does not give it now. */
export async function readQuotableOrder(shop: string, orderId: string): Promise<ShopOrder | null> {
  const order = await readOrNull(shop, "the order of a quote", () => fetchOrder(shop, orderId));
  return order && { ...order, lines: order.lines.filter(({ currentQuantity }) => currentQuantity > 0) };
}

/**
 * The lines of the order whose items are all insured, also by a quote that has led to a contract or may have. A plan of
 * unclear product may insure any.
 */
export async function findInsuredLines(shop: string, { id, lines }: ShopOrder): Promise<Set<string>> {
  const where = { shop, orderId: id };
  const items = await db.insuredItem.findMany({
    where: { ...where, wanted: true, state: { not: "cancelled" } },
    select: { insuredLineId: true },
  });
  const quotes = await db.orderQuote.findMany({
    where: { ...where, state: { in: ["sending", "unknown", "sold"] } },
    select: { lineId: true },
  });
  const insuring = [
    ...items.map(({ insuredLineId }) => insuredLineId),
    ...quotes.map(({ lineId }) => lineId),
  ];
  const isInsured = (line: ShopOrderLine) =>
    insuring.filter((lineId) => lineId === null || lineId === line.id).length >= line.currentQuantity;
  return new Set(lines.filter(isInsured).map((line) => line.id));
}

/** Null: the shop has no such order, or does not give it now. */
export async function readOrderDraft(merchant: Merchant, orderId: string): Promise<OrderDraft | null> {
  const { shop, timezone } = merchant;
  const order = await readQuotableOrder(shop, orderId);
  if (order === null) return null;
  const { lines } = order;
  const variants = await findCategorisedVariants(
    shop,
    lines.flatMap(({ variantId }) => variantId ?? []),
  );
  const insurable = new Set(
    variants.filter(({ categoryId }) => categoryId !== null).map(({ variantId }) => variantId),
  );
  const insured = await findInsuredLines(shop, order);
  const products = lines.flatMap(({ id, variantId, title }) =>
    variantId !== null && insurable.has(variantId) && !insured.has(id) ? [{ variantId, title }] : [],
  );
  const customer = Object.entries(insuredCustomerOf(order)).filter(([, value]) => value !== null);
  return {
    orderId,
    name: order.name,
    values: {
      ...Object.fromEntries(customer),
      orderId,
      purchaseDate: toLocalDay(timezone, order.createdAt),
      ...(products[0] ? { variantId: products[0].variantId } : {}),
    },
    products: [...new Map(products.map((product) => [product.variantId, product])).values()],
  };
}
