/** What a merchant decides about the app as a whole. */
import { z } from "zod";
import { locales } from "#app/platform/locale.ts";
import type { Locale } from "#app/platform/locale.ts";

const mail = z.object({
  subject: z.string().trim().max(200),
  body: z.string().trim().max(5_000),
});
export type MailTexts = z.infer<typeof mail>;

export const merchantSettings = z.object({
  /** Months after which customers' personal data is deleted here; 0 keeps it until its deletion is asked for. */
  retentionMonths: z.coerce.number().int().min(0).max(120).default(0),
  /** The e-mail that brings a quote to its customer, by language; empty texts are the app's own. */
  mail: z.record(z.enum(locales), mail).default({ en: empty(), fr: empty() }),
});
export type MerchantSettings = z.infer<typeof merchantSettings>;

function empty(): MailTexts {
  return { subject: "", body: "" };
}

export const defaultMerchantSettings: MerchantSettings = merchantSettings.parse({});

const ownMail: Record<Locale, MailTexts> = {
  en: {
    subject: "Insurance for your {product}",
    body: "Hello {customer},\n\nyou can insure your {product} until {expires}. Choose the cover that suits you and subscribe here:\n\n{link}\n\nKind regards\n{shop}",
  },
  fr: {
    subject: "Une assurance pour votre {product}",
    body: "Bonjour {customer},\n\nvous pouvez assurer votre {product} jusqu’au {expires}. Choisissez la couverture qui vous convient et souscrivez ici :\n\n{link}\n\nCordialement\n{shop}",
  },
};

export const mailFields = ["customer", "product", "link", "expires", "shop"] as const;
export type MailField = (typeof mailFields)[number];

/** The merchant's text, or the app's own where there is none. */
export function mailTexts(settings: MerchantSettings, locale: Locale): MailTexts {
  const { subject, body } = settings.mail[locale];
  return { subject: subject || ownMail[locale].subject, body: body || ownMail[locale].body };
}

/** Puts values for `{customer}` and the like; what is not a field stays as it is. */
export function fillMail({ subject, body }: MailTexts, values: Record<MailField, string>): MailTexts {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const field = mailFields.find((known) => known === name);
      return field === undefined ? whole : values[field];
    });
  return { subject: fill(subject), body: fill(body) };
}
