/** Refunds items of an order. Needs the optional scope `write_orders`. */
import { minorDigits } from "../../extensions/currency-digits.ts";
import { toCurrencyUnits, toStoredMinorUnits } from "#app/platform/money.ts";
import { gid } from "./gid.ts";
import { createAdminClient } from "./graphql.server.ts";

interface NewRefund {
  orderId: string;
  lines: { lineId: string; quantity: number }[];
  /** Shopify executes only one refund per key. It requires a key since its version 2026-04. */
  idempotencyKey: string;
  note: string;
}

interface MadeRefund {
  /** minor units of the customer's currency */
  amountMinor: number;
  currency: string;
}

/**
 * Refunds items without restocking them, with the payments that Shopify suggests.
 * @returns null: the shop has no such order
 * @throws UserErrors, AdminRefused if Shopify does not accept it; AdminUnavailable, NoAccess
 */
export async function createRefund(
  shop: string,
  { orderId, lines, idempotencyKey, note }: NewRefund,
): Promise<MadeRefund | null> {
  const client = createAdminClient(shop, { attempts: 2 });
  const id = gid("Order", orderId);
  const refundLineItems = lines.map(({ lineId, quantity }) => ({
    lineItemId: gid("LineItem", lineId),
    quantity,
    restockType: "NO_RESTOCK" as const,
  }));
  const { order } = await client.request(
    `#graphql
    query ParasolSuggestedRefund($id: ID!, $lines: [RefundLineItemInput!]) { order(id: $id) {
      presentmentCurrencyCode
      suggestedRefund(refundLineItems: $lines) { suggestedTransactions {
        gateway parentTransaction { id }
        amountSet { presentmentMoney { amount } } } } } }`,
    { variables: { id, lines: refundLineItems } },
  );
  if (!order) return null;
  const currency = order.presentmentCurrencyCode;
  const transactions = (order.suggestedRefund?.suggestedTransactions ?? [])
    .map((transaction) => ({
      gateway: transaction.gateway ?? "",
      parentId: transaction.parentTransaction?.id ?? null,
      amountMinor: toStoredMinorUnits(transaction.amountSet.presentmentMoney.amount, currency),
    }))
    .filter(({ amountMinor }) => amountMinor > 0);
  // With the same key, a retry after a lost response is the same refund.
  await client.mutate(
    `#graphql
    mutation ParasolRefund($input: RefundInput!, $key: String!) {
      refundCreate(input: $input) @idempotent(key: $key) { refund { id } userErrors { field message } } }`,
    {
      variables: {
        key: idempotencyKey,
        input: {
          orderId: id,
          note,
          currency,
          refundLineItems,
          transactions: transactions.map((transaction) => ({
            orderId: id,
            kind: "REFUND" as const,
            gateway: transaction.gateway,
            parentId: transaction.parentId,
            amount: toCurrencyUnits(transaction.amountMinor, currency).toFixed(minorDigits(currency)),
          })),
        },
      },
    },
  );
  const refundedMinor = transactions.reduce((sum, transaction) => sum + transaction.amountMinor, 0);
  return { amountMinor: refundedMinor, currency };
}
