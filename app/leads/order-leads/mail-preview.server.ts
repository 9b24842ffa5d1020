/** The e-mails' Liquid, rendered with a sample order as the platform's notifications render it. */
import { Liquid } from "liquidjs";
import type { Locale } from "#app/platform/locale.ts";
import type { OrderQuotes } from "../../../extensions/cover/src/quotes.ts";
import { mailLiquid } from "./mail-liquid.ts";
import type { MailKind } from "./mail-liquid.ts";

const NAMESPACE = "app--preview";

const sample = (currency: string, until: string): OrderQuotes => ({
  isTest: false,
  stopUrl: "https://example.com/quotes/stop",
  quotes: [
    ...[{ product: "Smartphone Nova 128 Go", fromMinor: 790, monthly: true }],
    ...[{ product: "Casque Lumen", fromMinor: 2_900, monthly: false }],
  ].map((quote) => ({ ...quote, url: "https://example.com/quotes/one", until, currency })),
});

/** @param until last day of the sample's quotes, `YYYY-MM-DD` */
export function mailPreviews(currency: string, until: string): Record<Locale, Record<MailKind, string>> {
  const metafields = { [NAMESPACE]: { quotes: { value: sample(currency, until) } } };
  const render = (kind: MailKind, locale: Locale): string => {
    const liquid = new Liquid({ strictFilters: true });
    const money = new Intl.NumberFormat(locale, { style: "currency", currency });
    liquid.registerFilter("money", (minor: unknown) => money.format(Number(minor) / 100));
    const mail = String(liquid.parseAndRenderSync(mailLiquid(kind, locale, NAMESPACE), { metafields }));
    // Nobody can leave the preview by the sample's links.
    return mail.replaceAll(/ href="[^"]*"/g, "");
  };
  const inLocale = (locale: Locale): Record<MailKind, string> => ({
    order_confirmation: render("order_confirmation", locale),
    shipping_confirmation: render("shipping_confirmation", locale),
    reminder: render("reminder", locale),
  });
  return { en: inLocale("en"), fr: inLocale("fr") };
}
