/**
 * What happens to orders: paid, cancelled, refunded, edited. Changes the state and notifies the listeners (webhooks).
 */
import { randomBytes } from "node:crypto";
import { Decimal } from "decimal.js";
import { emitShopEvent } from "./events.ts";
import { nextId } from "./ids.ts";
import { findVariant } from "./products.ts";
import { allocateDiscounts, manualDiscount } from "./discounts.ts";
import { convertMoney } from "./money.ts";
import { fulfilledQuantity, orderTotal, received, refunded, subtotal } from "./order-sums.ts";
import type {
  Address,
  Allocation,
  Discount,
  Order,
  OrderEdit,
  OrderLine,
  Presentment,
  Product,
  Refund,
  RefundTransaction,
  ShopState,
  Variant,
} from "./state.ts";
import { taxOn } from "./taxes.ts";

export interface NewOrder {
  lines: NewOrderLine[];
  email?: string | null;
  /** The buyer agreed to marketing e-mails; false where missing. */
  acceptsMarketing?: boolean;
  phone?: string | null;
  /** Missing: made from the addresses and the e-mail. Null: an order without a customer (point of sale, say). */
  customer?: {
    email: string | null;
    first_name: string | null;
    last_name: string | null;
    phone: string | null;
  } | null;
  billingAddress?: Address | null;
  shippingAddress?: Address | null;
  noteAttributes?: { name: string; value: string }[];
  tags?: string[];
  gateway?: string;
  sourceName?: string;
  locale?: string;
  /** minor units */
  shippingPrice?: number;
  presentment?: Presentment | null;
  /** what is taken off, spread over the lines as Shopify does */
  discounts?: Discount[];
  /** minor units */
  tip?: number;
  /** paid with a gift card, minor units; the rest by `gateway` */
  giftCard?: number;
  /** ISO 8601; now where missing */
  createdAt?: string;
  /** bought for a company (B2B) */
  company?: { id: string } | null;
}

export interface NewOrderLine {
  variantId: string;
  quantity: number;
  properties?: { name: string; value: string }[];
  /** what staff take off the whole line, minor units, one per discount */
  discounts?: number[];
  /** unit price; the variant's where missing */
  price?: number;
  /** The cart line it comes from, and the cart line that one is nested under. */
  cartLineId?: string;
  parentCartLineId?: string | null;
  sellingPlan?: { id: string; name: string } | null;
}

/** What an action on an order can be refused for. */
export class OrderRefused extends Error {
  override name = "OrderRefused";
}

/** A checkout that was paid: order, orders/create, products/update of what was bought, orders/paid. Throws OrderRefused when a variant is unknown or sold out. */
export function createPaidOrder(state: ShopState, input: NewOrder): Order {
  const order = createOrder(state, input);
  payOrder(state, order.id);
  return order;
}

/** An order whose payment is still to come (bank transfer, say). */
export function createOrder(state: ShopState, input: NewOrder): Order {
  if (input.lines.length === 0) throw new OrderRefused("an order needs a line");
  const now = input.createdAt ?? new Date().toISOString();
  const email = input.email ?? null;
  const phone = input.phone ?? null;
  const who = input.billingAddress ?? input.shippingAddress ?? null;
  const customer =
    input.customer === undefined
      ? { email, first_name: who?.first_name ?? null, last_name: who?.last_name ?? null, phone }
      : input.customer;
  const lineIds = input.lines.map(() => nextId(state, "line"));
  const bought = input.lines.map((line) => ({ line, ...inStock(state, line) }));
  const order: Order = {
    id: nextId(state, "order"),
    name: `#${1001 + state.orders.size}`,
    checkoutToken: (input.sourceName ?? "web") === "web" ? randomBytes(16).toString("hex") : null,
    createdAt: now,
    updatedAt: now,
    processedAt: now,
    cancelledAt: null,
    cancelReason: null,
    financialStatus: "pending",
    currency: state.currency,
    email,
    acceptsMarketing: input.acceptsMarketing ?? false,
    phone,
    locale: input.locale ?? state.locale,
    customer: customer === null ? null : { id: customerId(state, customer.email), ...customer },
    billingAddress: input.billingAddress ?? null,
    shippingAddress: input.shippingAddress ?? null,
    company: input.company ?? null,
    gateway: input.gateway ?? "bogus",
    sourceName: input.sourceName ?? "web",
    noteAttributes: input.noteAttributes ?? [],
    tags: input.tags ?? [],
    shippingPrice: input.shippingPrice ?? 0,
    presentment: input.presentment ?? null,
    discountApplications: [],
    shippingDiscounts: [],
    taxesIncluded: state.taxesIncluded,
    tip: input.tip ?? 0,
    payments: [],
    fulfilments: [],
    onHold: false,
    refunds: [],
    edits: [],
    lines: bought.map(({ line, product, variant }, index) => {
      const parent = line.parentCartLineId ?? null;
      const parentIndex =
        parent === null ? -1 : input.lines.findIndex((other) => other.cartLineId === parent);
      return newLine(
        lineIds[index] ?? nextId(state, "line"),
        product,
        variant,
        line,
        lineIds[parentIndex] ?? null,
        { from: state.currency, to: input.presentment ?? null },
      );
    }),
  };
  const discounted = allocateDiscounts(
    order.lines.map(({ productId, quantity, price }, index) => ({
      productId,
      quantity,
      price,
      manual: input.lines[index]?.discounts ?? [],
    })),
    order.shippingPrice,
    input.discounts ?? [],
  );
  order.discountApplications = discounted.applications;
  order.shippingDiscounts = discounted.shipping;
  order.lines.forEach((line, index) => (line.discounts = discounted.lines[index] ?? []));
  if (input.giftCard !== undefined) order.payments.push({ gateway: "gift_card", amount: input.giftCard });
  for (const { line, variant } of bought) if (variant.tracked) variant.inventoryQuantity -= line.quantity;
  state.orders.set(order.id, order);
  emitShopEvent(state, { topic: "orders/create", order });
  // A product that was ordered is one that changed.
  for (const product of new Set(bought.map(({ product: each }) => each)))
    emitShopEvent(state, { topic: "products/update", product, isOrdered: true });
  return order;
}

