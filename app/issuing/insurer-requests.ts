/** Pure: requests to the insurer, from what is kept of an order, and when a look-up there is conclusive. */
import type { NewOrder } from "#app/insurance/orders.ts";
import type { NewPlan } from "#app/insurance/plans.ts";
import {
  type CustomerField,
  type InsuredCustomer,
  missingFields,
  toNewCustomer,
} from "#app/orders/customer.ts";
import type { Reason } from "#app/orders/book/item-states.ts";

export interface ItemToCreate {
  offerReferenceId: string;
  insuredVariantId: string | null;
  insuredTitle: string | null;
  insuredPriceMinor: number | null;
  insuredCurrency: string | null;
}

export type NewPlanResult =
  { type: "complete"; plan: NewPlan } | { type: "incomplete"; reason: Reason; missing: CustomerField[] };

/**
 * The plan of an item (spec, "Endpoints" note 2, single form), or what the order lacks for it.
 * @param needsPhone the insurer refuses contracts without a phone number
 */
export function toNewPlan(
  orderId: string,
  item: ItemToCreate,
  customer: InsuredCustomer | null,
  needsPhone: boolean,
): NewPlanResult {
  if (customer === null) return { type: "incomplete", reason: "customer_erased", missing: [] };
  const insured = toNewCustomer(customer, needsPhone);
  if (insured === null)
    return {
      type: "incomplete",
      reason: "missing_customer_data",
      missing: missingFields(customer, needsPhone),
    };
  const { insuredVariantId, insuredTitle, insuredPriceMinor, insuredCurrency } = item;
  if (insuredVariantId === null || insuredPriceMinor === null || insuredCurrency === null) {
    return { type: "incomplete", reason: "no_insured_line", missing: [] };
  }
  return {
    type: "complete",
    plan: {
      offerReferenceId: item.offerReferenceId,
      orderReferenceId: orderId,
      variant: {
        referenceId: insuredVariantId,
        priceMinor: insuredPriceMinor,
        currencyCode: insuredCurrency,
        title: insuredTitle ?? "",
      },
      customer: insured,
    },
  };
}

export interface SalesRecord {
  orderId: string;
  purchasedAt: Date;
  paymentMethod: string;
  salesChannel: string;
  lines: {
    variantId: string | null;
    productId: string | null;
    lineId: string;
    priceMinor: number;
    currency: string;
    categoryId: string;
    insuranceOffered: boolean;
    insuranceSelected: boolean;
  }[];
}

/** The order as sales data (spec, "Order"). A line without a variant (a custom one) is known by its own id. */
export function toNewOrder(order: SalesRecord): NewOrder {
  return {
    orderReferenceId: order.orderId,
    purchasedAt: order.purchasedAt,
    paymentMethod: order.paymentMethod,
    salesChannel: order.salesChannel,
    lineItems: order.lines.map((line) => ({
      referenceId: line.variantId ?? line.lineId,
      priceMinor: line.priceMinor,
      currencyCode: line.currency,
      categoryId: line.categoryId,
      insuranceOffered: line.insuranceOffered,
      insuranceSelected: line.insuranceSelected,
    })),
  };
}

/*
 * How long "not found" may only mean "not yet": a creation whose response was lost may still be carried out. A look-up
 * that finds nothing is conclusive after this time, measured from when its outcome became unknown: by then the request
 * had ended, or its worker was no longer allowed to send it. The time at which the worker announced the request is too
 * early: the request may have waited long in the insurer's queue.
 */

/** The insurer responded in full, if unreadably: it has decided, and only its own reads may lag behind. */
export const CONCLUSIVE_AFTER_RESPONSE_MS = 3_000;

/** What a gateway says that has waited long enough, or has lost the insurer: that one may still be at work. */
const gatewayStatuses: readonly number[] = [408, 502, 504];

/** Whether the insurer itself responded. @param status null: there was no response */
export const hasResponded = (status: number | null): boolean =>
  status !== null && !gatewayStatuses.includes(status);

export interface SentCreation {
  /** when the worker began to send it; null: it never did */
  sentAt: Date | null;
  /** when the item came into its state, unknown */
  changedAt: Date;
  responded: boolean;
}

/**
 * From when on a look-up that does not find this item's plan is conclusive.
 * @param delayMs for a creation that got no response at all
 */
export function conclusiveAt({ sentAt, changedAt, responded }: SentCreation, delayMs: number): Date {
  const delay = responded ? Math.min(CONCLUSIVE_AFTER_RESPONSE_MS, delayMs) : delayMs;
  return new Date(sentAt === null ? 0 : changedAt.getTime() + delay);
}
