/**
 * Whether a cover may be sold here: the one rule of the shop's catalogue, storefront, cart, checkout, staff, quotes and
 * ledger. Pure and without imports, because the checkout's Function carries it. What a surface does not know refuses
 * nothing: a later surface decides it, at last the check of the paid order.
 */

export const refusals = [
  /** it is delivered to a country that the merchant does not sell to */
  "country",
  /** a company buys, and the merchant sells to consumers alone */
  "company",
  /** the buyer pays in another currency than the offer's */
  "currency",
  /** the product's price is not in the offer's price band */
  "price_band",
  /** the yearly premium needs a registered intermediary */
  "yearly_premium",
  /** no one collects after the first month */
  "monthly",
  /** the product was bought too long ago for a quote */
  "product_age",
] as const;
export type Refusal = (typeof refusals)[number];

/** What the merchant decided, as far as a surface has it. */
export interface SaleRule {
  /** ISO 3166-1 codes; France's overseas territories by their own. Empty: the shop's country is not known */
  countries: readonly string[];
  companies: boolean;
  monthly: boolean;
  /** the merchant's as an insurance intermediary; empty: none */
  registrationNumber: string;
  /** days since the purchase within which a product may get a quote; null: any number */
  maxQuoteAgeDays: number | null;
}

export interface Place {
  /** ISO 3166-1 alpha-2 */
  country: string | null;
  postcode?: string | null | undefined;
}

/** What an offer sells. Money is minor units. */
export interface Cover {
  currency: string;
  priceMinor: number;
  billing: "monthly" | "annually";
  termMonths: number;
  bandMinMinor: number;
  bandMaxMinor: number;
}

export interface Sale {
  delivery?: Place | null | undefined;
  isCompany?: boolean | undefined;
  cover?: Cover | undefined;
  /** in which the buyer pays */
  currency?: string | undefined;
  productPriceMinor?: number | undefined;
  /** days since the product was bought */
  ageDays?: number | undefined;
}

/**
 * Directive (EU) 2016/97, article 1(3): up to 600 euros a year, pro rata, who sells insurance with a product needs no
 * registration. The law names no amount in other currencies, so those are not judged.
 */
export const MAX_YEARLY_EURO_CENTS = 60_000;

/** The first reason against the sale; null: it may be sold. */
export function refusalOf(rule: Partial<SaleRule>, sale: Sale): Refusal | null {
  const { cover, currency, productPriceMinor: price, ageDays } = sale;
  const { countries = [], companies = true, monthly = true, registrationNumber, maxQuoteAgeDays } = rule;
  const place = sale.delivery ? territoryOf(sale.delivery) : null;
  if (place !== null && countries.length > 0 && !countries.includes(place)) return "country";
  if (sale.isCompany === true && !companies) return "company";
  if (cover) {
    if (currency !== undefined && cover.currency !== currency) return "currency";
    if (price !== undefined && (price < cover.bandMinMinor || price > cover.bandMaxMinor))
      return "price_band";
    if (registrationNumber === "" && isAboveExemption(cover)) return "yearly_premium";
    if (cover.billing === "monthly" && !monthly) return "monthly";
  }
  if (ageDays !== undefined && maxQuoteAgeDays != null && ageDays > maxQuoteAgeDays) return "product_age";
  return null;
}

function isAboveExemption({ currency, priceMinor, billing, termMonths }: Cover): boolean {
  // `annually` is paid once for the whole term.
  const months = billing === "monthly" ? 1 : termMonths;
  return currency === "EUR" && priceMinor * 12 > MAX_YEARLY_EURO_CENTS * months;
}

/** By the first three digits of a postcode that is written with the country France. */
const overseas: Partial<Record<string, string>> = {
  "971": "GP",
  "972": "MQ",
  "973": "GF",
  "974": "RE",
  "975": "PM",
  "976": "YT",
  "977": "BL",
  "978": "MF",
  "980": "MC",
  "984": "TF",
  "986": "WF",
  "987": "PF",
  "988": "NC",
};
/** Both keep postcodes of Guadeloupe. */
const islands: Partial<Record<string, string>> = { "97133": "BL", "97150": "MF" };

/**
 * The country whose law and insurance apply: of an address in France the metropolitan part or the territory that its
 * postcode names, because addresses are written both ways.
 */
export function territoryOf({ country, postcode }: Place): string | null {
  if (country === null || country === "") return null;
  const code = country.toUpperCase();
  const digits = (postcode ?? "").replace(/\s/g, "");
  if (code !== "FR" || !/^\d{5}$/.test(digits)) return code;
  return islands[digits] ?? overseas[digits.slice(0, 3)] ?? code;
}
