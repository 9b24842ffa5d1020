/** Selects the products of the shop that discovery names in its requests, and compares offers. */
import type { Reference } from "#app/catalogue/references/reference.ts";
import type { Offer } from "#app/insurance/offers.ts";
import type { Band } from "./price-search.ts";

/** A variant of the shop: the spec's product reference, and its price. */
export interface PricedVariant {
  variantId: string;
  priceMinor: number;
}

/** One of the shop's products in the band, a different one in each discovery. */
export function pickVariant(
  sorted: readonly PricedVariant[],
  { min, max }: Band,
  round: number,
): PricedVariant | undefined {
  const inside = sorted.filter(({ priceMinor }) => min <= priceMinor && priceMinor <= max);
  return inside[round % Math.max(1, inside.length)];
}

/** The products to name, spread over the bands, and different in each discovery. */
export function sampleVariants(
  sorted: readonly PricedVariant[],
  bands: readonly Band[],
  round: number,
  count: number,
): PricedVariant[] {
  const inside = sorted.filter(({ priceMinor }) =>
    bands.some(({ min, max }) => min <= priceMinor && priceMinor <= max),
  );
  const named = Math.min(count, inside.length);
  const chosen = new Set<PricedVariant>();
  for (let index = 0; index < named; index++) {
    const at = Math.floor(((index + 0.5) * inside.length) / named + round) % inside.length;
    const variant = inside[at];
    if (variant) chosen.add(variant);
  }
  return [...chosen];
}

/** The references whose band holds the price. */
export function referencesAt(references: readonly Reference[], priceMinor: number): Reference[] {
  return references.filter((each) => each.bandMinMinor <= priceMinor && priceMinor <= each.bandMaxMinor);
}

export function areSameOffers(expected: readonly Reference[], offers: readonly Offer[]): boolean {
  return (
    expected.length === offers.length &&
    offers.every((offer) =>
      expected.some(
        ({ referenceId, priceMinor }) => referenceId === offer.referenceId && priceMinor === offer.priceMinor,
      ),
    )
  );
}

/**
 * Whether these are the offers of the references at a price. Where two bands meet, the insurer may offer both or one.
 */
export function areOffersAt(
  references: readonly Reference[],
  priceMinor: number,
  offers: readonly Offer[],
): boolean {
  const both = referencesAt(references, priceMinor);
  const [lower, upper] = [
    both.filter(({ bandMinMinor }) => bandMinMinor !== priceMinor),
    both.filter(({ bandMaxMinor }) => bandMaxMinor !== priceMinor),
  ];
  const readings = lower.length > 0 && upper.length > 0 ? [both, lower, upper] : [both];
  return readings.some((reading) => areSameOffers(reading, offers));
}

export function bandOf({ bandMinMinor: min, bandMaxMinor: max }: Reference): Band {
  return { min, max };
}

export function isBand({ min, max }: Band): boolean {
  return min <= max;
}

export function distinctBands(bands: readonly Band[]): Band[] {
  return [...new Map(bands.filter(isBand).map((band) => [`${band.min} ${band.max}`, band])).values()].sort(
    (a, b) => a.min - b.min || a.max - b.max,
  );
}
