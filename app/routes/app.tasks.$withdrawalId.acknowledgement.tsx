/**
 * /app/tasks/<id>/acknowledgement: a file for the merchant to send to the customer. It states the withdrawn contracts
 * and the time, or the text of an undelivered mail.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { readMailText } from "#app/outbox/outbox.server.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";
import { findTask } from "#app/orders/tasks/tasks.server.ts";
import type { TaskView } from "#app/orders/tasks/tasks.ts";
import { acknowledgementText } from "#app/withdrawals/acknowledgement.ts";
import { readWithdrawal } from "#app/withdrawals/withdraw.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { shop, actor } = await requireMerchant(request);
  const task = await findTask(shop, params["withdrawalId"] ?? "");
  const text = task && (await textOf(shop, task));
  if (text === null) throw notFound();
  await recordAudit({ shop, actor, action: "file_exported", subject: "withdrawal.txt" });
  return new Response(text, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="withdrawal.txt"',
    },
  });
}

async function textOf(shop: string, task: TaskView): Promise<string | null> {
  if (task.kind === "mail_refused") return readMailText(shop, task.details.mailId);
  if (task.kind !== "withdrawal" || task.orderId === null) return null;
  const view = await readWithdrawal(shop, task.orderId);
  return view && acknowledgementText(view, view.language);
}
