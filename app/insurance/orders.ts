import { z } from "zod";
import { pathSegment } from "./fields.ts";
import type { Send } from "./request.ts";
import { objectsIn } from "./response.ts";
import { planStanding } from "./status-words.ts";

/** Spec, "Order": sent once per order, so that the insurer can work out the attachment rate. */
export interface NewOrder {
  /** The same value as sent with the order's plans. */
  orderReferenceId: string;
  purchasedAt: Date;
  /** Open-ended: e.g. credit_card, paypal, gift_card. */
  paymentMethod: string;
  /** e.g. online, in_store, marketplace, b2b. */
  salesChannel: string;
  lineItems: NewOrderLine[];
}

interface NewOrderLine {
  /** The product's reference (the variant's id: docs/decisions/0003-references.md). */
  referenceId: string;
  /** Unit price, integer minor units. */
  priceMinor: number;
  currencyCode: string;
  /** The category's name. */
  categoryId: string;
  insuranceOffered: boolean;
  insuranceSelected: boolean;
}

/** The request body. `purchased_at` is ISO 8601, `price` stays integer cents as in the sample. */
export function orderBody(value: NewOrder) {
  return {
    order_reference_id: value.orderReferenceId,
    purchased_at: value.purchasedAt.toISOString(),
    payment_method: value.paymentMethod,
    sales_channel: value.salesChannel,
    line_items: value.lineItems.map((line) => ({
      reference_id: line.referenceId,
      price: line.priceMinor,
      currency_code: line.currencyCode,
      category_id: line.categoryId,
      insurance_offered: line.insuranceOffered,
      insurance_selected: line.insuranceSelected,
    })),
  };
}

/** The body's shape is not shown; the specification says that "the order status becomes cancelled". */
const cancelled = z.object({ status: z.string().refine((status) => planStanding(status) === "cancelled") });
const isCancelledOrder = (body: unknown): boolean =>
  objectsIn(body, 2).some((object) => cancelled.safeParse(object).success);

export function orders(send: Send, store: string) {
  return {
    /** Endpoint 8. */
    record: (order: NewOrder): Promise<void> =>
      send({
        method: "POST",
        endpoint: "orders",
        path: `${store}/orders`,
        body: orderBody(order),
        statusCounts: "alone",
        read: () => undefined,
      }),
    /**
     * Endpoint 9: cancels the order and the plans linked to it. `isCancelled`: the answer says so; another one may only
     * have been accepted.
     * @throws NotFound for an order the insurer does not know
     */
    cancel: (orderReferenceId: string): Promise<{ isCancelled: boolean }> =>
      send({
        method: "PATCH",
        endpoint: "orders/{id}/cancel",
        path: `${store}/orders/${pathSegment(orderReferenceId)}/cancel`,
        // The body is not shown, and some frameworks refuse a PATCH without JSON.
        body: {},
        statusCounts: "with_body",
        read: (body) => ({ isCancelled: isCancelledOrder(body) }),
      }),
  };
}
