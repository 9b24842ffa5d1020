/** Pure: requests to the insurer, from what is kept of an order, and when a look-up there is conclusive. */
import type { NewOrder } from "#app/insurance/orders.ts";
import type { NewPlan } from "#app/insurance/plans.ts";
import {
  type CustomerField,
  type InsuredCustomer,
  missingFields,
  toNewCustomer,
} from "#app/orders/customer.ts";
import type { Item, Line, Order } from "#app/orders/book/evolve.ts";

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

/** Line items of one line at most: what an order of very many pieces tells a statistic, it tells with these. */
const MAX_PIECES = 1_000;

/**
 * The order as sales data (spec, "Order"). The specification has no quantity, so each piece is a line item: three phones
 * with two insured are two of three. A line without a variant (a custom one) is known by its own id.
 */
export function toNewOrder(orderId: string, order: Order): NewOrder {
  const { placed, paid } = order;
  return {
    orderReferenceId: orderId,
    purchasedAt: placed?.placedAt ?? new Date(0),
    paymentMethod: paid?.paymentMethod ?? placed?.paymentMethod ?? "other",
    salesChannel: placed?.salesChannel ?? "online",
    lineItems: order.lines
      .filter(({ kind }) => kind === "product")
      .flatMap((line) => {
        const insured = insuredPieces(order, line);
        return Array.from({ length: Math.min(line.ordered, MAX_PIECES) }, (_, index) => ({
          referenceId: line.variantId ?? line.lineId,
          priceMinor: line.paidMinor,
          currencyCode: line.currency,
          categoryId: line.categoryId,
          insuranceOffered: line.isOffered,
          insuranceSelected: index < insured,
        }));
      }),
  };
}

/** How many pieces of a product's line were bought with insurance. */
function insuredPieces({ items, lines }: Order, { lineId, pairId, isSelected }: Line): number {
  // The item of an exchanged product has taken over the one that was bought.
  const bought = items.filter(({ sold }) => sold.replaces === null);
  const pair = new Set(lines.filter((line) => line.pairId === pairId).map((line) => line.lineId));
  const isOfPair = bought.some(({ insured }) => insured !== null && pair.has(insured.lineId));
  // Insurance was chosen, and its plan names no product that is known.
  if (!isOfPair) return isSelected ? 1 : 0;
  return bought.filter(({ insured }) => insured?.lineId === lineId).length;
}
