/**
 * The quotes that staff make from an order's page in the platform's admin, beside what insures its items already. They
 * belong to the order like its automatic quotes: withdrawn with it, and shown on it where the merchant allows that.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { callService } from "#app/merchants/insurance-connection.server.ts";
import type { Merchant, Seller } from "#app/merchants/merchant.ts";
import { withStaffLock } from "#app/merchants/staff-request.server.ts";
import { db } from "#app/platform/db.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { storeOrderReport } from "#app/plans/order-webhooks.server.ts";
import { sendOrderJob } from "#app/plans/reconciler/schedule.server.ts";
import { requestLead } from "./request-leads.server.ts";
import { quoteProblemOf, readOrder, readStanding } from "./order-standing.server.ts";
import type { QuotedLine, QuoteProblem, UnreadableOrder } from "./order-standing.server.ts";
import { orderLeadRow } from "./rows.server.ts";
import { BY_STAFF } from "./states.ts";

export interface OrderQuotesView {
  state: "ready";
  isTest: boolean;
  problem: QuoteProblem | null;
  lines: QuotedLine[];
}

export async function readOrderQuotes(
  merchant: Merchant,
  orderId: string,
): Promise<OrderQuotesView | { state: UnreadableOrder }> {
  const order = await readOrder(merchant.shop, orderId);
  if ("state" in order) return order;
  const { problem, environment, lines } = await readStanding(merchant.shop, order);
  return { state: "ready", isTest: environment === "test", problem, lines };
}

export const quoteWish = z.strictObject({
  /** the product's line of the order */
  lineId: z.string().regex(/^\d{1,20}$/),
  /** the item, as the view named it: a repetition requests the same */
  unitNumber: z.int().min(1).max(100_000),
  /** where the platform does not say who the seller is */
  seller: z.string().trim().max(200).nullable().default(null),
});
export type QuoteRequest = z.infer<typeof quoteWish>;

export type MakeQuoteResult =
  | { state: "quoted" }
  /** the item is insured or has a quote, or is gone */
  | { state: "stands" }
  | { state: "refused"; serviceMessage: string | null }
  /** it may have been made, and is never requested again */
  | { state: "unknown" }
  | { state: "problem"; problem: QuoteProblem }
  /** another request is in flight */
  | { state: "busy" }
  /** nothing was done, later may be better */
  | { state: "service_unavailable" }
  | { state: UnreadableOrder };

/** Makes the quote of one item, once: an item that has a quote, or may have one, gets no second. */
export async function makeStaffQuote(
  merchant: Merchant,
  orderId: string,
  quoteRequest: QuoteRequest,
  by: { actor: Actor; seller: Seller },
): Promise<MakeQuoteResult> {
  const { shop } = merchant;
  const result = await withStaffLock(shop, () => makeLocked(merchant, orderId, quoteRequest, by));
  // It is written to the order's page, and withdrawn if the order has changed meanwhile.
  if (result?.state === "quoted") await sendOrderJob(shop, orderId);
  return result ?? { state: "busy" };
}

async function makeLocked(
  merchant: Merchant,
  orderId: string,
  { lineId, unitNumber }: QuoteRequest,
  by: { actor: Actor; seller: Seller },
): Promise<MakeQuoteResult> {
  const { shop } = merchant;
  const order = await readOrder(shop, orderId);
  if ("state" in order) return order;
  const early = quoteProblemOf(order, null);
  if (early !== null) return { state: "problem", problem: early };
  // What was insured, refunded or cancelled since is known before the quote is made.
  await storeOrderReport(shop, order, "read");
  await sendOrderJob(shop, orderId);
  const { problem, environment, customer, items } = await readStanding(shop, order);
  if (problem !== null) return { state: "problem", problem };
  const item = items.find((each) => each.lineId === lineId && each.unitNumber === unitNumber);
  if (!item || !customer) return { state: "stands" };
  const dataKey = await dataKeyOf(shop);
  const { title, ...columns } = item;
  const row = {
    ...{ shop, orderId, ...columns, productTitle: title, environment, delayHours: BY_STAFF },
    ...{ state: "sending", attempt: 1, sentAt: new Date(), linkId: randomBytes(16).toString("base64url") },
  };
  // The order's own quotes may be decided at this moment.
  const noteIntent = async () => {
    const { count } = await db.orderLead.createMany({ data: [row], skipDuplicates: true });
    return count === 0 ? null : orderLeadRow.parse(row);
  };
  const purchaseDate = toLocalDay(merchant.timezone, order.createdAt);
  const result = await callService(
    shop,
    ({ client }) => requestLead({ client, dataKey, customer, purchaseDate, by }, noteIntent),
    environment,
  );
  if (result.state !== "answered") return { state: "service_unavailable" };
  if (result.value === null) return { state: "stands" };
  return result.value.state === "open" ? { state: "quoted" } : result.value;
}
