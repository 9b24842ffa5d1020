/** A refund of an order in one shape and one currency, from a webhook or from the Admin API. */
import { z } from "zod";
import { sumStoredMinor } from "#app/platform/money.ts";
import type { ShopRefund } from "./order.ts";

/** One amount in each currency that Shopify reports: the shop's first, then the customer's. */
export type ReportedAmount = readonly { amountMinor: number; currency: string }[];

export interface ReportedRefund {
  id: string;
  at: Date;
  /** `costs`: their price, and the tax if it is added to it */
  lines: { lineId: string; quantity: number; costs: readonly ReportedAmount[] }[];
  transactions: { kind: string; status: string; amount: ReportedAmount }[];
  /** refunded shipping, and its tax if it is added to it */
  shipping: readonly ReportedAmount[];
  /** null if the report does not name it */
  shopCurrency: string | null;
}

/**
 * The refund in the shop's currency. A webhook reports a payment in one currency only: if that is the customer's, the
 * whole refund is in the customer's. Gift cards and store credit are refunded by transactions like other payments.
 * @returns null if no currency has all amounts
 * @throws RangeError if the database cannot store an amount
 */
export function toShopRefund(refund: ReportedRefund): ShopRefund | null {
  const payments = refund.transactions.flatMap(({ kind, status, amount }) => {
    const state = paymentState(kind, status);
    return state === null ? [] : [{ state, amount }];
  });
  const paidBack = payments.filter(({ state }) => state !== "failed");
  const parts = [...refund.lines.flatMap(({ costs }) => costs), ...paidBack.map(({ amount }) => amount)];
  const currency = [refund.shopCurrency, ...parts.flat(), ...payments.flatMap(({ amount }) => amount)]
    .flatMap((each) => (typeof each === "string" ? each : (each?.currency ?? [])))
    .find((candidate) => parts.every((part) => part.some((side) => side.currency === candidate)));
  if (currency === undefined) return null;
  const sumOf = (amounts: readonly ReportedAmount[]) =>
    sumStoredMinor(
      amounts.flatMap((amount) => amount.find((side) => side.currency === currency)?.amountMinor ?? []),
    );
  return {
    id: refund.id,
    at: refund.at,
    lines: refund.lines.map(({ lineId, quantity, costs }) => ({
      lineId,
      quantity,
      amountMinor: Math.max(0, sumOf(costs)),
    })),
    moneyMinor: Math.max(0, sumOf(paidBack.map(({ amount }) => amount)) - sumOf(refund.shipping)),
    currency,
    status: statusOf(payments.map(({ state }) => state)),
  };
}

type PaymentState = ShopRefund["status"];

/** Null: the transaction pays nothing back. A voided authorization never took the money. */
function paymentState(kind: string, status: string): PaymentState | null {
  switch (kind.toLowerCase()) {
    case "void":
      return "failed";
    case "refund":
      return stateByStatus[status.toLowerCase()] ?? "pending";
    default:
      return null;
  }
}

/** All other statuses may still become one of these. */
const stateByStatus: Partial<Record<string, PaymentState>> = {
  success: "settled",
  failure: "failed",
  error: "failed",
};

/** A failed payment beside others counts as one that was not tried. */
function statusOf(states: readonly PaymentState[]): PaymentState {
  if (states.includes("pending")) return "pending";
  return states.length === 0 || states.includes("settled") ? "settled" : "failed";
}

/**
 * Reads the refunds of an order. An unreadable refund is skipped: its items leave the order by the lines' quantities, and
 * its money stays unknown, so that premiums remain open.
 * @param read parses one; it throws a ZodError, or a RangeError if an amount is invalid
 */
export function readRefunds<Item>(
  items: readonly Item[],
  read: (item: Item) => ShopRefund | null,
): ShopRefund[] {
  const byId = new Map<string, ShopRefund>();
  for (const item of items) {
    try {
      const refund = read(item);
      if (refund !== null) byId.set(refund.id, refund);
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof RangeError)) throw error;
    }
  }
  return [...byId.values()];
}
