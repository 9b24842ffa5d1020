/** A merchant's settings for the app as a whole. */
import { z } from "zod";
import { type Locale, locales } from "#app/platform/locale.ts";
import type { SaleRule } from "../../extensions/sale-rule.ts";
import { connectionManagers } from "./permissions.ts";

const mail = z.object({
  subject: z.string().trim().max(200),
  body: z.string().trim().max(5_000),
});

/** How many months the form offers; what was set otherwise is kept. */
export const retentionChoices = ["0", "6", "12", "24", "36", "60"] as const;

/** How many days the form offers; what was set otherwise is kept. */
export const withdrawalChoices = ["14", "30", "60"] as const;

/** When the line of a plan is fulfilled: together with the product that it insures, once the contract exists, or not by the app. */
export const fulfilmentTimes = ["with_goods", "at_once", "never"] as const;
export type FulfilmentTime = (typeof fulfilmentTimes)[number];

/** What the merchant lets the shop sell: extensions/sale-rule.ts says what each field decides. */
export const saleSettings = z.object({
  /** ISO 3166-1 codes; empty: the shop's own country */
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .max(250)
    .default([]),
  /** Its texts and the law that it is made for are consumers'. */
  companies: z.boolean().default(false),
  /** The shop's checkout collects once: somebody has to collect the following months. */
  monthly: z.boolean().default(false),
  registrationNumber: z.string().trim().max(100).default(""),
  maxQuoteAgeDays: z.int().min(1).max(3_650).nullable().default(null),
});

/** @param country the shop's own; empty: not known yet */
export const saleRuleOf = (sale: z.infer<typeof saleSettings>, country: string): SaleRule => ({
  ...sale,
  countries: sale.countries.length > 0 || country === "" ? sale.countries : [country],
});

export const merchantSettings = z.object({
  /** Months until customers' personal data is deleted; 0 keeps it until someone requests its deletion. */
  retentionMonths: z.coerce.number().int().min(0).max(120).default(36),
  /** Fulfil the lines of contracts in the shop, so that orders close. Needs an optional scope. */
  fulfilsPlans: z.enum(fulfilmentTimes).default("with_goods"),
  /** Show customers the cover of their order on its page. Needs an optional scope. */
  showsCover: z.boolean().default(true),
  /** Staff add plans to draft orders, such as on the phone. Needs an optional scope, so it is off until it is wanted. */
  sellsOnDrafts: z.boolean().default(false),
  /** Days in which customers may withdraw from a contract: never fewer than the 14 of directive 2011/83, article 9. */
  withdrawalDays: z.coerce.number().int().min(14).max(366).default(30),
  /** Who may change tokens, go live and disconnect; the owner decides. */
  connectionManagers: z.enum(connectionManagers).default("owner"),
  /** Where customers' answers to the app's own mails go; empty: nowhere. */
  replyTo: z.union([z.literal(""), z.email().max(254)]).default(""),
  /** Mail customers their contract once it is active; off where the insurer does so itself. */
  mailsContracts: z.boolean().default(true),
  /** Mail customers that their claim is new or has another state. */
  mailsClaims: z.boolean().default(false),
  /** Where the insurer takes claims: an address, a phone number or a page, as customers read it; empty: not known. */
  claimContact: z.string().trim().max(300).default(""),
  sale: saleSettings.prefault({}),
  /** The e-mail with a quote for the customer, by language; empty texts mean the app's defaults. */
  mail: z.record(z.enum(locales), mail).default({ en: empty(), fr: empty() }),
});
export type MerchantSettings = z.infer<typeof merchantSettings>;

function empty(): MailTexts {
  return { subject: "", body: "" };
}

export const defaultMerchantSettings: MerchantSettings = merchantSettings.parse({});

/** The e-mail with a quote for the customer: what its texts say, and what they are filled with. */
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
type MailField = (typeof mailFields)[number];

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
