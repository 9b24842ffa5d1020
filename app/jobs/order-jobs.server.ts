/** Jobs about one order each, of which one waits at most. */
import type { Transaction } from "#app/platform/db.server.ts";
import { sendJob, sendJobs } from "./queue.server.ts";
import type { SendOptions } from "./queue.server.ts";

type OrderJob = "order-issuing" | "plan-fulfilment" | "order-cover" | "order-leads";

interface OrderJobOptions extends Omit<SendOptions, "singletonKey"> {
  /** of an order's jobs with the same reason, one waits at most; left out: a reason of its own */
  reason?: string;
}

const keyOf = (shop: string, orderId: string) => `${shop}:${orderId}`;

export async function sendOrderJob(
  name: OrderJob,
  shop: string,
  orderId: string,
  { reason, ...options }: OrderJobOptions = {},
): Promise<void> {
  const key = keyOf(shop, orderId);
  const singletonKey = reason === undefined ? key : `${key}:${reason}`;
  await sendJob(name, { shop, orderId }, { ...options, singletonKey });
}

/** Sends one for each of these orders, in one statement. */
export async function sendOrderJobs(
  name: OrderJob,
  shop: string,
  orders: readonly { orderId: string }[],
  tx?: Transaction,
): Promise<void> {
  const orderIds = [...new Set(orders.map(({ orderId }) => orderId))];
  const sent = orderIds.map((orderId) => ({
    payload: { shop, orderId },
    singletonKey: keyOf(shop, orderId),
  }));
  await sendJobs(name, sent, tx);
}
