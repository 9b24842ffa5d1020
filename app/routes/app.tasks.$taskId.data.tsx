/** /app/tasks/<task id>/data: a file with the stored data of the customer who requested it. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { recordAudit } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";
import { findRequestedData } from "#app/privacy/customer-data.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { shop, actor } = await requireMerchant(request);
  const taskId = params["taskId"] ?? "";
  const data = await findRequestedData(shop, taskId);
  if (!data) throw notFound();
  await recordAudit({ shop, actor, action: "data_request_exported", subject: taskId });
  return Response.json(data, {
    headers: {
      "content-disposition": 'attachment; filename="customer-data.json"',
    },
  });
}
