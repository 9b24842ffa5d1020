/** Tells the service of an order: its sales data, insured or not. */
import { Rejected } from "#app/insurance/errors.ts";
import { nextStep } from "./next-step.ts";
import { readOrderToRecord, writeRecord } from "./working-order.server.ts";
import { orderRecord } from "./plan-request.ts";
import type { StepResult, Work } from "./step.server.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";

/**
 * Safe to repeat: an order has one reference, so what arrives twice is the same order (decision 0008).
 * @throws InsuranceError where it may be recorded later
 */
export async function recordOrder({ shop, order, client }: Work): Promise<StepResult> {
  const { orderId } = order;
  try {
    await client.orders.record(orderRecord(await readOrderToRecord(shop, orderId)));
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    await writeRecord(shop, orderId, "refused");
    await openTask({ shop, kind: "order_refused", orderId, details: { words: error.serviceMessage } });
    return { units: [], record: "refused" };
  }
  // For nearly every order this was the last step.
  if (nextStep({ ...order, record: "recorded" }).do === "nothing") return { lastly: "recorded" };
  await writeRecord(shop, orderId, "recorded");
  return { units: [], record: "recorded" };
}
