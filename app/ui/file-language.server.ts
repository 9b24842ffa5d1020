import filesEn from "#app/locales/en/files.json" with { type: "json" };
import filesFr from "#app/locales/fr/files.json" with { type: "json" };
import { messagesFor } from "#app/locales/index.server.ts";
import type { FileLanguage } from "#app/platform/csv.server.ts";
import type { Locale } from "#app/platform/locale.ts";

const files: Record<Locale, typeof filesEn> = { en: filesEn, fr: filesFr };

/** The texts of CSV files in the merchant's language: column names and the meaning of codes, worded as on the pages. */
export function fileLanguage(locale: Locale, timezone: string): FileLanguage {
  const { columns, values } = files[locale];
  const { analytics, orders, plans, tasks } = messagesFor(locale);
  return {
    locale,
    timezone,
    columns,
    values: {
      ...values,
      environment: orders.environment,
      planStatus: plans.state,
      touchpoint: analytics.attachment.touchpoint,
      outcome: tasks.outcome,
      dimension: analytics.attachment.label,
    },
  };
}
