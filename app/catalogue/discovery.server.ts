/** Asks the service for all offers of a category: the walk of discovery.ts with real calls. */
import { Rejected } from "#app/insurance/errors.ts";
import type { InsuranceClient } from "#app/insurance/client.server.ts";
import type { Offer, OfferQuery } from "#app/insurance/offer.ts";
import { answered, callsLeft, newWalk, nextPrice } from "./discovery.ts";
import type { Band, Walk } from "./discovery.ts";
import { referenceOf } from "./reference.ts";
import type { Reference } from "./reference.ts";

/** A variant of the shop: the spec's product reference, and its price. */
export interface PricedVariant {
  variantId: string;
  priceCents: number;
}

export interface Asked {
  /** the shop's own variants that belong to the category, or all of them while no rule says which do */
  variants: readonly PricedVariant[];
  /** products that got offers of their own the last times: they are asked about first */
  special: readonly PricedVariant[];
  /** bands of the last discovery */
  known: readonly Band[];
  /** how many discoveries the category has had: each looks at other products */
  round: number;
}

export interface Discovered {
  references: Reference[];
  bands: number;
  calls: number;
  /** the products that were asked about by name */
  products: string[];
  /** those of them that get other offers than everybody: offers differ by product reference */
  differing: string[];
}

/**
 * Reads a category to its end. The first look asks for the ends of the bands; every other one trusts them and spends
 * the calls on whether another product gets other offers.
 * @throws InsuranceError
 */
export async function discoverCategory(
  client: Pick<InsuranceClient, "offers">,
  categoryId: string,
  { variants, special, known, round }: Asked,
  signal?: AbortSignal,
): Promise<Discovered> {
  const sorted = [...variants].sort((a, b) => a.priceCents - b.priceCents);
  const prices = [...new Set(sorted.map(({ priceCents }) => priceCents))].filter((price) => price > 0);
  const general = new Map<string, Reference>();
  const own = new Map<string, Reference>();
  const ask = asker(client, categoryId, sorted);
  let walk: Walk = newWalk;

  for (;;) {
    signal?.throwIfAborted();
    const price = nextPrice(walk, { prices, known, trustEnds: round % 2 === 1 });
    if (price === null) break;
    const offers = await ask({ productPriceCents: price });
    for (const offer of offers) {
      general.set(offer.reference_id, referenceOf(offer));
    }
    walk = answered(walk, price, bandsOf(offers));
  }

  const products: string[] = [];
  const differing: string[] = [];
  const left = callsLeft(walk);
  const chosen = [...special, ...samples(sorted, walk.bands, round, left)].slice(0, left);
  for (const { variantId, priceCents } of chosen) {
    signal?.throwIfAborted();
    products.push(variantId);
    const offers = await ask({ productPriceCents: priceCents, productReferenceId: variantId });
    const expected = [...general.values()].filter(
      (each) => each.bandMinCents <= priceCents && priceCents <= each.bandMaxCents,
    );
    if (isSameOffer(expected, offers)) continue;
    differing.push(variantId);
    for (const offer of offers) {
      if (!general.has(offer.reference_id)) own.set(offer.reference_id, referenceOf(offer, [variantId]));
    }
  }
  return {
    references: [...general.values(), ...own.values()],
    bands: walk.bands.length,
    calls: ask.calls(),
    products,
    differing,
  };
}

/** Offers that belong to the category; a service that wants a product with every question gets the nearest in price. */
function asker(
  client: Pick<InsuranceClient, "offers">,
  categoryId: string,
  sorted: readonly PricedVariant[],
) {
  let wantsProduct = false;
  let calls = 0;
  async function send(query: OfferQuery): Promise<Offer[]> {
    calls += 1;
    const offers = await client.offers.list({ categoryId, ...query });
    return offers.filter((offer) => offer.category_id === categoryId);
  }
  const ask = async (query: { productPriceCents: number; productReferenceId?: string }): Promise<Offer[]> => {
    const withProduct = {
      ...query,
      productReferenceId: query.productReferenceId ?? nearest(sorted, query.productPriceCents),
    };
    if (wantsProduct || query.productReferenceId !== undefined) return send(withProduct);
    try {
      return await send(query);
    } catch (error) {
      if (!(error instanceof Rejected) || withProduct.productReferenceId === undefined) throw error;
      wantsProduct = true;
      return send(withProduct);
    }
  };
  return Object.assign(ask, { calls: () => calls });
}

function nearest(sorted: readonly PricedVariant[], priceCents: number): string | undefined {
  let best: PricedVariant | undefined;
  for (const variant of sorted) {
    if (!best || Math.abs(variant.priceCents - priceCents) < Math.abs(best.priceCents - priceCents))
      best = variant;
  }
  return best?.variantId;
}

function bandsOf(offers: readonly Offer[]): Band[] {
  return offers
    .map(({ price_band_min: min, price_band_max: max }) => ({ min, max }))
    .filter(({ min, max }) => min <= max);
}

/** Products to ask about, others in each round, spread over the bands. */
function samples(
  sorted: readonly PricedVariant[],
  bands: readonly Band[],
  round: number,
  count: number,
): PricedVariant[] {
  const inside = sorted.filter(({ priceCents }) =>
    bands.some(({ min, max }) => min <= priceCents && priceCents <= max),
  );
  const chosen = new Set<PricedVariant>();
  for (let index = 0; index < Math.min(count, inside.length); index++) {
    const at = Math.floor(((index + 0.5) * inside.length) / Math.max(1, count) + round) % inside.length;
    const variant = inside[at];
    if (variant) chosen.add(variant);
  }
  return [...chosen];
}

function isSameOffer(expected: readonly Reference[], offers: readonly Offer[]): boolean {
  return (
    expected.length === offers.length &&
    offers.every((offer) =>
      expected.some(
        ({ referenceId, priceCents }) => referenceId === offer.reference_id && priceCents === offer.price,
      ),
    )
  );
}
