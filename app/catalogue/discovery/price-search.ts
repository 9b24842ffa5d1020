/**
 * The search for a category's price bands: which price to request next, given the bands found so far.
 *
 * The insurer has no list of its offers: it returns those for one product price, with their bands. The search requests
 * prices just past these bands, up and down, until nothing is left. It starts at the shop's own prices, which also quote
 * over a gap between bands. A response without a new band ("miss") costs a request and finds nothing, so misses have a
 * budget: at most a fifth of the bands, which keeps the requests at 1.2 per band, whatever the number of products.
 */

/** Product prices for which the same offers hold, integer minor units, both ends included. */
export interface Band {
  min: number;
  max: number;
}

export interface PriceSearch {
  /** distinct bands found so far, by their lower end */
  bands: readonly Band[];
  /** every price requested so far */
  queriedPrices: readonly number[];
  /** responses without a new band */
  misses: number;
}

export interface PriceSearchHints {
  /** the shop's own prices, ascending and distinct, integer minor units */
  prices: readonly number[];
  /** bands of the last discovery: worth a call each; it checked their outer ends */
  known: readonly Band[];
  /** leave the outer ends of the known bands alone this time, as long as nothing has changed */
  skipOuterEnds: boolean;
}

/**
 * Fewer bands than this cannot keep 1.2 calls per band and be complete: to know that nothing lies beyond either end
 * takes an answer of nothing each, and a gap a third.
 */
const FEW = 10;
/** The outer ends of few bands are checked in every n-th discovery (weekly, as a rule), of many in every second one. */
const FEW_EVERY = 7;

/**
 * Whether a discovery may leave the outer ends of what is known alone.
 * @param bands how many are known
 * @param thorough a merchant started it, and expects to see everything
 */
export function skipsOuterEnds(bands: number, round: number, thorough: boolean): boolean {
  return bands < FEW ? !thorough && round % FEW_EVERY !== 0 : round % 2 === 1;
}

export const newPriceSearch: PriceSearch = { bands: [], queriedPrices: [], misses: 0 };

/** Prices to request while the shop has none: from cheap accessories to expensive devices, in minor units. */
const DEFAULT_PRICES = [5_000, 20_000, 80_000];
/**
 * How far past a band's end the next one is looked for: bands in whole euros leave 99 cents between them, and no band
 * is narrower than this.
 */
const STEP = 100;
/** Where that share of the shop's prices lies outside the found bands, there is likely a gap, not an outlier. */
const LIKELY_GAP = 0.2;

/** The price to request next; null when the search is over. */
export function nextSearchPrice(
  search: PriceSearch,
  { prices: given, known, skipOuterEnds }: PriceSearchHints,
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
    // Beyond this end the shop has prices: what they get is what matters most.
    edges.find(({ prices: beyond }) => beyond > 0)?.price ??
    (isGap ? jump : undefined) ??
    edges.find(({ side }) => side === "above")?.price ??
    edges.find(({ isLowest }) => isLowest)?.price ??
    jump ??
    edges[0]?.price;
  return next ?? null;
}

/** The search after the offers at `price` were requested and these bands found. */
export function withFoundBands(search: PriceSearch, price: number, found: readonly Band[]): PriceSearch {
  const bands = [...search.bands];
  for (const band of found) {
    if (!bands.some(({ min, max }) => min === band.min && max === band.max)) bands.push(band);
  }
  return {
    bands: bands.sort((a, b) => a.min - b.min || a.max - b.max),
    queriedPrices: [...search.queriedPrices, price],
    misses: search.misses + (bands.length === search.bands.length ? 1 : 0),
  };
}

/** How many more requests about the category may follow the search: 1.2 per band in all. */
export function remainingCalls(search: PriceSearch): number {
  return Math.max(0, Math.floor(search.bands.length * 1.2) - search.queriedPrices.length);
}

function missesAllowed(bands: number, skipsEnds: boolean): number {
  return bands < FEW && !skipsEnds ? 3 : Math.floor(bands / 5);
}

/** Every known band was found again, and no other. */
function isUnchanged({ bands }: PriceSearch, known: readonly Band[]): boolean {
  const has = (list: readonly Band[], { min, max }: Band) =>
    list.some((each) => each.min === min && each.max === max);
  return (
    known.length > 0 && known.every((band) => has(bands, band)) && bands.every((band) => has(known, band))
  );
}

function isUnexplored(search: PriceSearch, price: number): boolean {
  return (
    !search.queriedPrices.includes(price) &&
    !search.bands.some(({ min, max }) => min <= price && price <= max)
  );
}

/** Found again, or requested: a band may overlap others, so a price inside them says nothing about it. */
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

function outerEnds(known: readonly Band[]): number[] {
  const first = known.reduce<Band | null>(
    (least, band) => (least && least.min <= band.min ? least : band),
    null,
  );
  const last = known.reduce<Band | null>((most, band) => (most && most.max >= band.max ? most : band), null);
  return first && last ? [below(first), above(last)] : [];
}

interface Edge {
  price: number;
  side: "above" | "below";
  /** how many unexplored prices of the shop lie between this end and the next found band */
  prices: number;
  isLowest: boolean;
}

/** The ends of the found bands past which no price was requested yet. */
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

/** Bands that touch or overlap, as one. */
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
