/** Draft orders: written by staff, changed as a whole, completed to a paid order. */
import { randomUUID } from "node:crypto";
import { nextId } from "./ids.ts";
import { createPaidOrder, OrderRefused } from "./orders.ts";
import { findVariant } from "./products.ts";
import type { DraftLine, DraftOrder, Order, ShopState } from "./state.ts";

export type NewDraftLine = Partial<Omit<DraftLine, "id">>;
export type NewDraftOrder = Partial<Omit<DraftOrder, "lines">> & { lines: NewDraftLine[] };

/** Shopify's limit of lines in a draft order (schema, DraftOrderInput.lineItems). */
const MAX_LINES = 499;

export function createDraftOrder(state: ShopState, { lines, ...given }: NewDraftOrder): DraftOrder {
  const now = new Date().toISOString();
  const draft: DraftOrder = {
    id: nextId(state, "draftOrder"),
    name: `#D${state.draftOrders.size + 1}`,
    status: "OPEN",
    createdAt: now,
    updatedAt: now,
    email: null,
    billingAddress: null,
    shippingAddress: null,
    company: null,
    presentmentCurrency: state.currency,
    discount: null,
    discountCodes: [],
    shipping: null,
    orderId: null,
    ...given,
    lines: lines.map((line) => toLine(state, line)),
  };
  state.draftOrders.set(draft.id, draft);
  return draft;
}

/**
 * Replaces all lines: a missing line is removed, and so is a missing field of a line.
 * @throws OrderRefused as Shopify would; the messages are assumed
 */
export function replaceDraftLines(state: ShopState, draft: DraftOrder, lines: NewDraftLine[]): void {
  if (draft.status === "COMPLETED") throw new OrderRefused("This order has been paid");
  if (lines.length === 0) throw new OrderRefused("Add at least 1 product");
  if (lines.length > MAX_LINES) throw new OrderRefused(`Line items must be at most ${MAX_LINES}`);
  const uuids = lines.flatMap(({ uuid }) => uuid ?? []);
  if (new Set(uuids).size < uuids.length) throw new OrderRefused("Line item UUIDs must be unique");
  const made = lines.map((line) => toLine(state, line));
  draft.lines = made;
  draft.updatedAt = new Date().toISOString();
}

function toLine(state: ShopState, given: NewDraftLine): DraftLine {
  const line: DraftLine = {
    uuid: randomUUID(),
    variantId: null,
    quantity: 1,
    properties: [],
    discount: null,
    priceOverride: null,
    components: [],
    custom: null,
    ...given,
    id: nextId(state, "draftLine"),
  };
  if (line.quantity < 1) throw new OrderRefused("Quantity must be greater than or equal to 1");
  if (line.variantId !== null && findVariant(state, line.variantId) === undefined)
    throw new OrderRefused("Product with ID does not exist");
  if (line.variantId === null && line.custom === null) throw new OrderRefused("Title can't be blank");
  return line;
}

/** The price of one item: staff's price, else the variant's current one. */
export function draftPrice(state: ShopState, { custom, priceOverride, variantId }: DraftLine): number {
  return priceOverride ?? custom?.price ?? findVariant(state, variantId ?? "")?.variant.price ?? 0;
}

/** Staff received the payment: creates the order with the lines' properties, and its webhooks. */
export function completeDraftOrder(state: ShopState, draftOrderId: string): Order {
  const draft = state.draftOrders.get(draftOrderId);
  if (draft === undefined) throw new OrderRefused(`there is no draft order ${draftOrderId}`);
  if (draft.status === "COMPLETED") throw new OrderRefused("This order has been paid");
  const order = createPaidOrder(state, {
    lines: draft.lines.map((line) => {
      if (line.variantId === null) throw new OrderRefused("the stand-in's orders have no made-up lines");
      const { variantId, quantity, properties } = line;
      return { variantId, quantity, properties, price: draftPrice(state, line) };
    }),
    email: draft.email,
    billingAddress: draft.billingAddress,
    shippingAddress: draft.shippingAddress,
    company: draft.company,
    sourceName: "shopify_draft_order",
    shippingPrice: draft.shipping?.price ?? 0,
  });
  draft.status = "COMPLETED";
  draft.orderId = order.id;
  return order;
}
