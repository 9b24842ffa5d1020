/** What customers are shown of a quote. */
import { z } from "zod";
import { billing } from "#app/insurance/fields.ts";

/** Titles are the shop's, of any length. */
export const MAX_TITLE = 120;

/** The offers of a quote as they are stored; one without is never open. */
export const quoteOffers = z
  .array(z.object({ priceMinor: z.int(), currencyCode: z.string(), billing }))
  .min(1);
type QuoteOffers = z.output<typeof quoteOffers>;

export const lowestOffer = (offers: QuoteOffers): QuoteOffers[number] =>
  offers.reduce((a, b) => (b.priceMinor < a.priceMinor ? b : a));
