/**
 * The texts of the admin, one file per feature, each a namespace: `useTranslation("claims")`. They stay on the server:
 * a page gets those of its language with its data (app/routes/app.tsx), so that no other language is downloaded.
 */
import polarisFr from "@shopify/polaris/locales/fr.json" with { type: "json" };
import type { Locale } from "#app/platform/locale.ts";
import * as analytics from "./analytics.ts";
import * as audit from "./audit.ts";
import * as automaticLeads from "./automatic-leads.ts";
import * as catalogue from "./catalogue.ts";
import * as claims from "./claims.ts";
import * as common from "./common.ts";
import * as connection from "./connection.ts";
import * as goLive from "./go-live.ts";
import * as history from "./history.ts";
import * as home from "./home.ts";
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
    analytics: analytics[locale],
    audit: audit[locale],
    automaticLeads: automaticLeads[locale],
    catalogue: catalogue[locale],
    claims: claims[locale],
    common: common[locale],
    connection: connection[locale],
    goLive: goLive[locale],
    history: history[locale],
    home: home[locale],
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

/** What a page gets of one language. */
export interface Texts {
  messages: Messages;
  /** Polaris' own; null for English, which it carries */
  polaris: typeof polarisFr | null;
}

const texts: Record<Locale, string> = {
  en: JSON.stringify({ messages: messages.en, polaris: null } satisfies Texts),
  fr: JSON.stringify({ messages: messages.fr, polaris: polarisFr } satisfies Texts),
};

/**
 * The texts as one string of JSON (`readTexts` in ../texts.ts): as thousands of values of a loader's answer they took
 * server and browser many times as long.
 */
export function textsFor(locale: Locale): string {
  return texts[locale];
}
