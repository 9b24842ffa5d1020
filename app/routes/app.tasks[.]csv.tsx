/** /app/tasks.csv: the tasks as a CSV file, with the filters of the page. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { createInstance } from "i18next";
import { recordAudit } from "#app/audit/record.server.ts";
import { messagesFor } from "#app/locales/index.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import type { Locale } from "#app/platform/locale.ts";
import { fileLanguage } from "#app/ui/file-language.server.ts";
import { exportTasks, type TaskTexts } from "#app/orders/admin/export.server.ts";
import type { TaskView } from "#app/orders/tasks/tasks.ts";
import { formatsFor } from "#app/ui/format.ts";
import { taskTextValues, taskTitle } from "#app/ui/task-text.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const { shop, merchant, actor, locale } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  await recordAudit({ shop, actor, action: "file_exported", subject: "tasks.csv" });
  return exportTasks(
    merchant,
    search,
    fileLanguage(locale, merchant, search),
    taskTextsIn(locale, merchant.timezone),
  );
}

/** A task's texts outside a page. */
function taskTextsIn(locale: Locale, timezone: string): (task: TaskView) => TaskTexts {
  const i18n = createInstance();
  void i18n.init({
    lng: locale,
    fallbackLng: false,
    resources: { [locale]: messagesFor(locale) },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  const t = i18n.getFixedT<["tasks", "plans", "history"]>(locale, ["tasks", "plans", "history"]);
  const format = formatsFor(locale, timezone);
  return (task) => {
    const values = taskTextValues(task, t, format);
    return {
      title: taskTitle(task, t),
      why: t(`tasks:kind.${task.kind}.why`, values),
      todo: t(`tasks:kind.${task.kind}.todo`, values),
    };
  };
}
