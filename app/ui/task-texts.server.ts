/** A task's texts outside a page: for files. */
import { createInstance } from "i18next";
import type { TaskTexts } from "#app/plans/orders/export.server.ts";
import type { TaskView } from "#app/plans/tasks/tasks.ts";
import type { Locale } from "#app/platform/locale.ts";
import { formatsFor } from "./format.ts";
import { messagesFor } from "#app/locales/index.server.ts";
import { taskTextValues } from "./task-text.ts";

export function taskTextsIn(locale: Locale, timezone: string): (task: TaskView) => TaskTexts {
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
      title: t(`tasks:kind.${task.kind}.title`),
      why: t(`tasks:kind.${task.kind}.why`, values),
      todo: t(`tasks:kind.${task.kind}.todo`, values),
    };
  };
}
