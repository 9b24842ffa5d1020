/** /app/orders.csv: orders and their plans as a file, with the filters of the page. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { exportOrders } from "#app/plans/orders/export.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { merchant } = await requireMerchant(request);
  return exportOrders(merchant, new URL(request.url).searchParams);
}
