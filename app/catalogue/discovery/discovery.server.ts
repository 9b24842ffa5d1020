/** Asks the service for all offers of a category: the price search (price-search.ts) with real calls. */
import { Rejected } from "#app/insurance/errors.ts";
import type { InsuranceClient } from "#app/insurance/client.server.ts";
import type { Offer, OfferQuery } from "#app/insurance/offer.ts";
import {
  withFoundBands,
  remainingCalls,
  newPriceSearch,
  nextSearchPrice,
  skipsOuterEnds,
} from "./price-search.ts";
import type { Band, PriceSearch } from "./price-search.ts";
import { referenceFromOffer } from "#app/catalogue/references/reference.ts";
import type { Reference } from "#app/catalogue/references/reference.ts";

/** A variant of the shop: the spec's product reference, and its price. */
export interface PricedVariant {
  variantId: string;
  priceMinor: number;
}

export interface DiscoveryInput {
  /** the shop's own variants that belong to the category, or all of them while no rule says which do */
  variants: readonly PricedVariant[];
  /** products that got offers of their own the last times: they are asked about first */
  ownOfferVariants: readonly PricedVariant[];
  /** what everybody is offered, as the last discovery found it */
  known: readonly Reference[];
  /** how many discoveries the category has had: each looks at other products */
  round: number;
  /** somebody asked for it: small categories are looked at from end to end, too */
  thorough: boolean;
}

export interface DiscoveryResult {
  references: Reference[];
  bands: number;
  calls: number;
  /** the products that were asked about by name */
  products: string[];
  /** those of them that get other offers than everybody: offers differ by product reference */
  differing: string[];
}

/** After so many changed answers the service has new prices: asking by name tells nothing any more. */
const CHANGES_BY_NAME = 2;
/** So many further products are asked about at most, where the calls allow. */
const MORE_PRODUCTS = 5;

/**
 * Reads a category to its end. Bands that are known are confirmed by asking for one of the shop's products in them, by
 * name, another one each time: where the answer is the known one, it holds for everybody and the product gets nothing
 * of its own. Where it is not, the same price is asked without a name, which tells a change from an offer for the very
 * product. The ends of the bands are not asked for every time; the calls saved go to further products.
 * @throws InsuranceError
 */
