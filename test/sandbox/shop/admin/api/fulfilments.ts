/** Fulfilment orders, fulfilments and fulfillmentCreate of the Admin API. */
import { z } from "zod";
import { fulfilLines, leftToFulfil } from "../../fulfilments.ts";
import { gid, parseGid } from "../../ids.ts";
import { OrderRefused } from "../../orders.ts";
import type { Fulfilment, Order, OrderLine } from "../../state.ts";
import { NotImplemented } from "./errors.ts";
import type { Reader } from "./reader.ts";
import { connection } from "./view.ts";
import type { View } from "./view.ts";

export interface FulfilmentOrder {
  /** the order's id and three digits */
  id: string;
  order: Order;
  lines: OrderLine[];
}

export function fulfilmentOrdersOf(order: Order): FulfilmentOrder[] {
  const size = order.linesPerFulfilmentOrder ?? Math.max(1, order.lines.length);
  return Array.from({ length: Math.ceil(order.lines.length / size) }, (_, index) => ({
    id: `${order.id}${String(index).padStart(3, "0")}`,
    order,
    lines: order.lines.slice(index * size, (index + 1) * size),
  }));
}

const orderIdOf = (fulfilmentOrderId: string): string => fulfilmentOrderId.slice(0, -3);

export function findFulfilmentOrder({ shop: { state } }: Reader, id: string): FulfilmentOrder | undefined {
  const order = state.orders.get(orderIdOf(id));
  return order && fulfilmentOrdersOf(order).find((each) => each.id === id);
}

export function fulfilmentOrderView(
  { id: fulfilmentOrderId, order, lines }: FulfilmentOrder,
  lineView: (line: OrderLine) => View,
): View {
  const left = lines.some((line) => leftToFulfil(order, line) > 0);
  const status =
    order.cancelledAt !== null
      ? "CANCELLED"
      : !left
        ? "CLOSED"
        : order.onHold
          ? "ON_HOLD"
          : order.fulfilments.length === 0
            ? "OPEN"
            : "IN_PROGRESS";
  const can = status === "OPEN" || status === "IN_PROGRESS";
  return {
    __typename: "FulfillmentOrder",
    id: gid("FulfillmentOrder", fulfilmentOrderId),
    status,
    requestStatus: "UNSUBMITTED",
    supportedActions: can
      ? [{ __typename: "FulfillmentOrderSupportedAction", action: "CREATE_FULFILLMENT", externalUrl: null }]
      : [],
    lineItems: (args: unknown) =>
      connection(
        "FulfillmentOrderLineItem",
        {
          items: lines.filter((line) => line.currentQuantity > 0),
          id: ({ id }) => id,
          view: (line) => ({
            __typename: "FulfillmentOrderLineItem",
            id: gid("FulfillmentOrderLineItem", line.id),
            totalQuantity: line.currentQuantity,
            remainingQuantity: leftToFulfil(order, line),
            lineItem: () => lineView(line),
          }),
        },
        args,
      ),
  };
}

function fulfilmentView(fulfilment: Fulfilment): View {
  return {
    __typename: "Fulfillment",
    id: gid("Fulfillment", fulfilment.id),
    status: "SUCCESS",
    createdAt: fulfilment.createdAt,
    totalQuantity: fulfilment.lines.reduce((sum, { quantity }) => sum + quantity, 0),
  };
}

const input = z.object({
  fulfillment: z.strictObject({
    notifyCustomer: z.boolean().nullish(),
    lineItemsByFulfillmentOrder: z.array(
      z.strictObject({
        fulfillmentOrderId: z.string(),
        fulfillmentOrderLineItems: z
          .array(z.strictObject({ id: z.string(), quantity: z.number() }))
          .nullish(),
      }),
    ),
  }),
});

export function fulfillmentCreate(read: Reader, args: unknown): View {
  const parsed = input.safeParse(args);
  if (!parsed.success) throw new NotImplemented(`fulfillmentCreate input: ${z.prettifyError(parsed.error)}`);
  const { state } = read.shop;
  const [requested] = parsed.data.fulfillment.lineItemsByFulfillmentOrder;
  try {
    const found = findFulfilmentOrder(read, parseGid(requested?.fulfillmentOrderId ?? "")?.id ?? "");
    if (found === undefined) throw new OrderRefused("Fulfillment order does not exist.");
    const { order } = found;
    const all = found.lines
      .map((line) => ({ lineId: line.id, quantity: leftToFulfil(order, line) }))
      .filter(({ quantity }) => quantity > 0);
    const lines = requested?.fulfillmentOrderLineItems?.map(({ id, quantity }) => ({
      lineId: parseGid(id)?.id ?? "",
      quantity,
    }));
    for (const { lineId } of lines ?? [])
      if (!found.lines.some(({ id }) => id === lineId))
        throw new OrderRefused("Invalid fulfillment order line item.");
    // None named means all that is left.
    const fulfilment = fulfilLines(state, order.id, lines ?? all);
    return {
      __typename: "FulfillmentCreatePayload",
      fulfillment: fulfilmentView(fulfilment),
      userErrors: [],
    };
  } catch (error) {
    if (!(error instanceof OrderRefused)) throw error;
    const problem = { __typename: "UserError", field: ["fulfillment"], message: error.message };
    return { __typename: "FulfillmentCreatePayload", fulfillment: null, userErrors: [problem] };
  }
}
