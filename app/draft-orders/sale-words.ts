/** What a customer reads of the insurance of a draft order outside its page: the mail with the link, and the consent on the line. */
import { textsOf } from "#app/locales/customers/index.server.ts";
import { dayText, priceText, termText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";
import { type MailContent, writeMail } from "#app/platform/mail-document.ts";

/** What the customer ticked, with price, term and time: a property of the line, of which 500 characters are kept. */
export function linkConsent(
  language: Language,
  { priceMinor, months, currency, at }: { priceMinor: number; months: number; currency: string; at: Date },
): string {
  const t = textsOf(language, "sale");
  const moment = at.toISOString().slice(0, 19).replace("T", " ");
  return `${t("link")}, ${moment} UTC (${priceText(priceMinor, currency, language)}, ${termText(months, language)}): ${t("agreed")}`;
}

export interface MailedSale {
  shopName: string;
  /** `#D1` */
  name: string;
  isTest: boolean;
  link: string;
  /** YYYY-MM-DD */
  until: string;
}

/** The mail with the customer's own link. Prices and documents are on the page, where they are those of the moment. */
export function saleMail(
  { shopName, name, isTest, link, until }: MailedSale,
  language: Language,
): MailContent {
  const t = textsOf(language, "sale");
  const order = `${shopName}, ${name}`;
  return writeMail({
    language,
    shopName,
    subject: `${t("title")} – ${order}`,
    title: t("title"),
    parts: [
      ...(isTest ? [t("test")] : []),
      order,
      t("intro"),
      { label: t("open"), to: link },
      `${t("until", { date: dayText(until, language) })}.`,
    ],
  });
}
