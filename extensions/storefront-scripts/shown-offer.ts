import type { Band, Offer } from "../catalogue.ts";

/** An offer in a page. snippets/parasol-bands.liquid adds the merchant's name of its formula in the shopper's language. */
export interface ShownOffer extends Offer {
  formulaName?: string | undefined;
}

export type ShownBand = Band<ShownOffer>;