export async function discoverCategory(
  client: Pick<InsuranceClient, "offers">,
  categoryId: string,
  { variants, ownOfferVariants, known, round, thorough }: DiscoveryInput,
  signal?: AbortSignal,
): Promise<DiscoveryResult> {
  const sorted = [...variants].sort((a, b) => a.priceMinor - b.priceMinor);
  const prices = [...new Set(sorted.map(({ priceMinor }) => priceMinor))].filter((price) => price > 0);
  const bands = distinctBands(known.map(bandOf));
  const hints = { prices, known: bands, skipOuterEnds: skipsOuterEnds(bands.length, round, thorough) };
  const ask = createOfferQuery(client, categoryId, sorted);
  const general = new Map<string, Reference>();
  const own = new Map<string, Reference>();
  const products: string[] = [];
  const differing: string[] = [];
  let changes = 0;
  let walk: PriceSearch = newPriceSearch;

  const noteOwn = (variantId: string, offers: readonly Offer[], others: readonly Reference[]): void => {
    differing.push(variantId);
    const ids = new Set(others.map(({ referenceId }) => referenceId));
    for (const offer of offers) {
      if (!ids.has(offer.reference_id)) own.set(offer.reference_id, referenceFromOffer(offer, [variantId]));
    }
  };

  /** What everybody is offered at the price of a product, asked by its name. */
  const byName = async ({ variantId, priceMinor }: PricedVariant): Promise<Offer[]> => {
    const offers = await ask({ productPriceMinor: priceMinor, productReferenceId: variantId });
    products.push(variantId);
    if (isSameOffer(at(known, priceMinor), offers)) return offers;
    const everybodys = await ask({ productPriceMinor: priceMinor });
    const references = everybodys.map((offer) => referenceFromOffer(offer));
    if (isSameOffer(references, offers)) changes += 1;
    else noteOwn(variantId, offers, references);
    return everybodys;
  };

  for (;;) {
    signal?.throwIfAborted();
    const price = nextSearchPrice(walk, hints);
    if (price === null) break;
    const band = hints.known.find(({ min }) => min === price);
    const variant =
      band && changes < CHANGES_BY_NAME
        ? (pick(ownOfferVariants, band, round) ?? pick(sorted, band, round))
        : undefined;
    const offers = await (variant ? byName(variant) : ask({ productPriceMinor: price }));
    for (const offer of offers) general.set(offer.reference_id, referenceFromOffer(offer));
    walk = withFoundBands(
      walk,
      variant?.priceMinor ?? price,
      offers.map((offer) => bandOf(referenceFromOffer(offer))).filter(isBand),
    );
  }

  const left = Math.min(MORE_PRODUCTS, remainingCalls(walk) - (ask.calls() - walk.queriedPrices.length));
  const named = new Set(products);
  const more = [...ownOfferVariants, ...samples(sorted, walk.bands, round, left)].filter(
    ({ variantId }) => !named.has(variantId),
  );
  for (const { variantId, priceMinor } of more.slice(0, Math.max(0, left))) {
    signal?.throwIfAborted();
    const offers = await ask({ productPriceMinor: priceMinor, productReferenceId: variantId });
    products.push(variantId);
    const everybodys = at([...general.values()], priceMinor);
    if (!isSameOffer(everybodys, offers)) noteOwn(variantId, offers, everybodys);
  }
  return {
    references: [
      ...general.values(),
      ...[...own.values()].filter(({ referenceId }) => !general.has(referenceId)),
    ],
    bands: walk.bands.length,
    calls: ask.calls(),
    products,
    differing,
  };
}

function bandOf({ bandMinMinor: min, bandMaxMinor: max }: Reference): Band {
  return { min, max };
}

function isBand({ min, max }: Band): boolean {
  return min <= max;
}

function distinctBands(bands: readonly Band[]): Band[] {
  return [...new Map(bands.filter(isBand).map((band) => [`${band.min} ${band.max}`, band])).values()].sort(
    (a, b) => a.min - b.min || a.max - b.max,
  );
}

/** The references whose band holds the price. */
function at(references: readonly Reference[], priceMinor: number): Reference[] {
  return references.filter((each) => each.bandMinMinor <= priceMinor && priceMinor <= each.bandMaxMinor);
}

/** One of the shop's products in the band, another one in each round. */
function pick(
  sorted: readonly PricedVariant[],
  { min, max }: Band,
  round: number,
): PricedVariant | undefined {
  const inside = sorted.filter(({ priceMinor }) => min <= priceMinor && priceMinor <= max);
  return inside[round % Math.max(1, inside.length)];
}

/** Offers that belong to the category; a service that wants a product with every question gets the nearest in price. */
function createOfferQuery(
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
  const ask = async (query: { productPriceMinor: number; productReferenceId?: string }): Promise<Offer[]> => {
    const withProduct = {
      ...query,
      productReferenceId: query.productReferenceId ?? nearest(sorted, query.productPriceMinor),
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

function nearest(sorted: readonly PricedVariant[], priceMinor: number): string | undefined {
  let best: PricedVariant | undefined;
  for (const variant of sorted) {
    if (!best || Math.abs(variant.priceMinor - priceMinor) < Math.abs(best.priceMinor - priceMinor))
      best = variant;
  }
  return best?.variantId;
}

/** Products to ask about, others in each round, spread over the bands. */
function samples(
  sorted: readonly PricedVariant[],
  bands: readonly Band[],
  round: number,
  count: number,
): PricedVariant[] {
  const inside = sorted.filter(({ priceMinor }) =>
    bands.some(({ min, max }) => min <= priceMinor && priceMinor <= max),
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
        ({ referenceId, priceMinor }) => referenceId === offer.reference_id && priceMinor === offer.price,
      ),
    )
  );
}
