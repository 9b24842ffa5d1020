/** /app/orders/<order>/documents/<line>-<number>/<conditions or ipid>: the document as it was at the sale. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { recordAudit } from "#app/audit/record.server.ts";
import { readSoldDocument, soldDocuments } from "#app/evidence/sold-document.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { shop, actor } = await requireMerchant(request);
  const name = soldDocuments.find((each) => each === params["name"]);
  const document =
    name && (await readSoldDocument(shop, params["orderId"] ?? "", params["item"] ?? "", name));
  if (!document) throw notFound();
  await recordAudit({ shop, actor, action: "file_exported", subject: document.fileName });
  return new Response(Buffer.from(document.content), {
    headers: {
      // A third-party document must not run as a page of the app.
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${document.fileName}"`,
      "x-content-type-options": "nosniff",
    },
  });
}
