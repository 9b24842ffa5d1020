/** The shop's orders with their plans, as the admin lists them. */
import { db } from "#app/platform/db.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";

const unitFields = { lineId: true, unit: true, state: true, planTitle: true, contractId: true } as const;

export interface OrderRow {
  orderId: string;
  name: string;
  purchasedAt: Date;
  email: string | null;
  cancelledAt: Date | null;
  units: { lineId: string; unit: number; state: string; planTitle: string; contractId: string | null }[];
}

/** Orders, newest first. */
export async function listOrders(
  shop: string,
  request: PageRequest,
  size: number,
): Promise<ListPage<OrderRow>> {
  const rows = await db.order.findMany({
    where: { shop },
    select: {
      orderId: true,
      name: true,
      purchasedAt: true,
      email: true,
      cancelledAt: true,
      units: { where: { shop }, select: unitFields, orderBy: [{ lineId: "asc" }, { unit: "asc" }] },
    },
    orderBy: [{ purchasedAt: "desc" }, { orderId: "desc" }],
    take: size + 1,
  });
  return toListPage(rows, size, request, ({ orderId }) => orderId);
}
