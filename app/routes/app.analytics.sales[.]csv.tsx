/** /app/analytics/sales.csv: the organisation's sales as a CSV file, with the filters of the page. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { salesFile } from "#app/analytics/files.server.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { fileLanguage } from "#app/ui/file-language.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { shop, merchant, actor, locale } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  await recordAudit({ shop, actor, action: "file_exported", subject: "sales.csv" });
  return salesFile(merchant, search, fileLanguage(locale, merchant, search));
}
