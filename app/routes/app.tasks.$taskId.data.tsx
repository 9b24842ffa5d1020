/** /app/tasks/<task id>/data: what is kept of the customer who asked for it, as a file. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";
import { findRequestedData } from "#app/compliance/customer-data.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { shop } = await requireMerchant(request);
  const data = await findRequestedData(shop, params["taskId"] ?? "");
  if (!data) throw notFound();
  return Response.json(data, {
    headers: {
      "content-disposition": 'attachment; filename="customer-data.json"',
      "cache-control": "no-store",
    },
  });
}
