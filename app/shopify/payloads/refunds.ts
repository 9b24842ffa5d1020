/** A refund in a webhook's payload: the body of refunds/create, and an entry of an order's `refunds`. */
import { z } from "zod";
import { toStoredMinorUnits } from "#app/platform/money.ts";
import { itemCount, type ShopRefund } from "#app/shopify/order.ts";
import { moment, payloadAmount, payloadId, payloadMoneySet } from "#app/shopify/payloads/payload.ts";
import { type ReportedAmount, toShopRefund } from "#app/shopify/refunds.ts";

// Shopify's limit is 500 lines.
const list = z.array(z.unknown()).max(2_000);

const refund = z.object({
  id: payloadId,
  created_at: moment,
  refund_line_items: list,
  transactions: list.nullish().catch(null),
  refund_shipping_lines: list.nullish().catch(null),
});

const refundedLine = z.object({
  line_item_id: payloadId,
  quantity: itemCount,
  subtotal: payloadAmount.nullish(),
  subtotal_set: payloadMoneySet.nullish(),
  total_tax: payloadAmount.nullish(),
  total_tax_set: payloadMoneySet.nullish(),
});

const transaction = z.object({
  kind: z.string(),
  status: z.string(),
  amount: payloadAmount,
  currency: z.string().length(3),
});

// Since 2024-10 `order_adjustments` contain no kind and no refunded shipping
// (shopify.dev/changelog/exposing-the-order-adjustments-connection-on-a-refund).
const shippingLine = z.object({
  subtotal_amount_set: payloadMoneySet,
  tax_amount_set: payloadMoneySet.nullish().catch(null),
});

interface OrderOfRefund {
  currency: string | null;
  /** prices, and so the subtotals of a refund, include the tax; null if the payload does not say */
  taxesIncluded: boolean | null;
}

/**
 * @param order the body of refunds/create says nothing of it. Taxes then count as included: otherwise a premium that is
 * refunded with an item could be taken for the item's tax.
 * @returns null if no currency has all amounts
 * @throws ZodError if it is no refund, RangeError if an amount is invalid
 */
export function readRefund(value: unknown, order: OrderOfRefund): ShopRefund | null {
  const { id, created_at, refund_line_items, transactions, refund_shipping_lines } = refund.parse(value);
  const payments = (transactions ?? []).flatMap((each) => transaction.safeParse(each).data ?? []);
  const shipping = (refund_shipping_lines ?? []).flatMap((each) => shippingLine.safeParse(each).data ?? []);
  const isTaxAdded = order.taxesIncluded === false;
  // Plain amounts are in the shop's currency. Shopify sends them with a set, which names the currency.
  const plainCurrency = order.currency ?? payments[0]?.currency ?? null;
  return toShopRefund({
    id,
    at: created_at,
    lines: refund_line_items.map((each) => {
      const line = refundedLine.parse(each);
      const subtotal = amountOf(line.subtotal_set, line.subtotal, plainCurrency);
      const tax = amountOf(line.total_tax_set, line.total_tax ?? 0, plainCurrency);
      return {
        lineId: line.line_item_id,
        quantity: line.quantity,
        costs: isTaxAdded ? [subtotal, tax] : [subtotal],
      };
    }),
    transactions: payments.map(({ kind, status, amount, currency }) => ({
      kind,
      status,
      amount: [paidBack(amount, currency)],
    })),
    shipping: shipping.flatMap(({ subtotal_amount_set, tax_amount_set }) => [
      sidesOf(subtotal_amount_set),
      ...(isTaxAdded && tax_amount_set ? [sidesOf(tax_amount_set)] : []),
    ]),
    shopCurrency: order.currency,
  });
}

const paidBack = (amount: string | number, currency: string) => ({
  amountMinor: Math.abs(toStoredMinorUnits(amount, currency)),
  currency,
});

const sidesOf = ({ shop_money, presentment_money }: z.infer<typeof payloadMoneySet>): ReportedAmount =>
  [shop_money, presentment_money].flatMap((side) =>
    side ? [paidBack(side.amount, side.currency_code)] : [],
  );

/** Empty if its currency is unknown. */
function amountOf(
  set: z.infer<typeof payloadMoneySet> | null | undefined,
  plain: string | number | null | undefined,
  currency: string | null,
): ReportedAmount {
  if (set) return sidesOf(set);
  return plain == null || currency === null ? [] : [paidBack(plain, currency)];
}
