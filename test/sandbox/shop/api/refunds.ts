/**
 * refundCreate and Order.suggestedRefund, by their descriptions in the schema of 2026-10: refunding takes the items out
 * of the order; money moves by the transactions, in the currency that the customer paid in, each back to a payment; an
 * idempotency key is required. As `requiredAccess` the schema has "`orders` access scope" for `refundCreate`, without read
 * or write, and `write_orders` for `orderCancel`: the stand-in takes the stricter one.
 */
import { Decimal } from "decimal.js";
import { GraphQLError } from "graphql";
import type {
  MutationRefundCreateArgs,
  OrderRefundsArgs,
  OrderSuggestedRefundArgs,
  RefundLineItemInput,
} from "#app/shopify/types/admin.types.d.ts";
import { parseGid } from "../ids.ts";
import { convertMoney, minorUnits } from "../money.ts";
import { orderTotal, refunded, subtotal } from "../order-sums.ts";
import { findOrder, OrderRefused, refundOrder } from "../orders.ts";
import type { Order, Refund, ShopState } from "../state.ts";
import { taxOn } from "../taxes.ts";
import { moneyBag, refusedAs, requireOrders } from "./orders.ts";
import { requireId, requireKnown, type Call, type Resolvers } from "./resolver.ts";

const refundedItems = (lines: readonly RefundLineItemInput[] | null | undefined) =>
  (lines ?? []).map(({ lineItemId, quantity, restockType }) => {
    if (restockType !== "NO_RESTOCK") throw new OrderRefused("restocking needs a location");
    return { lineId: parseGid(lineItemId)?.id ?? "", quantity };
  });

/** The unrefunded amount of each payment: refunds use the first payments first. */
function payments(order: Order) {
  let gone = refunded(order);
  return order.payments.map(({ gateway, amount }, index) => {
    const taken = Math.min(gone, amount);
    gone -= taken;
    return { id: `${order.id}${String(index).padStart(2, "0")}`, gateway, left: amount - taken };
  });
}

/** The price of items, with added taxes. */
function costOf(order: Order, items: readonly { lineId: string; quantity: number }[]): number {
  return items.reduce((sum, { lineId, quantity }) => {
    const line = order.lines.find(({ id }) => id === lineId);
    if (!line) return sum;
    const price = subtotal(line, quantity);
    return sum + price + (order.taxesIncluded || !line.taxable ? 0 : taxOn(price, order));
  }, 0);
}

function suggestedRefund(order: Order, { refundLineItems, ...others }: OrderSuggestedRefundArgs): object {
  // The default of the schema: back to the original payments.
  requireKnown("suggestedRefund", others, ["refundMethodAllocation"]);
  let owed = Math.min(costOf(order, refundedItems(refundLineItems)), orderTotal(order) - refunded(order));
  const suggestedTransactions = payments(order).map(({ id, gateway, left }) => {
    const amount = Math.min(owed, left);
    owed -= amount;
    return {
      gateway,
      amountSet: moneyBag(order, amount),
      maximumRefundableSet: moneyBag(order, left),
      parentTransaction: { id },
    };
  });
  return { suggestedTransactions };
}

/**
 * Results by their idempotency key, refusals too: Shopify returns "the result of the original operation". The schema
 * does not say how long Shopify keeps a key; the stand-in keeps it for ever.
 */
const madeByKey = new WeakMap<ShopState, Map<string, { input: string; result: RefundResult }>>();

interface RefundResult {
  refund?: { id: string } | null;
  userErrors: object[];
}

