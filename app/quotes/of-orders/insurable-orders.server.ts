/** The orders whose customers can insure something by the link of insure-now.server.ts. */
import { readInsurableDays } from "#app/merchants/quote-settings.server.ts";
import { readOrderBooks } from "#app/orders/book/book.server.ts";
import { isInsurable } from "#app/orders/book/quote-rules.ts";

export async function findInsurableOrders(shop: string, orderIds: readonly string[]): Promise<Set<string>> {
  const [days, books] = await Promise.all([readInsurableDays(shop), readOrderBooks(shop, orderIds)]);
  const now = new Date();
  const insurable = [...books.values()].filter(({ order }) => isInsurable(order, days, now));
  return new Set(insurable.map(({ orderId }) => orderId));
}