/**
 * A payment arrived. The order is paid, and `orders/paid` comes, once all of it is.
 * @param amount minor units; all that is left to pay where missing
 */
export function payOrder(state: ShopState, orderId: string, amount?: number): Order {
  const order = findOrder(state, orderId);
  if (order.financialStatus !== "pending" && order.financialStatus !== "partially_paid")
    throw new OrderRefused(`${order.name} is ${order.financialStatus}`);
  touch(order);
  const owed = Math.max(0, orderTotal(order) - received(order));
  const paid = Math.min(owed, amount ?? owed);
  if (paid > 0) order.payments.push({ gateway: order.gateway, amount: paid });
  order.financialStatus = paid === owed ? "paid" : "partially_paid";
  emitShopEvent(state, { topic: paid === owed ? "orders/paid" : "orders/updated", order });
  return order;
}

/**
 * Cancels the whole order, as its customer wants. With a refund, refunds/create goes before orders/cancelled. "Fulfilled
 * and partially-fulfilled orders can no longer be canceled" (shopify.dev/changelog, 1 March 2018). The schema of 2026-10
 * says of `orderCancel` "no outstanding fulfillments that can't be cancelled", and a post reports that it accepts
 * fulfilled orders (community.shopify.com, thread 305560): the stand-in takes the stricter reading.
 */
export function cancelOrder(
  state: ShopState,
  orderId: string,
  { refund = true }: { refund?: boolean } = {},
): Order {
  const order = findOrder(state, orderId);
  if (order.cancelledAt !== null) throw new OrderRefused(`${order.name} is cancelled already`);
  if (order.fulfilments.length > 0) throw new OrderRefused(`${order.name} is fulfilled in part or whole`);
  touch(order);
  order.cancelledAt = order.updatedAt;
  order.cancelReason = "customer";
  if (order.financialStatus === "pending") order.financialStatus = "voided";
  else if (refund && order.financialStatus !== "refunded") {
    refundOrder(state, orderId, {
      lines: order.lines
        .filter((line) => line.currentQuantity > 0)
        .map((line) => ({ lineId: line.id, quantity: line.currentQuantity })),
      shipping: true,
    });
  }
  emitShopEvent(state, { topic: "orders/cancelled", order });
  return order;
}

/** Deletes an order. Its payments, and its goods in the stock, stay as they are. */
export function deleteOrder(state: ShopState, orderId: string): void {
  const order = findOrder(state, orderId);
  state.orders.delete(order.id);
  emitShopEvent(state, { topic: "orders/delete", orderId });
}

export interface NewRefund {
  /** The lines given back; may be empty (a gesture). */
  lines?: { lineId: string; quantity: number }[];
  /** Money to give back, minor units; what the lines cost where missing; 0: no money moves (a restock). */
  amount?: number;
  /** The shipping, too. */
  shipping?: boolean;
  note?: string;
  /** Put the items back into stock; true where missing. */
  restocks?: boolean;
  /** How the money is given back; the order's gateway where missing, `shopify_store_credit` for store credit. */
  gateway?: string;
  /** Of the payment; `success` where missing. A pending one ends with `finishRefund`. */
  status?: RefundTransaction["status"];
}

/**
 * Refunds lines and money, and puts the items back into stock. refunds/create comes for each, whether or not money
 * moved.
 */
