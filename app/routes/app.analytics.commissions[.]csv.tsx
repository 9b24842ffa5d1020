/** /app/analytics/commissions.csv: the organisation's commissions as a file, with the filters of the page. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { commissionsFile } from "#app/analytics/files.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { merchant } = await requireMerchant(request);
  return commissionsFile(merchant, new URL(request.url).searchParams);
}
