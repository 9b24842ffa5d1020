/** /app/statement.csv: the status of each premium, order by order, in the page's period. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { recordAudit } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { exportStatements } from "#app/orders/admin/export.server.ts";
import { fileLanguage } from "#app/ui/file-language.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { shop, merchant, actor, locale } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  await recordAudit({ shop, actor, action: "file_exported", subject: "statement.csv" });
  const language = fileLanguage(locale, merchant, search);
  return exportStatements(merchant, search, language);
}