export function refundOrder(
  state: ShopState,
  orderId: string,
  {
    lines = [],
    amount,
    shipping = false,
    note = "",
    restocks = true,
    gateway,
    status = "success",
  }: NewRefund,
): Refund {
  const order = findOrder(state, orderId);
  if (order.financialStatus === "pending" || order.financialStatus === "voided")
    throw new OrderRefused(`${order.name} was not paid`);
  const given = lines.map(({ lineId, quantity }) => {
    const line = order.lines.find((each) => each.id === lineId);
    if (line === undefined) throw new OrderRefused(`${order.name} has no line ${lineId}`);
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > line.currentQuantity)
      throw new OrderRefused(`${quantity} of ${line.title} cannot be refunded: ${line.currentQuantity} left`);
    const price = subtotal(line, quantity);
    return { line, quantity, subtotal: price, tax: line.taxable ? taxOn(price, order) : 0 };
  });
  const ofShipping = shipping ? order.shippingPrice : 0;
  const shippingTax = taxOn(ofShipping, order);
  const addedTax = order.taxesIncluded ? 0 : given.reduce((sum, { tax }) => sum + tax, shippingTax);
  const total = amount ?? given.reduce((sum, each) => sum + each.subtotal, 0) + ofShipping + addedTax;
  const left = orderTotal(order) - refunded(order);
  if (total < 0 || total > left)
    throw new OrderRefused(`${order.name} has ${left} left to refund, not ${total}`);
  touch(order);
  const refund: Refund = {
    id: nextId(state, "refund"),
    createdAt: order.updatedAt,
    note,
    lines: given.map(({ line, ...each }) => ({ id: nextId(state, "refundLine"), lineId: line.id, ...each })),
    shipping: ofShipping,
    shippingTax,
    transactions:
      total === 0
        ? []
        : [{ id: nextId(state, "transaction"), amount: total, gateway: gateway ?? order.gateway, status }],
  };
  for (const { line, quantity } of given) {
    line.currentQuantity -= quantity;
    const variant = findVariant(state, line.variantId)?.variant;
    if (restocks && variant?.tracked === true) variant.inventoryQuantity += quantity;
  }
  order.refunds.push(refund);
  showRefunded(order);
  emitShopEvent(state, { topic: "refunds/create", order, refund });
  emitShopEvent(state, { topic: "orders/updated", order });
  return refund;
}

/** The pending payments of a refund succeed or fail. No topic says so, but that the order changed. */
export function finishRefund(
  state: ShopState,
  orderId: string,
  refundId: string,
  status: "success" | "failure",
): void {
  const order = findOrder(state, orderId);
  const refund = order.refunds.find(({ id }) => id === refundId);
  if (refund === undefined) throw new OrderRefused(`${order.name} has no refund ${refundId}`);
  touch(order);
  for (const transaction of refund.transactions)
    if (transaction.status === "pending") transaction.status = status;
  showRefunded(order);
  emitShopEvent(state, { topic: "orders/updated", order });
}

/** The status of an order's payment follows the money that was given back. */
function showRefunded(order: Order): void {
  const gone = refunded(order, ["success"]);
  if (gone > 0) order.financialStatus = gone >= orderTotal(order) ? "refunded" : "partially_refunded";
}

export interface Edit {
  add?: NewOrderLine[];
  /** The quantity a line is to have; 0 takes it out. */
  setQuantity?: { lineId: string; quantity: number }[];
  /** The customer has yet to pay for what was added (an invoice): partially paid until then. */
  owed?: boolean;
}

/** Edits the lines of an order, as the merchant can in the admin: orders/edited. */
export function editOrder(
  state: ShopState,
  orderId: string,
  { add = [], setQuantity = [], owed = false }: Edit,
): OrderEdit {
  const order = findOrder(state, orderId);
  if (order.cancelledAt !== null) throw new OrderRefused(`${order.name} is cancelled`);
  const bought = add.map((line) => ({ line, ...inStock(state, line) }));
  const changed = setQuantity.map(({ lineId, quantity }) => {
    const line = order.lines.find((each) => each.id === lineId);
    if (line === undefined) throw new OrderRefused(`${order.name} has no line ${lineId}`);
    if (!Number.isInteger(quantity) || quantity < 0)
      throw new OrderRefused(`a line cannot have ${quantity} items`);
    // Only unfulfilled items can be taken out (help.shopify.com, "Editing orders").
    if (quantity < fulfilledQuantity(order, lineId))
      throw new OrderRefused(`items of ${line.title} are fulfilled`);
    return { line, delta: quantity - line.currentQuantity };
  });
  touch(order);
  const edit: OrderEdit = {
    id: nextId(state, "edit"),
    createdAt: order.updatedAt,
    additions: [],
    removals: [],
  };
  for (const { line, delta } of changed) {
    if (delta === 0) continue;
    line.currentQuantity += delta;
    // The ordered quantity grows with an addition; a removal only lowers what is left.
    if (delta > 0) line.quantity += delta;
    (delta > 0 ? edit.additions : edit.removals).push({ lineId: line.id, delta: Math.abs(delta) });
  }
  for (const { line, product, variant } of bought) {
    const currency = { from: order.currency, to: order.presentment };
    const added = newLine(nextId(state, "line"), product, variant, line, null, currency);
    added.discounts = (line.discounts ?? []).map((amount): Allocation => {
      const application = order.discountApplications.push(manualDiscount(amount));
      return { amount, application: application - 1 };
    });
    order.lines.push(added);
    edit.additions.push({ lineId: added.id, delta: line.quantity });
  }
  order.edits.push(edit);
  if (owed) order.financialStatus = "partially_paid";
  emitShopEvent(state, { topic: "orders/edited", order, edit });
  emitShopEvent(state, { topic: "orders/updated", order });
  return edit;
}

