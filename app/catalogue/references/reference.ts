/** A reference of the insurance catalogue. */
import type { Billing } from "#app/insurance/fields.ts";
import type { Offer } from "#app/insurance/offers.ts";
import { MAX_STORED_MINOR } from "#app/platform/money.ts";

/** One insurance reference (spec, "Offer"): money in integer minor units, the term in months. */
export interface Reference {
  referenceId: string;
  contractId: string | null;
  categoryId: string;
  termMonths: number;
  /** the insurer's text of the term, "24 mois" */
  termLength: string;
  priceMinor: number;
  currency: string;
  bandMinMinor: number;
  bandMaxMinor: number;
  billing: Billing;
  title: string;
  /** the products with this offer if offers differ by product; empty: all products */
  productReferenceIds: string[];
}

/** Converts an offer of the insurer. An open-ended band ends at the highest price that the database stores. */
export function referenceFromOffer(offer: Offer, productReferenceIds: string[] = []): Reference {
  return {
    referenceId: offer.referenceId,
    contractId: offer.contractId,
    categoryId: offer.categoryId,
    termMonths: offer.termMonths,
    termLength: offer.termLength,
    priceMinor: Math.min(offer.priceMinor, MAX_STORED_MINOR),
    currency: offer.currencyCode,
    bandMinMinor: Math.max(0, Math.min(offer.bandMinMinor, MAX_STORED_MINOR)),
    bandMaxMinor: Math.max(0, Math.min(offer.bandMaxMinor, MAX_STORED_MINOR)),
    billing: offer.billing,
    title: offer.title,
    productReferenceIds,
  };
}
