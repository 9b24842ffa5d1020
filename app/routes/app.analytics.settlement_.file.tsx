/** /app/analytics/settlement/file: a file of a month; of a closed one, as it was stored. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { recordAudit } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";
import { monthFileName } from "#app/settlement/files.server.ts";
import { differencesOfMonth, fileOfMonth } from "#app/settlement/month-files.server.ts";
import { readMonthRequest } from "#app/settlement/month-request.server.ts";
import { fileLanguage } from "#app/ui/file-language.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { shop, merchant, actor, locale } = await requireMerchant(request);
  const asked = readMonthRequest(request.url, merchant, new Date());
  const name = new URL(request.url).searchParams.get("name");
  const language = fileLanguage(locale, merchant, new URLSearchParams({ month: asked.month }));
  const file = monthFileName.safeParse(name);
  if (!file.success && name !== "differences.csv") return notFound();
  await recordAudit({ shop, actor, action: "file_exported", subject: `${asked.month} ${name}` });
  return file.success
    ? fileOfMonth(merchant, asked.month, file.data, language)
    : differencesOfMonth(merchant, asked, language);
}
