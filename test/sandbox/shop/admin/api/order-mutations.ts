/** orderCancel and refundCreate. */
import { z } from "zod";
import { gid, parseGid } from "../../ids.ts";
import { minorUnits } from "../../money.ts";
import { cancelOrder, findOrder, OrderRefused, refundOrder } from "../../orders.ts";
import { NotImplemented } from "./errors.ts";
import { orderView, refundView } from "./order-views.ts";
import type { Reader } from "./reader.ts";
import type { View } from "./view.ts";

const reasons = z
  .enum(["CUSTOMER", "DECLINED", "FRAUD", "INVENTORY", "OTHER", "STAFF"])
  .transform((reason) => reason.toLowerCase())
  .pipe(z.enum(["customer", "declined", "fraud", "inventory", "other", "staff"]));
const cancelArguments = z.object({
  orderId: z.string(),
  reason: reasons,
  refund: z.boolean().nullish(),
  refundMethod: z.object({ originalPaymentMethodsRefund: z.boolean().nullish() }).nullish(),
  staffNote: z.string().nullish(),
});

/** Cancels in a job, as the platform does: done soon after the answer. */
export function orderCancel(read: Reader, args: unknown): View {
  const { orderId, reason, refund, refundMethod, staffNote } = cancelArguments.parse(args);
  const { state } = read.shop;
  const id = parseGid(orderId)?.id ?? "";
  const order = state.orders.get(id);
  const problem =
    order === undefined
      ? { code: "NOT_FOUND", field: ["orderId"], message: "Order does not exist" }
      : order.cancelledAt !== null
        ? {
            code: "INVALID",
            field: ["orderId"],
            message: "Cannot cancel an order that has already been canceled",
          }
        : null;
  if (problem === null)
    setImmediate(() =>
      cancelOrder(state, id, {
        reason,
        refund: refund ?? refundMethod?.originalPaymentMethodsRefund ?? false,
        note: staffNote ?? "",
      }),
    );
  return {
    __typename: "OrderCancelPayload",
    job: problem === null ? { __typename: "Job", id: gid("Job", crypto.randomUUID()), done: false } : null,
    orderCancelUserErrors: problem === null ? [] : [{ __typename: "OrderCancelUserError", ...problem }],
    userErrors:
      problem === null ? [] : [{ __typename: "UserError", field: problem.field, message: problem.message }],
  };
}

const refundArguments = z.object({
  input: z.strictObject({
    orderId: z.string(),
    note: z.string().nullish(),
    notify: z.boolean().nullish(),
    refundLineItems: z
      .array(
        z.strictObject({
          lineItemId: z.string(),
          quantity: z.number(),
          restockType: z.string().nullish(),
          locationId: z.string().nullish(),
        }),
      )
      .nullish(),
    transactions: z
      .array(
        z.strictObject({
          amount: z.union([z.string(), z.number()]),
          gateway: z.string(),
          kind: z.literal("REFUND"),
          orderId: z.string(),
          parentId: z.string().nullish(),
        }),
      )
      .nullish(),
    refundMethods: z.array(z.never()).nullish(),
    allowOverRefunding: z.literal(false).nullish(),
  }),
});

export function refundCreate(read: Reader, args: unknown): View {
  const parsed = refundArguments.safeParse(args);
  if (!parsed.success) throw new NotImplemented(`refundCreate input: ${z.prettifyError(parsed.error)}`);
  const { input } = parsed.data;
  const { state } = read.shop;
  try {
    const order = findOrder(state, parseGid(input.orderId)?.id ?? "");
    const refund = refundOrder(state, order.id, {
      lines: (input.refundLineItems ?? []).map(({ lineItemId, quantity }) => ({
        lineId: parseGid(lineItemId)?.id ?? "",
        quantity,
      })),
      // The platform moves the money that `transactions` says, none where there are none.
      amount: (input.transactions ?? []).reduce(
        (sum, { amount }) => sum + minorUnits(String(amount), order.currency),
        0,
      ),
      note: input.note ?? "",
    });
    return {
      __typename: "RefundCreatePayload",
      order: orderView(read, order),
      refund: refundView(read, order, refund),
      userErrors: [],
    };
  } catch (error) {
    if (!(error instanceof OrderRefused)) throw error;
    return {
      __typename: "RefundCreatePayload",
      order: null,
      refund: null,
      userErrors: [{ __typename: "UserError", field: ["input"], message: error.message }],
    };
  }
}
