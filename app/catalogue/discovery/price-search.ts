/**
 * The search for a category's price bands: it picks the next price to request from the bands found so far.
 *
 * The insurer cannot list its offers. It returns those for one product price, with their bands. The search starts at
 * the shop's own prices, which can lie beyond a gap, and then requests prices just outside the found bands. A
 * response without a new band is a miss. The misses are limited to a fifth of the bands, so a category costs 1.2
 * requests per band, whatever the number of products.
 */

/** Product prices for which the same offers hold, integer minor units, both ends included. */
export interface Band {
  min: number;
  max: number;
}

export interface PriceSearch {
  /** distinct bands found so far, by their lower end */
  bands: readonly Band[];
  /** every requested price */
  queriedPrices: readonly number[];
  /** responses without a new band */
  misses: number;
}

export interface PriceSearchHints {
  /** the shop's own prices, ascending and distinct, integer minor units */
  prices: readonly number[];
  /** bands of the last discovery, which also checked their outer ends: each is worth a call */
  knownBands: readonly Band[];
  /** skip the outer ends of the known bands this time, as long as nothing has changed */
  skipOuterEnds: boolean;
}

/**
 * The minimum number of bands for which 1.2 calls per band suffice. Each outer end costs a call without a result, and
 * a gap costs another one.
 */
const FEW = 10;
/**
 * The outer ends are checked in every n-th discovery (usually weekly) if there are few bands, otherwise in every
 * second one.
 */
const FEW_EVERY = 7;

/**
 * Whether a discovery may skip the outer ends of the known bands.
 * @param bands the number of known bands
 * @param thorough a merchant started the run and expects a complete result
 */
export function skipsOuterEnds(bands: number, round: number, thorough: boolean): boolean {
  return bands < FEW ? !thorough && round % FEW_EVERY !== 0 : round % 2 === 1;
}

export const newPriceSearch: PriceSearch = { bands: [], queriedPrices: [], misses: 0 };

/** Prices to request if the shop has no prices: from cheap accessories to expensive devices, in minor units. */
const DEFAULT_PRICES = [5_000, 20_000, 80_000];
/**
 * The distance from a band's end to the next requested price. Bands in whole euros have gaps of 99 cents, and no band
 * is narrower than this.
 */
const STEP = 100;
/**
 * If this share of the shop's prices lies outside the found bands, there is probably a gap rather than an outlier.
 */
const LIKELY_GAP = 0.2;

/** The next price to request; null if the search is over. */
export function nextSearchPrice(
  search: PriceSearch,
  { prices: given, knownBands: known, skipOuterEnds }: PriceSearchHints,
): number | null {
  const prices = given.length > 0 ? given : DEFAULT_PRICES;
  if (search.queriedPrices.length === 0) return known[0]?.min ?? middle(prices) ?? null;
  const again = known.find((band) => !isConfirmed(search, band));
  if (again) return again.min;
  const skipsEnds = skipOuterEnds && isUnchanged(search, known);
  if (search.misses >= missesAllowed(search.bands.length, skipsEnds)) return null;
  const unexplored = prices.filter((price) => isUnexplored(search, price));
  if (search.bands.length === 0) return middle(unexplored) ?? null;

  const trusted = skipsEnds ? outerEnds(known) : [];
  const edges = findEdges(search, unexplored).filter(({ price }) => !trusted.includes(price));
  const jump = middle(unexplored);
  const isGap = unexplored.length >= prices.length * LIKELY_GAP;
  const next =
    // The shop has prices beyond this end, and their offers matter most.
    edges.find(({ prices: beyond }) => beyond > 0)?.price ??
    (isGap ? jump : undefined) ??
    edges.find(({ side }) => side === "above")?.price ??
    edges.find(({ isLowest }) => isLowest)?.price ??
    jump ??
    edges[0]?.price;
  return next ?? null;
}

/** The search after a request for the offers at `price` that returned these bands. */
export function withFoundBands(search: PriceSearch, price: number, foundBands: readonly Band[]): PriceSearch {
  const bands = [...search.bands];
  for (const band of foundBands) {
    if (!bands.some(({ min, max }) => min === band.min && max === band.max)) bands.push(band);
  }
  return {
    bands: bands.sort((a, b) => a.min - b.min || a.max - b.max),
    queriedPrices: [...search.queriedPrices, price],
    misses: search.misses + (bands.length === search.bands.length ? 1 : 0),
  };
}

/** The number of further requests for this category after the search, within 1.2 per band. */
export function remainingCalls(search: PriceSearch): number {
  return Math.max(0, Math.floor(search.bands.length * 1.2) - search.queriedPrices.length);
}

function missesAllowed(bands: number, skipsEnds: boolean): number {
  return bands < FEW && !skipsEnds ? 3 : Math.floor(bands / 5);
}

/** Whether the search found every known band, and no other. */
function isUnchanged({ bands }: PriceSearch, knownBands: readonly Band[]): boolean {
  const has = (list: readonly Band[], { min, max }: Band) =>
    list.some((each) => each.min === min && each.max === max);
  return (
    knownBands.length > 0 &&
    knownBands.every((band) => has(bands, band)) &&
    bands.every((band) => has(knownBands, band))
  );
}

function isUnexplored(search: PriceSearch, price: number): boolean {
  return (
    !search.queriedPrices.includes(price) &&
    !search.bands.some(({ min, max }) => min <= price && price <= max)
  );
}

/**
 * Whether the search found the band again, or requested a price inside it. Bands may overlap, so a found band around
 * the price proves nothing.
 */
function isConfirmed({ bands, queriedPrices }: PriceSearch, { min, max }: Band): boolean {
  return (
    bands.some((band) => band.min === min && band.max === max) ||
    queriedPrices.some((price) => min <= price && price <= max)
  );
}

function above({ max }: Band): number {
  return max + STEP;
}

function below({ min }: Band): number {
  return Math.max(1, min - STEP);
}

function outerEnds(knownBands: readonly Band[]): number[] {
  const first = knownBands.reduce<Band | null>(
    (least, band) => (least && least.min <= band.min ? least : band),
    null,
  );
  const last = knownBands.reduce<Band | null>(
    (most, band) => (most && most.max >= band.max ? most : band),
    null,
  );
  return first && last ? [below(first), above(last)] : [];
}

interface Edge {
  price: number;
  side: "above" | "below";
  /** the number of the shop's unexplored prices between this end and the next found band */
  prices: number;
  isLowest: boolean;
}

/** The ends of the found bands without a request beyond them. */
function findEdges(search: PriceSearch, unexplored: readonly number[]): Edge[] {
  const regions = mergeBands(search.bands);
  const between = (from: number, to: number) =>
    unexplored.filter((price) => from < price && price < to).length;
  return regions
    .flatMap((region, index): Edge[] => [
      {
        price: above(region),
        side: "above",
        prices: between(region.max, regions[index + 1]?.min ?? Infinity),
        isLowest: false,
      },
      {
        price: below(region),
        side: "below",
        prices: between(regions[index - 1]?.max ?? -Infinity, region.min),
        isLowest: index === 0,
      },
    ])
    .filter(({ price }) => isUnexplored(search, price));
}

/** Merges bands that touch or overlap. */
function mergeBands(bands: readonly Band[]): Band[] {
  const regions: Band[] = [];
  for (const { min, max } of bands) {
    const last = regions.at(-1);
    if (last && min <= last.max + STEP) last.max = Math.max(last.max, max);
    else regions.push({ min, max });
  }
  return regions;
}

function middle(prices: readonly number[]): number | undefined {
  return prices[Math.floor(prices.length / 2)];
}
