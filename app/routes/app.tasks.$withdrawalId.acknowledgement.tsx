/** /app/tasks/<id of a withdrawal’s task>/acknowledgement: what a customer withdrew from and when, as a file to send to them. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { recordAudit } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";
import { findTask } from "#app/plans/tasks/tasks.server.ts";
import { acknowledgementText } from "#app/plans/withdrawal/page.ts";
import { readWithdrawal } from "#app/plans/withdrawal/withdraw.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { shop, actor, locale } = await requireMerchant(request);
  const task = await findTask(shop, params["withdrawalId"] ?? "");
  const orderId = task?.kind === "withdrawal" || task?.kind === "mail_refused" ? task.orderId : null;
  const view = orderId === null ? null : await readWithdrawal(shop, orderId);
  const text = view && acknowledgementText(view, locale);
  if (text === null) throw notFound();
  await recordAudit({ shop, actor, action: "file_exported", subject: "withdrawal.txt" });
  return new Response(text, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="withdrawal.txt"',
    },
  });
}
