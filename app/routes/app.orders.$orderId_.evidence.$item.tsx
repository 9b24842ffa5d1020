/** /app/orders/<order>/evidence/<line>-<number>: the evidence pack of an item's contract. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { recordAudit } from "#app/audit/record.server.ts";
import { packContract } from "#app/evidence/evidence.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { shop, actor } = await requireMerchant(request);
  const pack = await packContract(shop, params["orderId"] ?? "", params["item"] ?? "");
  if (!pack) throw notFound();
  await recordAudit({ shop, actor, action: "file_exported", subject: pack.fileName });
  return new Response(Buffer.from(pack.bytes), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${pack.fileName}"`,
    },
  });
}
