/** /app/orders/<order>/evidence?line=…&number=…: the evidence pack of a contract. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { recordAudit } from "#app/audit/record.server.ts";
import { packContract } from "#app/evidence/evidence.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";

const query = z.object({ line: z.string(), number: z.coerce.number().int().positive() });

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { shop, actor } = await requireMerchant(request);
  const asked = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  const orderId = params["orderId"] ?? "";
  const pack =
    asked.data && (await packContract(shop, orderId, { lineId: asked.data.line, number: asked.data.number }));
  if (!pack) throw notFound();
  await recordAudit({ shop, actor, action: "file_exported", subject: pack.fileName });
  return new Response(Buffer.from(pack.bytes), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${pack.fileName}"`,
    },
  });
}
