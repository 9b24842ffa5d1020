/** Requests the offers of one category, and counts the requests. */
import type { InsuranceClient } from "#app/insurance/client.ts";
import { Rejected } from "#app/insurance/errors.ts";
import type { Offer } from "#app/insurance/offers.ts";
import type { PricedVariant } from "./product-samples.ts";

export interface OfferRequester {
  /** The offers at a price, for everybody or for the named product. @throws InsuranceError */
  request(productPriceMinor: number, productReferenceId?: string): Promise<Offer[]>;
  /** how many requests were sent */
  calls(): number;
}

/** A service that requires a product in every request gets the nearest in price. */
export function createOfferRequester(
  client: Pick<InsuranceClient, "offers">,
  categoryId: string,
  variants: readonly PricedVariant[],
): OfferRequester {
  let requiresProduct = false;
  let calls = 0;

  async function send(productPriceMinor: number, productReferenceId?: string): Promise<Offer[]> {
    calls += 1;
    const product = productReferenceId === undefined ? {} : { productReferenceId };
    const offers = await client.offers.list({ categoryId, productPriceMinor, ...product });
    return offers.filter((offer) => offer.categoryId === categoryId);
  }

  return {
    calls: () => calls,
    async request(price, productReferenceId) {
      const product = productReferenceId ?? nearest(variants, price);
      if (requiresProduct || productReferenceId !== undefined) return send(price, product);
      try {
        return await send(price);
      } catch (error) {
        if (!(error instanceof Rejected) || product === undefined) throw error;
        requiresProduct = true;
        return send(price, product);
      }
    },
  };
}

function nearest(variants: readonly PricedVariant[], priceMinor: number): string | undefined {
  const distance = (variant: PricedVariant) => Math.abs(variant.priceMinor - priceMinor);
  let best: PricedVariant | undefined;
  for (const variant of variants) {
    if (!best || distance(variant) < distance(best)) best = variant;
  }
  return best?.variantId;
}
