/** /app/analytics.csv: the attachment rate and its parts as a CSV file, for the period of the page. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { attachmentFile } from "#app/analytics/files.server.ts";
import { periodFilter } from "#app/analytics/filter.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { fileLanguage } from "#app/ui/file-language.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { shop, merchant, actor, locale } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  await recordAudit({ shop, actor, action: "file_exported", subject: "analytics.csv" });
  const { timezone, currency } = merchant;
  const period = periodFilter.parse(Object.fromEntries(search));
  const range = { environment: merchant.environment, timezone, currency, ...period };
  return attachmentFile(merchant, range, fileLanguage(locale, merchant, search));
}
