/**
 * The texts of the admin: `en/*.json` and `fr/*.json`, one namespace a page (`useTranslation("claims")`). They stay on
 * the server: app/routes/app.tsx sends a page the texts of its language alone. test/ui/locales.test.ts asserts that
 * both languages have the same keys and placeholders.
 */
import polarisFr from "@shopify/polaris/locales/fr.json" with { type: "json" };
import type { Locale } from "#app/platform/locale.ts";
import analyticsEn from "./en/analytics.json" with { type: "json" };
import auditEn from "./en/audit.json" with { type: "json" };
import automaticQuotesEn from "#app/locales/en/automatic-quotes.json" with { type: "json" };
import catalogueEn from "./en/catalogue.json" with { type: "json" };
import claimsEn from "./en/claims.json" with { type: "json" };
import commonEn from "./en/common.json" with { type: "json" };
import connectionEn from "./en/connection.json" with { type: "json" };
import goLiveEn from "./en/go-live.json" with { type: "json" };
import historyEn from "./en/history.json" with { type: "json" };
import homeEn from "./en/home.json" with { type: "json" };
import quotesEn from "#app/locales/en/quotes.json" with { type: "json" };
import ordersEn from "./en/orders.json" with { type: "json" };
import plansEn from "./en/plans.json" with { type: "json" };
import productsEn from "./en/products.json" with { type: "json" };
import settingsEn from "./en/settings.json" with { type: "json" };
import settlementEn from "./en/settlement.json" with { type: "json" };
import tasksEn from "./en/tasks.json" with { type: "json" };
import touchpointsEn from "./en/touchpoints.json" with { type: "json" };
import analyticsFr from "./fr/analytics.json" with { type: "json" };
import auditFr from "./fr/audit.json" with { type: "json" };
import automaticQuotesFr from "#app/locales/fr/automatic-quotes.json" with { type: "json" };
import catalogueFr from "./fr/catalogue.json" with { type: "json" };
import claimsFr from "./fr/claims.json" with { type: "json" };
import commonFr from "./fr/common.json" with { type: "json" };
import connectionFr from "./fr/connection.json" with { type: "json" };
import goLiveFr from "./fr/go-live.json" with { type: "json" };
import historyFr from "./fr/history.json" with { type: "json" };
import homeFr from "./fr/home.json" with { type: "json" };
import quotesFr from "#app/locales/fr/quotes.json" with { type: "json" };
import ordersFr from "./fr/orders.json" with { type: "json" };
import plansFr from "./fr/plans.json" with { type: "json" };
import productsFr from "./fr/products.json" with { type: "json" };
import settingsFr from "./fr/settings.json" with { type: "json" };
import settlementFr from "./fr/settlement.json" with { type: "json" };
import tasksFr from "./fr/tasks.json" with { type: "json" };
import touchpointsFr from "./fr/touchpoints.json" with { type: "json" };

const en = {
  analytics: analyticsEn,
  audit: auditEn,
  automaticQuotes: automaticQuotesEn,
  catalogue: catalogueEn,
  claims: claimsEn,
  common: commonEn,
  connection: connectionEn,
  goLive: goLiveEn,
  history: historyEn,
  home: homeEn,
  quotes: quotesEn,
  orders: ordersEn,
  plans: plansEn,
  products: productsEn,
  settings: settingsEn,
  settlement: settlementEn,
  tasks: tasksEn,
  touchpoints: touchpointsEn,
};

/** Every text of one language, by namespace. */
export type Messages = typeof en;

const fr: Messages = {
  analytics: analyticsFr,
  audit: auditFr,
  automaticQuotes: automaticQuotesFr,
  catalogue: catalogueFr,
  claims: claimsFr,
  common: commonFr,
  connection: connectionFr,
  goLive: goLiveFr,
  history: historyFr,
  home: homeFr,
  quotes: quotesFr,
  orders: ordersFr,
  plans: plansFr,
  products: productsFr,
  settings: settingsFr,
  settlement: settlementFr,
  tasks: tasksFr,
  touchpoints: touchpointsFr,
};

const messages: Record<Locale, Messages> = { en, fr };

export function messagesFor(locale: Locale): Messages {
  return messages[locale];
}

/** The texts that a page receives in one language. */
export interface Texts {
  messages: Messages;
  /** Polaris' own texts; null for English, which Polaris contains */
  polaris: typeof polarisFr | null;
}

const texts: Record<Locale, string> = {
  en: JSON.stringify({ messages: en, polaris: null } satisfies Texts),
  fr: JSON.stringify({ messages: fr, polaris: polarisFr } satisfies Texts),
};

/**
 * All texts as one JSON string (`readTexts` in ../ui/i18n.tsx). Serialized as thousands of loader values they cost
 * server and browser far more time.
 */
export function textsFor(locale: Locale): string {
  return texts[locale];
}
