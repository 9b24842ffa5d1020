/** /app/history.csv: the History as a file, with the filters of the page. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { recordAudit } from "#app/audit/record.server.ts";
import { exportHistory, historyFilter } from "#app/history/history.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { fileLanguage } from "#app/ui/file-language.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { shop, merchant, actor, locale } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = historyFilter.parse(Object.fromEntries(search));
  await recordAudit({ shop, actor, action: "file_exported", subject: "history.csv" });
  return exportHistory(merchant, filter, fileLanguage(locale, merchant, search));
}
