/** Pure: requests to the insurer, from what is kept of an order, and when a look-up there is conclusive. */
import type { NewOrder } from "#app/insurance/orders.ts";
import type { NewPlan } from "#app/insurance/plans.ts";
import {
  type CustomerField,
  type InsuredCustomer,
  missingFields,
  toNewCustomer,
} from "#app/orders/customer.ts";
import type { Item, Order } from "#app/orders/book/evolve.ts";

export type NewPlanResult =
  | { type: "complete"; plan: NewPlan }
  | { type: "no_customer" }
  | { type: "no_insured_line" }
  | { type: "incomplete"; missing: CustomerField[] };

/**
 * The plan of an item (spec, "Endpoints" note 2, single form), or what the order lacks for it.
 * @param needsPhone the insurer refuses contracts without a phone number
 */
export function toNewPlan(
  orderId: string,
  { sold, insured }: Pick<Item, "insured"> & { sold: Pick<Item["sold"], "referenceId"> },
  customer: InsuredCustomer | null,
  needsPhone: boolean,
): NewPlanResult {
  if (customer === null) return { type: "no_customer" };
  const newCustomer = toNewCustomer(customer, needsPhone);
  if (newCustomer === null) return { type: "incomplete", missing: missingFields(customer, needsPhone) };
  if (insured === null) return { type: "no_insured_line" };
  return {
    type: "complete",
    plan: {
      offerReferenceId: sold.referenceId,
      orderReferenceId: orderId,
      variant: {
        referenceId: insured.variantId,
        priceMinor: insured.priceMinor,
        currencyCode: insured.currency,
        title: insured.title,
      },
      customer: newCustomer,
    },
  };
}

/** The order as sales data (spec, "Order"). A line without a variant (a custom one) is known by its own id. */
export function toNewOrder(orderId: string, order: Order): NewOrder {
  const { placed, paid } = order;
  return {
    orderReferenceId: orderId,
    purchasedAt: placed?.placedAt ?? new Date(0),
    paymentMethod: paid?.paymentMethod ?? placed?.paymentMethod ?? "other",
    salesChannel: placed?.salesChannel ?? "online",
    lineItems: order.lines
      .filter(({ kind }) => kind === "product")
      .map((line) => ({
        referenceId: line.variantId ?? line.lineId,
        priceMinor: line.paidMinor,
        currencyCode: line.currency,
        categoryId: line.categoryId,
        insuranceOffered: line.isOffered,
        insuranceSelected: line.isSelected,
      })),
  };
}
