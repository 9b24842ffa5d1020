/** Derives the rows that lists read of orders again from their books (docs/decisions/0016-book-of-an-order.md). */
import { rebuildOrder } from "#app/orders/book/book.server.ts";
import { db } from "#app/platform/db.server.ts";

/** Orders between two lines of progress. */
const ORDERS_A_PAGE = 500;

export interface RebuildProgress {
  shop: string;
  /** orders of the shop that are rebuilt so far */
  orders: number;
}

/**
 * Safe to repeat, and beside a running app: each order is locked while its rows are written.
 * @param shop null: all shops
 * @returns the number of orders
 */
export async function rebuildOrders(
  shop: string | null,
  onProgress: (progress: RebuildProgress) => void,
): Promise<number> {
  const merchants = await db.merchant.findMany({
    where: shop === null ? {} : { shop },
    select: { shop: true },
    orderBy: { shop: "asc" },
  });
  let total = 0;
  for (const merchant of merchants)
    total += await rebuildShop(merchant.shop, (orders) => onProgress({ shop: merchant.shop, orders }));
  return total;
}

async function rebuildShop(shop: string, onPage: (orders: number) => void): Promise<number> {
  for (let orders = 0, after = ""; ;) {
    const page = await db.order.findMany({
      where: { shop, orderId: { gt: after } },
      select: { orderId: true },
      orderBy: { orderId: "asc" },
      take: ORDERS_A_PAGE,
    });
    for (const { orderId } of page) await rebuildOrder(shop, orderId);
    orders += page.length;
    const last = page.at(-1);
    if (last === undefined) return orders;
    onPage(orders);
    after = last.orderId;
  }
}