function refundCreate(
  { shop: { state }, scopes }: Call,
  { input }: MutationRefundCreateArgs,
  key: string | null,
) {
  if (!scopes.includes("write_orders"))
    throw new GraphQLError(
      "Access denied for refundCreate field. Required access: `write_orders` access scope.",
      { extensions: { code: "ACCESS_DENIED" } },
    );
  if (key === null || key.trim() === "")
    throw new GraphQLError("The @idempotent directive is required for this mutation but was not provided.", {
      extensions: { code: "BAD_REQUEST" },
    });
  requireKnown("RefundInput", input, ["orderId", "note", "currency", "refundLineItems", "transactions"]);
  const made = madeByKey.get(state) ?? new Map<string, { input: string; result: RefundResult }>();
  madeByKey.set(state, made);
  const known = made.get(key);
  if (known && known.input !== JSON.stringify(input))
    throw new GraphQLError("The same idempotency key was used with different parameters.", {
      extensions: { code: "IDEMPOTENCY_KEY_PARAMETER_MISMATCH" },
    });
  const result: RefundResult =
    known?.result ??
    refusedAs("transactions", () => {
      const order = findOrder(state, parseGid(input.orderId)?.id ?? "");
      if (order.refundRefusal !== undefined) throw new OrderRefused(order.refundRefusal);
      const amount = amountOf(order, input);
      const refund = refundOrder(state, order.id, {
        lines: refundedItems(input.refundLineItems),
        amount,
        note: input.note ?? "",
        restocks: false,
      });
      return { refund: { id: refund.id }, userErrors: [] };
    });
  made.set(key, { input: JSON.stringify(input), result });
  return { refund: null, ...result };
}

/** The sum of the transactions in the shop's currency. */
function amountOf(order: Order, { currency, transactions }: MutationRefundCreateArgs["input"]): number {
  const paidIn = order.presentment ?? { currency: order.currency, rate: "1" };
  if (currency != null && currency !== paidIn.currency)
    throw new OrderRefused(`Currency must be ${paidIn.currency}`);
  const rate = new Decimal(1).div(paidIn.rate).toString();
  const left = new Map(payments(order).map((payment) => [payment.id, payment]));
  return (transactions ?? []).reduce((sum, { amount, kind, gateway, parentId }) => {
    const payment = left.get(parseGid(parentId ?? "")?.id ?? "");
    const minor = convertMoney(minorUnits(amount, paidIn.currency), paidIn.currency, order.currency, rate);
    if (kind !== "REFUND" || !payment || payment.gateway !== gateway)
      throw new OrderRefused("Transactions must be refunds of a payment of the order");
    if (minor > payment.left) throw new OrderRefused("Refund amount exceeds what the payment holds");
    payment.left -= minor;
    return sum + minor;
  }, 0);
}

/** A refund and its lines refer to their order, because amounts depend on it. */
type RefundOfOrder = Refund & { order: Order };

function refundsOf(order: Order, { first }: OrderRefundsArgs): RefundOfOrder[] {
  return order.refunds.slice(0, first ?? undefined).map((refund) => ({ ...refund, order }));
}

export function refundById(call: Call, id: string): RefundOfOrder | null {
  requireOrders(call);
  for (const order of call.shop.state.orders.values()) {
    const refund = order.refunds.find((each) => each.id === id);
    if (refund) return { ...refund, order };
  }
  return null;
}

export const refundTypes: Resolvers = {
  QueryRoot: {
    refund: (_, { id }: { id: string }, call) => refundById(call, requireId("Refund", id)),
  },
  Refund: {
    processedAt: ({ createdAt }: Refund) => createdAt,
    refundLineItems: ({ order, lines }: RefundOfOrder) =>
      lines.map(({ id, lineId, quantity, subtotal: price, tax }) => ({
        id,
        quantity,
        lineItem: { id: lineId },
        subtotalSet: moneyBag(order, price),
        totalTaxSet: moneyBag(order, tax),
      })),
    transactions: ({ order, transactions }: RefundOfOrder) =>
      transactions.map(({ id, amount, gateway, status }) => ({
        id,
        kind: "REFUND",
        status,
        gateway,
        amountSet: moneyBag(order, amount),
      })),
    refundShippingLines: ({ id, order, shipping, shippingTax }: RefundOfOrder) =>
      shipping === 0
        ? []
        : [
            {
              id: `${id}8`,
              subtotalAmountSet: moneyBag(order, shipping),
              taxAmountSet: moneyBag(order, shippingTax),
            },
          ],
  },
  Order: {
    refunds: (order: Order, args: OrderRefundsArgs) => refundsOf(order, args),
    presentmentCurrencyCode: ({ currency, presentment }: Order) => presentment?.currency ?? currency,
    suggestedRefund: (order: Order, args: OrderSuggestedRefundArgs) => suggestedRefund(order, args),
  },
  Mutation: {
    refundCreate: (_, args: MutationRefundCreateArgs, call, _type, key) => refundCreate(call, args, key),
  },
};
