/** Payloads of refunds/create and orders/edited: the changed order, and the changes of its lines in the webhook. */
import { z } from "zod";
import { toStoredMinorUnits } from "#app/platform/money.ts";
import { moment as at, parsePayload, payloadId as id } from "#app/shopify/payloads/payload.ts";
import { itemCount } from "#app/shopify/order.ts";

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
  /** money refunded without items and not for shipping; null: none */
  money: { amountMinor: number; currency: string } | null;
}

// Shopify's limit is 500 lines.
const list = <T extends z.ZodType>(item: T) => z.array(item).max(2_000);

const amount = z.union([z.string(), z.number()]);
const paidBack = z.object({
  amount,
  currency: z.string().length(3),
  kind: z.literal("refund"),
  status: z.literal("success"),
});
const money = z.object({ amount, currency_code: z.string() });
// Since 2024-10 `order_adjustments` contain no kind and no refunded shipping
// (shopify.dev/changelog/exposing-the-order-adjustments-connection-on-a-refund).
const refundedShipping = z.object({
  subtotal_amount_set: z.object({ shop_money: money, presentment_money: money.nullish() }),
});

interface RefundMoney {
  transactions?: unknown[] | null | undefined;
  refund_shipping_lines?: unknown[] | null | undefined;
}

/**
 * The refunded amount without shipping; null: none. The tax on shipping is not subtracted, because that could hide a
 * premium refunded with it.
 */
function moneyOf({ transactions, refund_shipping_lines }: RefundMoney): OrderChange["money"] {
  const paid = (transactions ?? []).flatMap((each) => paidBack.safeParse(each).data ?? []);
  const [first] = paid;
  if (!first) return null;
  const shipping = (refund_shipping_lines ?? []).flatMap((each) => {
    const { data } = refundedShipping.safeParse(each);
    if (!data) return [];
    const { shop_money, presentment_money } = data.subtotal_amount_set;
    return [presentment_money, shop_money].find((side) => side?.currency_code === first.currency) ?? [];
  });
  const sumOf = (amounts: { amount: string | number }[]) =>
    amounts.reduce((sum, each) => sum + Math.abs(toStoredMinorUnits(each.amount, first.currency)), 0);
  const amountMinor = sumOf(paid) - sumOf(shipping);
  return amountMinor > 0 ? { amountMinor, currency: first.currency } : null;
}

const refundChange = z
  .object({
    id,
    created_at: at,
    refund_line_items: list(z.object({ line_item_id: id, quantity: itemCount })),
    transactions: list(z.unknown()).nullish().catch(null),
    refund_shipping_lines: list(z.unknown()).nullish().catch(null),
  })
  .transform((refund): OrderChange => ({
    id: `refund ${refund.id}`,
    at: refund.created_at,
    removed: refund.refund_line_items.map(({ line_item_id, quantity }) => ({
      lineId: line_item_id,
      quantity,
    })),
    adds: false,
    money: refund.refund_line_items.length > 0 ? null : moneyOf(refund),
  }));

const deltas = list(z.object({ id, delta: itemCount }));
const editChange = z
  .object({ id, created_at: at, line_items: z.object({ additions: deltas, removals: deltas }) })
  .transform((edit): OrderChange => ({
    id: `edit ${edit.id}`,
    at: edit.created_at,
    removed: edit.line_items.removals.map((removal) => ({ lineId: removal.id, quantity: removal.delta })),
    adds: edit.line_items.additions.length > 0,
    money: null,
  }));

const refund = z
  .looseObject({ order_id: id })
  .transform((value) => ({ orderId: value.order_id, change: refundChange.safeParse(value).data ?? null }));
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
