/** Pure: the sales record that the insurer gets of an order: its status, payment method and channel. */

/**
 * Whether the insurer has the order's sales record: not yet; recorded; it refused it; the order is cancelled there; it is
 * a test order where contracts are real, and gets none.
 */
export const salesRecordStatuses = ["none", "recorded", "refused", "cancelled", "test_order"] as const;
export type SalesRecordStatus = (typeof salesRecordStatuses)[number];

// How the shop's words for payment and channel read in the insurer's (spec, "Order": both lists are open-ended).

const byGateway: [RegExp, string][] = [
  [/^gift_card$/, "gift_card"],
  [/paypal/, "paypal"],
  [/^(?:shopify_payments|bogus|stripe|adyen|checkout|worldline|payplug|mollie|authorize_net)/, "credit_card"],
  [/klarna|(?<![a-z])(?:alma|oney)|scalapay|afterpay|clearpay|affirm|floa|installments/, "instalments"],
  [/bank[ _-]?(?:deposit|transfer)|wire|sepa|virement/, "bank_transfer"],
  [/cash[ _-]?on[ _-]?delivery|^cod$|contre[ _-]?remboursement/, "cash_on_delivery"],
  [/^cash$|esp[eè]ces/, "cash"],
];

/**
 * The payment method. A gift card counts only where it paid for everything; what has no word of its own is `other`,
 * nothing to pay is `free`.
 */
export function paymentMethod(gateways: string[]): string {
  const names = gateways.map((name) => name.trim().toLowerCase());
  const main = names.find((name) => name !== "gift_card") ?? names[0];
  if (main === undefined) return "free";
  return byGateway.find(([pattern]) => pattern.test(main))?.[1] ?? "other";
}

/** The sales channel: `online`, `in_store`, `marketplace` or `b2b`. */
export function salesChannel(sourceName: string, business: boolean): string {
  if (business) return "b2b";
  const name = sourceName.trim().toLowerCase();
  if (name === "pos") return "in_store";
  // The id of a sales channel app, which has its own storefront: a third-party marketplace.
  return /^\d+$/.test(name) ||
    /amazon|ebay|etsy|walmart|marketplace|google|facebook|instagram|tiktok/.test(name)
    ? "marketplace"
    : "online";
}
