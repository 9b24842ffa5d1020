/** Why an order has no contract, from its book and its account at the insurer. */
import { readOrderBook } from "#app/orders/book/book.server.ts";
import { type Explanation, explainOrder } from "#app/orders/book/explain.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";

/** Null: there is no such order in this shop. */
export async function explainStoredOrder(shop: string, orderId: string): Promise<Explanation[] | null> {
  const book = await readOrderBook(shop, orderId);
  if (!book) return null;
  const where = { shop, environment: book.order.placed?.environment ?? "test" };
  const [connections, pauses] = await Promise.all([
    db.connection.count({ where }),
    db.accountPause.count({ where }),
  ]);
  return explainOrder(book.order, {
    now: new Date(),
    conclusiveAfterS: env.INSURANCE_CONSISTENCY_SECONDS,
    isConnected: connections > 0,
    isPaused: pauses > 0,
  });
}
