/** Sends an order's sales record to the service, insured or not. */
import { Rejected } from "#app/insurance/errors.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";
import { noteServiceResponse } from "./connection-state.server.ts";
import { toNewOrder } from "./service-requests.ts";
import type { StepContext, StepResult } from "./step.server.ts";
import { readSalesRecord } from "./working-order.server.ts";

/**
 * Safe to repeat: an order has one reference, so what arrives twice is the same order.
 * @throws InsuranceError where it may be recorded later
 */
export async function sendSalesRecord(context: StepContext): Promise<StepResult> {
  const { shop, order, client } = context;
  const { orderId } = order;
  try {
    await client.orders.record(toNewOrder(await readSalesRecord(shop, orderId)));
    await noteServiceResponse(context);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const details = { serviceMessage: error.serviceMessage };
    await openTask({ shop, kind: "order_refused", orderId, details });
    return { order: { ...order, salesRecordStatus: "refused" } };
  }
  return { order: { ...order, salesRecordStatus: "recorded" } };
}
