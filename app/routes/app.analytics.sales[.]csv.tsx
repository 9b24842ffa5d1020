/** /app/analytics/sales.csv: the organisation's sales as a file, with the filters of the page. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { salesFile } from "#app/analytics/files.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { merchant } = await requireMerchant(request);
  return salesFile(merchant, new URL(request.url).searchParams);
}
