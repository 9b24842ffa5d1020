/** The e-mail with a quote for the customer: the merchant's texts or the app's, and what they are filled with. */
import type { Locale } from "#app/platform/locale.ts";
import type { MerchantSettings } from "./settings.ts";

export interface MailTexts {
  subject: string;
  body: string;
}

const defaultMail: Record<Locale, MailTexts> = {
  en: {
    subject: "Insurance for your {product}",
    body: "Hello {customer},\n\nyou can insure your {product} until {expires}. Choose the cover that suits you and subscribe here:\n\n{link}\n\nKind regards\n{shop}",
  },
  fr: {
    subject: "Une assurance pour votre {product}",
    body: "Bonjour {customer},\n\nvous pouvez assurer votre {product} jusqu’au {expires}. Choisissez l’assurance qui vous convient et souscrivez ici :\n\n{link}\n\nCordialement\n{shop}",
  },
};

export const mailFields = ["customer", "product", "link", "expires", "shop"] as const;
export type MailField = (typeof mailFields)[number];

/** The merchant's texts, or the app's defaults where they are empty. */
export function mailTexts(settings: Pick<MerchantSettings, "mail">, locale: Locale): MailTexts {
  const { subject, body } = settings.mail[locale];
  return { subject: subject || defaultMail[locale].subject, body: body || defaultMail[locale].body };
}

/** Replaces `{customer}` and the like by their values; unknown placeholders stay. */
export function fillMail({ subject, body }: MailTexts, values: Record<MailField, string>): MailTexts {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const field = mailFields.find((mailField) => mailField === name);
      return field === undefined ? whole : values[field];
    });
  return { subject: fill(subject), body: fill(body) };
}
