/**
 * Whether a plan may be sold: one rule for catalogue, storefront, cart, checkout, staff, quotes and paid orders. Pure and
 * without imports, because the checkout's Function contains it. A surface ignores what it does not know; a later
 * surface decides, at last the check of the paid order.
 */

export const refusals = [
  /** the delivery country is not among the merchant's */
  "country",
  /** the buyer is a company, and the merchant sells to consumers alone */
  "company",
  /** the buyer pays in another currency than the offer's */
  "currency",
  /** the product's price is not in the offer's price band */
  "price_band",
  /** the yearly premium needs a registered intermediary */
  "yearly_premium",
  /** monthly: no party collects the later months */
  "monthly",
  /** the purchase is too old for a quote */
  "product_age",
] as const;
export type Refusal = (typeof refusals)[number];

/** The merchant's decisions, as far as a surface knows them. */
export interface SaleRule {
  /** ISO 3166-1 codes; France's overseas territories have their own. Empty: the shop's country is not known */
  countries: readonly string[];
  companies: boolean;
  monthly: boolean;
  /** the merchant's registration as an insurance intermediary; empty: none */
  registrationNumber: string;
  /** days since the purchase within which a product may get a quote; null: no limit */
  maxQuoteAgeDays: number | null;
}

export interface Place {
  /** ISO 3166-1 alpha-2 */
  country: string | null;
  postcode?: string | null | undefined;
}

/** An offer's data for the rule. Money is in minor units. */
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
  /** the currency in which the buyer pays */
  currency?: string | undefined;
  productPriceMinor?: number | undefined;
  /** days since the product was bought */
  ageDays?: number | undefined;
}

/**
 * Directive (EU) 2016/97, article 1(3): a seller of insurance with a product needs no registration up to 600 euros a
 * year, pro rata. The law names no amount in other currencies, so the rule ignores those.
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

/** By the first three digits of the postcode, for addresses with the country France. */
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
/** Both islands have postcodes of Guadeloupe. */
const islands: Partial<Record<string, string>> = { "97133": "BL", "97150": "MF" };

/**
 * The country whose law and insurance apply. Addresses in overseas France may have France as their country, so the
 * postcode decides.
 */
export function territoryOf({ country, postcode }: Place): string | null {
  if (country === null || country === "") return null;
  const code = country.toUpperCase();
  const digits = (postcode ?? "").replace(/\s/g, "");
  if (code !== "FR" || !/^\d{5}$/.test(digits)) return code;
  return islands[digits] ?? overseas[digits.slice(0, 3)] ?? code;
}
