/**
 * Payloads of refunds/create and orders/edited: the changed order, and the changes of its lines in the webhook; and of
 * orders/delete.
 */
import { z } from "zod";
import { itemCount, type ShopRefund } from "#app/shopify/order.ts";
import { moment as at, parsePayload, payloadId as id } from "#app/shopify/payloads/payload.ts";
import { readRefund } from "#app/shopify/payloads/refunds.ts";
import { readRefunds } from "#app/shopify/refunds.ts";

export interface OrderChangePayload {
  orderId: string;
  /** null if the webhook does not list the removed items */
  change: OrderChange | null;
}

export interface OrderChange {
  /** identifies a change within its order: `refund 1`, `edit 2` */
  id: string;
  at: Date;
  removed: { lineId: string; quantity: number }[];
  /** something was added, and the webhook has only its id */
  adds: boolean;
  /**
   * Null for edits, and if it cannot be read. The Admin API's report of the same refund is the better one: it knows the
   * shop's currency and whether tax is added.
   */
  refund: ShopRefund | null;
}

// Shopify's limit is 500 lines.
const list = <T extends z.ZodType>(item: T) => z.array(item).max(2_000);

const refundChange = z.object({
  id,
  created_at: at,
  refund_line_items: list(z.object({ line_item_id: id, quantity: itemCount })),
});

function readRefundChange(value: object): OrderChange | null {
  const { data } = refundChange.safeParse(value);
  if (!data) return null;
  const [refund = null] = readRefunds([value], (item) => readRefund(item, UNKNOWN_ORDER));
  return {
    id: `refund ${data.id}`,
    at: data.created_at,
    removed: data.refund_line_items.map(({ line_item_id, quantity }) => ({ lineId: line_item_id, quantity })),
    adds: false,
    refund,
  };
}

const UNKNOWN_ORDER = { currency: null, taxesIncluded: null };

const deltas = list(z.object({ id, delta: itemCount }));
const editChange = z
  .object({ id, created_at: at, line_items: z.object({ additions: deltas, removals: deltas }) })
  .transform((edit): OrderChange => ({
    id: `edit ${edit.id}`,
    at: edit.created_at,
    removed: edit.line_items.removals.map((removal) => ({ lineId: removal.id, quantity: removal.delta })),
    adds: edit.line_items.additions.length > 0,
    refund: null,
  }));

const refund = z
  .looseObject({ order_id: id })
  .transform((value) => ({ orderId: value.order_id, change: readRefundChange(value) }));
const orderEdit = z.object({ order_edit: z.looseObject({ order_id: id }) }).transform(({ order_edit }) => ({
  orderId: order_edit.order_id,
  change: editChange.safeParse(order_edit).data ?? null,
}));

/** @throws UnreadablePayload */
export function parseRefundPayload(body: string): OrderChangePayload {
  return parsePayload(refund, body);
}

/** @throws UnreadablePayload */
export function parseOrderEditPayload(body: string): OrderChangePayload {
  return parsePayload(orderEdit, body);
}

const deletedOrder = z.object({ id }).transform((order) => order.id);

/** The id of the deleted order. @throws UnreadablePayload */
export function parseOrderDeletePayload(body: string): string {
  return parsePayload(deletedOrder, body);
}