export function findOrder(state: ShopState, orderId: string): Order {
  const order = state.orders.get(orderId);
  if (order === undefined) throw new OrderRefused(`there is no order ${orderId}`);
  return order;
}

function inStock(state: ShopState, line: NewOrderLine): { product: Product; variant: Variant } {
  const found = findVariant(state, line.variantId);
  if (found === undefined) throw new OrderRefused(`there is no variant ${line.variantId}`);
  if (!Number.isInteger(line.quantity) || line.quantity < 1)
    throw new OrderRefused(`a line cannot have ${line.quantity} items`);
  const { variant, product } = found;
  if (variant.tracked && variant.inventoryPolicy === "DENY" && variant.inventoryQuantity < line.quantity)
    throw new OrderRefused(`${product.title} is sold out`);
  return found;
}

function newLine(
  id: string,
  product: Product,
  variant: Variant,
  line: NewOrderLine,
  parentLineId: string | null,
  { from, to }: { from: string; to: Presentment | null },
): OrderLine {
  const listed = line.price ?? variant.price;
  const charged = to === null ? null : presentmentPrice(listed, from, to);
  return {
    id,
    productId: product.id,
    variantId: variant.id,
    title: product.title,
    variantTitle: variant.title === "Default Title" ? "" : variant.title,
    sku: variant.sku,
    vendor: product.vendor,
    quantity: line.quantity,
    currentQuantity: line.quantity,
    // The shop's amounts are converted back from what was charged, so they are not the listed price to the cent.
    price: to === null || charged === null ? listed : toShopMoney(charged, from, to),
    presentmentPrice: charged,
    properties: line.properties ?? [],
    discounts: [],
    taxable: variant.taxable,
    requiresShipping: variant.requiresShipping,
    parentLineId,
    sellingPlan: line.sellingPlan ?? null,
  };
}

/** The listed price in a market's currency, by its rounding. */
function presentmentPrice(
  listed: number,
  from: string,
  { currency, rate, roundTo = 1 }: Presentment,
): number {
  return Math.round(convertMoney(listed, from, currency, rate) / roundTo) * roundTo;
}

function toShopMoney(charged: number, from: string, { currency, rate }: Presentment): number {
  return convertMoney(charged, currency, from, new Decimal(1).div(rate).toString());
}

function customerId(state: ShopState, email: string | null): string {
  if (email !== null)
    for (const order of state.orders.values()) if (order.customer?.email === email) return order.customer.id;
  return nextId(state, "customer");
}

/** Two changes of an order never have the same time, so that a search by `updated_at` finds each change. */
export function touch(order: Order): void {
  const now = Date.now();
  const last = Date.parse(order.updatedAt);
  order.updatedAt = new Date(now > last ? now : last + 1).toISOString();
}

/** Tags are compared without regard to case. */
const isSameTag = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export function tagOrder(state: ShopState, orderId: string, tags: readonly string[]): Order {
  const order = findOrder(state, orderId);
  const added = tags.filter((tag) => !order.tags.some((each) => isSameTag(each, tag)));
  if (added.length > 0) changeTags(state, order, [...order.tags, ...added]);
  return order;
}

export function untagOrder(state: ShopState, orderId: string, tags: readonly string[]): Order {
  const order = findOrder(state, orderId);
  const remaining = order.tags.filter((tag) => !tags.some((each) => isSameTag(each, tag)));
  if (remaining.length < order.tags.length) changeTags(state, order, remaining);
  return order;
}

function changeTags(state: ShopState, order: Order, tags: string[]): void {
  order.tags = tags;
  touch(order);
  emitShopEvent(state, { topic: "orders/updated", order });
}
