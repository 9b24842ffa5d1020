import filesEn from "#app/locales/en/files.json" with { type: "json" };
import filesFr from "#app/locales/fr/files.json" with { type: "json" };
import { messagesFor } from "#app/locales/index.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { periodFilter } from "#app/analytics/filter.ts";
import { lastDayOfMonth, toLocalDay } from "#app/platform/day.ts";
import { isMonth } from "#app/settlement/month.ts";
import type { FileLanguage } from "#app/platform/csv.server.ts";
import type { Locale } from "#app/platform/locale.ts";

const files: Record<Locale, typeof filesEn> = { en: filesEn, fr: filesFr };

/** The texts of CSV files in the merchant's language: column names and the meaning of codes, worded as on the pages. */
export function fileLanguage(
  locale: Locale,
  { shop, timezone }: Pick<Merchant, "shop" | "timezone">,
  search: URLSearchParams,
): FileLanguage {
  const { columns, values, names } = files[locale];
  const about = [shop.replace(/\.myshopify\.com$/, ""), periodName(search, toLocalDay(timezone, new Date()))];
  const { analytics, orders, plans, settlement, tasks } = messagesFor(locale);
  return {
    locale,
    timezone,
    fileName: (subject) => `${[names[subject], ...about].join("-")}.csv`,
    columns,
    values: {
      ...values,
      environment: orders.environment,
      planStatus: plans.state,
      touchpoint: analytics.attachment.touchpoint,
      outcome: tasks.outcome,
      dimension: analytics.attachment.label,
      difference: Object.fromEntries(
        Object.entries(settlement.kind).map(([kind, { title }]) => [kind, title]),
      ),
    },
  };
}

/** `2026-11` for a month that is named or is the whole period, `2026-11-03_2026-11-09` for other days, and the day of the export without a first day. */
function periodName(search: URLSearchParams, today: string): string {
  const month = search.get("month");
  if (month !== null && isMonth(month)) return month;
  const { start, end } = periodFilter.parse(Object.fromEntries(search));
  if (start === null) return end ?? today;
  const last = end ?? today;
  if (start === last) return start;
  const isWholeMonth = start.endsWith("-01") && last === lastDayOfMonth(start);
  return isWholeMonth ? start.slice(0, 7) : `${start}_${last}`;
}
