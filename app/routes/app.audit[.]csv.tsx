/** /app/audit.csv: the audit log as a file, with the filters of the page. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { auditFilter } from "#app/audit/audit-filter.ts";
import { exportAudit } from "#app/audit/audit-log.server.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { shop, merchant, actor } = await requireMerchant(request);
  const filter = auditFilter.parse(Object.fromEntries(new URL(request.url).searchParams));
  await recordAudit({ shop, actor, action: "file_exported", subject: "audit.csv" });
  return exportAudit(merchant, filter);
}
