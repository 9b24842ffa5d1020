/**
 * The texts of the admin, one file per feature, each a namespace: `useTranslation("claims")`. They stay on the server:
 * a page gets those of its language with its data (app/routes/app.tsx), so that no other language is downloaded.
 */
import polarisFr from "@shopify/polaris/locales/fr.json" with { type: "json" };
import type { Locale } from "#app/platform/locale.ts";
import * as activity from "./activity.ts";
import * as analytics from "./analytics.ts";
import * as audit from "./audit.ts";
import * as catalogue from "./catalogue.ts";
import * as claims from "./claims.ts";
import * as common from "./common.ts";
import * as connection from "./connection.ts";
import * as home from "./home.ts";
import * as jobs from "./jobs.ts";
import * as leads from "./leads.ts";
import * as orders from "./orders.ts";
import * as plans from "./plans.ts";
import * as products from "./products.ts";
import * as settings from "./settings.ts";
import * as tasks from "./tasks.ts";
import * as touchpoints from "./touchpoints.ts";

/** Every text of one language, by feature. */
export type Messages = ReturnType<typeof inLocale>;

function inLocale(locale: Locale) {
  return {
    activity: activity[locale],
    analytics: analytics[locale],
    audit: audit[locale],
    catalogue: catalogue[locale],
    claims: claims[locale],
    common: common[locale],
    connection: connection[locale],
    home: home[locale],
    jobs: jobs[locale],
    leads: leads[locale],
    orders: orders[locale],
    plans: plans[locale],
    products: products[locale],
    settings: settings[locale],
    tasks: tasks[locale],
    touchpoints: touchpoints[locale],
  };
}

const messages: Record<Locale, Messages> = { en: inLocale("en"), fr: inLocale("fr") };

export function messagesFor(locale: Locale): Messages {
  return messages[locale];
}

/** Polaris' own texts; null for English, which it carries. */
export function polarisMessagesFor(locale: Locale): typeof polarisFr | null {
  return locale === "fr" ? polarisFr : null;
}
