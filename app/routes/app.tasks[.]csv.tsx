/** /app/tasks.csv: the tasks as a file, with the filters of the page. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { recordAudit } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { fileLanguage } from "#app/ui/file-language.server.ts";
import { exportTasks } from "#app/plans/orders/export.server.ts";
import { taskTextsIn } from "#app/ui/task-texts.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { shop, merchant, actor, locale } = await requireMerchant(request);
  await recordAudit({ shop, actor, action: "file_exported", subject: "tasks.csv" });
  return exportTasks(
    merchant,
    new URL(request.url).searchParams,
    fileLanguage(locale, merchant.timezone),
    taskTextsIn(locale, merchant.timezone),
  );
}
