/** A merchant's settings for the app as a whole. */
import { z } from "zod";
import { emailAddress } from "#app/platform/email-address.ts";
import { type Locale, locales } from "#app/platform/locale.ts";
import type { SaleRule } from "../../extensions/sale-rule.ts";
import { connectionManagers } from "./permissions.ts";

const mail = z.object({
  subject: z.string().trim().max(200),
  body: z.string().trim().max(5_000),
});

/** The months in the form; another saved value is kept. */
export const retentionChoices = ["0", "6", "12", "24", "36", "60"] as const;

/** The days in the form; another saved value is kept. */
export const withdrawalChoices = ["14", "30", "60"] as const;

/** When the app fulfils a plan's line: with the insured product, after the contract is created, or never. */
export const fulfilmentTimes = ["with_goods", "at_once", "never"] as const;
export type FulfilmentTime = (typeof fulfilmentTimes)[number];

/** The merchant's limits of the sale: extensions/sale-rule.ts explains each field. */
export const saleSettings = z.object({
  /** ISO 3166-1 codes; empty: the shop's own country */
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .max(250)
    .default([]),
  /** Also sells to companies. The insurance's texts and its law are for consumers. */
  companies: z.boolean().default(false),
  /** Also sells monthly plans. The checkout collects once, so another party has to collect the following months. */
  monthly: z.boolean().default(false),
  registrationNumber: z.string().trim().max(100).default(""),
  maxQuoteAgeDays: z.int().min(1).max(3_650).nullable().default(null),
});

/** The accounts of a journal. */
export const bookkeepingAccounts = ["payments", "premiums", "insurer", "commissions", "discounts"] as const;
export type BookkeepingAccount = (typeof bookkeepingAccounts)[number];

const account = z.string().trim().max(40).default("");

/** The merchant's accounts for the journal of a month; empty: the journal has the account's name. */
const bookkeeping = z.object({
  /** what Shopify pays out */
  payments: account,
  /** premiums that are the insurer's or the customer's */
  premiums: account,
  insurer: account,
  commissions: account,
  /** discounts that the shop bears */
  discounts: account,
} satisfies Record<BookkeepingAccount, z.ZodType>);

/** Mails to the merchant (app/reports). */
export const reportSettings = z.object({
  /** empty: the shop's contact address in Shopify */
  to: z.union([z.literal(""), emailAddress().max(254)]).default(""),
  monthlyReport: z.boolean().default(true),
  urgentReport: z.boolean().default(true),
});

/** @param country the shop's own; empty: unknown yet */
export const saleRuleOf = (sale: z.infer<typeof saleSettings>, country: string): SaleRule => ({
  ...sale,
  countries: sale.countries.length > 0 || country === "" ? sale.countries : [country],
});

export const merchantSettings = z.object({
  /** Months until customers' personal data is deleted; 0 keeps it until its deletion is requested. */
  retentionMonths: z.coerce.number().int().min(0).max(120).default(36),
  /** Fulfil the lines of contracts in the shop, so that orders close. Needs an optional scope. */
  fulfilsPlans: z.enum(fulfilmentTimes).default("with_goods"),
  /** Show customers the coverage on their order's page. Needs an optional scope. */
  showsCover: z.boolean().default(true),
  /** Tag orders in the shop that have a contract or an open task. Needs an optional scope. */
  tagsOrders: z.boolean().default(false),
  /**
   * Staff add plans to draft orders, for example during a phone call. Off by default, because it needs an optional
   * scope.
   */
  sellsOnDrafts: z.boolean().default(false),
  /** Days in which customers may withdraw from a contract: at least 14, in France at least 30 (law.ts). */
  withdrawalDays: z.coerce.number().int().min(14).max(366).default(30),
  /** Who may change tokens, go live and disconnect; only the owner changes this. */
  connectionManagers: z.enum(connectionManagers).default("owner"),
  /** The address for customers' replies to the app's mails; empty: none. */
  replyTo: z.union([z.literal(""), emailAddress().max(254)]).default(""),
  /** Mail customers their contract after it becomes active; off if the insurer does that. */
  mailsContracts: z.boolean().default(true),
  /** Mail customers about new claims and claims with another state. */
  mailsClaims: z.boolean().default(false),
  /** The insurer's contact for claims: an address, a phone number or a page, shown to customers; empty: unknown. */
  claimContact: z.string().trim().max(300).default(""),
  sale: saleSettings.prefault({}),
  bookkeeping: bookkeeping.prefault({}),
  reports: reportSettings.prefault({}),
  /** The e-mail with a quote for the customer, by language; empty texts mean the app's defaults. */
  mail: z.record(z.enum(locales), mail).default({ en: empty(), fr: empty() }),
});
export type MerchantSettings = z.infer<typeof merchantSettings>;

function empty(): MailTexts {
  return { subject: "", body: "" };
}

export const defaultMerchantSettings: MerchantSettings = merchantSettings.parse({});

/** The texts of the e-mail with a quote for the customer, and its placeholders. */
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

/** What stands for the last day of a quote that has none, after "until" and "jusqu’au". */
export const noExpiry: Record<Locale, string> = { en: "further notice", fr: "jour de votre choix" };

export const mailFields = ["customer", "product", "link", "expires", "shop"] as const;
type MailField = (typeof mailFields)[number];

/** The merchant's texts, or the app's defaults for empty ones. */
export function mailTexts(settings: Pick<MerchantSettings, "mail">, locale: Locale): MailTexts {
  const { subject, body } = settings.mail[locale];
  return { subject: subject || defaultMail[locale].subject, body: body || defaultMail[locale].body };
}

/** Replaces placeholders such as `{customer}` by their values; unknown placeholders stay. */
export function fillMail({ subject, body }: MailTexts, values: Record<MailField, string>): MailTexts {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const field = mailFields.find((mailField) => mailField === name);
      return field === undefined ? whole : values[field];
    });
  return { subject: fill(subject), body: fill(body) };
}
