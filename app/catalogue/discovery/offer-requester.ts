/** Requests the offers of one category and counts the requests. */
import type { InsuranceClient } from "#app/insurance/client.ts";
import { Rejected } from "#app/insurance/errors.ts";
import type { UnreadableRows } from "#app/insurance/list.ts";
import type { Offer } from "#app/insurance/offers.ts";
import type { PricedVariant } from "./product-samples.ts";

export interface OfferRequester {
  /** The general offers at a price, or those for one product. @throws InsuranceError */
  request(productPriceMinor: number, productReferenceId?: string): Promise<Offer[]>;
  /** Where nothing was found: whether the insurer finds offers if a product is named. Then every request names one. */
  findsWithProduct(): Promise<boolean>;
  /** the number of requests sent */
  calls(): number;
  /** the offers that cannot be read, in the response that had most of them; null: none */
  unreadable(): UnreadableRows | null;
}

/**
 * If the insurer requires a product in every request, the requester names the variant with the nearest price. If the
 * insurer refuses products, it names none.
 */
export function createOfferRequester(
  client: Pick<InsuranceClient, "offers">,
  categoryId: string,
  variants: readonly PricedVariant[],
): OfferRequester {
  let requiresProduct = false;
  let refusesProduct = false;
  let calls = 0;
  let worst: UnreadableRows | null = null;

  async function send(productPriceMinor: number, productReferenceId?: string): Promise<Offer[]> {
    calls += 1;
    const product = productReferenceId === undefined ? {} : { productReferenceId };
    const { items, unreadable } = await client.offers.listReadable({
      categoryId,
      productPriceMinor,
      ...product,
    });
    if (unreadable && unreadable.count > (worst?.count ?? 0)) worst = unreadable;
    return items.filter((offer) => offer.categoryId === categoryId);
  }

  async function requestWithout(price: number, product: string | undefined): Promise<Offer[]> {
    try {
      return await send(price);
    } catch (error) {
      if (!(error instanceof Rejected) || product === undefined) throw error;
      requiresProduct = true;
      return send(price, product);
    }
  }

  async function requestWith(price: number, product: string): Promise<Offer[]> {
    try {
      return await send(price, product);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const offers = await send(price);
      refusesProduct = true;
      return offers;
    }
  }

  return {
    calls: () => calls,
    unreadable: () => worst,
    async findsWithProduct() {
      const [first, second] = variants.toSorted((a, b) => b.priceMinor - a.priceMinor);
      if (requiresProduct || refusesProduct || first === undefined) return false;
      const offers = await requestWith(first.priceMinor, first.variantId);
      if (offers.length === 0) return false;
      // An offer for one product alone is no general offer: another product confirms it.
      const confirmed = second ? await requestWith(first.priceMinor, second.variantId) : offers;
      requiresProduct = confirmed.some(({ referenceId }) =>
        offers.some((offer) => offer.referenceId === referenceId),
      );
      return requiresProduct;
    },
    async request(price, productReferenceId) {
      const product = productReferenceId ?? nearest(variants, price);
      if (refusesProduct) return send(price);
      if (requiresProduct) return send(price, product);
      return productReferenceId === undefined
        ? requestWithout(price, product)
        : requestWith(price, productReferenceId);
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
