/**
 * The amounts of offers. The specification declares integer cents, and its sample of a quote shows decimals: where one
 * amount of a list has a decimal point, its prices are currency units (`49.00` may come as `49` beside `89.9`).
 */
import { MAX_STORED_MINOR, toCappedMinorUnits } from "#app/platform/money.ts";
import { type CentsOrUnits, isInUnits } from "./fields.ts";

interface WrittenAmounts {
  price: CentsOrUnits;
  bandMin: CentsOrUnits;
  /** null: an open band */
  bandMax: CentsOrUnits | null;
  currencyCode: string;
}

interface OfferAmounts {
  /** Integer minor units. */
  priceMinor: number;
  /** Lowest product price the offer applies to, inclusive, minor units. */
  bandMinMinor: number;
  /** Highest product price the offer applies to, inclusive, minor units. */
  bandMaxMinor: number;
}

/**
 * Reads the amounts of each offer of one response.
 * @param productPriceMinor price of the product that the offers are for, minor units; null: unknown
 */
export function offerAmountsReader(
  offers: readonly WrittenAmounts[],
  productPriceMinor: number | null,
): (offer: WrittenAmounts) => OfferAmounts {
  const arePricesInUnits = offers.some(({ price }) => isInUnits(price));
  const areBandsInUnits = offers.some(
    ({ bandMin, bandMax }) => isInUnits(bandMin) || isInUnits(bandMax ?? 0),
  );
  return ({ price, bandMin, bandMax, currencyCode }) => {
    const inUnits = (value: CentsOrUnits) => toCappedMinorUnits(value, currencyCode);
    const inCents = (value: CentsOrUnits) => (isInUnits(value) ? inUnits(value) : Number(value));
    const bandIn = (convert: (value: CentsOrUnits) => number) => ({
      bandMinMinor: convert(bandMin),
      bandMaxMinor: bandMax === null ? MAX_STORED_MINOR : convert(bandMax),
    });
    const [bandInCents, bandInUnits] = [bandIn(inCents), bandIn(inUnits)];
    // The unit in which the band holds the product's price; cents if both or none do.
    const isBandInUnits =
      areBandsInUnits || (!holds(bandInCents, productPriceMinor) && holds(bandInUnits, productPriceMinor));
    return {
      priceMinor: arePricesInUnits ? inUnits(price) : inCents(price),
      ...(isBandInUnits ? bandInUnits : bandInCents),
    };
  };
}

const holds = (band: Pick<OfferAmounts, "bandMinMinor" | "bandMaxMinor">, price: number | null): boolean =>
  price !== null && band.bandMinMinor <= price && price <= band.bandMaxMinor;
