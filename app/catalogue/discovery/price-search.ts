/**
 * The walk along a category's price bands: where to ask next, given what was answered so far.
 *
 * The service has no list of its offers: it answers for one product price. An answer names its bands, so the walk asks
 * just past them, up and down, until nothing is left. The shop's own prices are where it starts, and how it gets over
 * a gap between bands. An answer without a new band ("miss") costs a call and finds nothing, so misses are what is
 * budgeted: at most a fifth of the bands, which keeps the calls at 1.2 per band, whatever the number of products.
 */

/** Product prices for which the same offers hold, integer minor units, both ends included. */
export interface Band {
  min: number;
  max: number;
}

export interface PriceSearch {
  /** distinct bands found so far, by their lower end */
  bands: readonly Band[];
  /** every price asked so far */
  queriedPrices: readonly number[];
  /** answers without a new band */
  misses: number;
}

export interface PriceSearchHints {
  /** the shop's own prices, ascending and distinct, integer minor units */
  prices: readonly number[];
  /** bands of the last discovery: worth a call each, and their outer ends were looked at then */
  known: readonly Band[];
  /** leave the outer ends of the known bands alone this time, as long as nothing has changed */
  skipOuterEnds: boolean;
}

/**
 * Fewer bands than this cannot keep 1.2 calls per band and be complete: to know that nothing lies beyond either end
 * takes an answer of nothing each, and a gap a third.
 */
const FEW = 10;
/** Few bands are looked past once in so many discoveries (weekly, as a rule), many every second time. */
const FEW_EVERY = 7;

/**
 * Whether a discovery may leave the outer ends of what is known alone.
 * @param bands how many are known
 * @param thorough somebody asked for it, and expects to see everything
 */
export function skipsOuterEnds(bands: number, round: number, thorough: boolean): boolean {
  return bands < FEW ? !thorough && round % FEW_EVERY !== 0 : round % 2 === 1;
}

export const newPriceSearch: PriceSearch = { bands: [], queriedPrices: [], misses: 0 };

/** Where to ask when the shop has no prices yet: from cheap accessories to dear devices, in minor units. */
const DEFAULT_PRICES = [5_000, 20_000, 80_000];
/**
 * How far past a band's end the next one is asked for: bands in whole euros leave 99 cents between them, and no band
 * is narrower than this.
 */
const STEP = 100;
/** Where that share of the shop's prices lies outside the found bands, there is likely a gap, not an outlier. */
const LIKELY_GAP = 0.2;

/** The price to ask at next; null when the walk is over. */
export function nextSearchPrice(
  walk: PriceSearch,
  { prices: given, known, skipOuterEnds }: PriceSearchHints,
): number | null {
  const prices = given.length > 0 ? given : DEFAULT_PRICES;
  if (walk.queriedPrices.length === 0) return known[0]?.min ?? middle(prices) ?? null;
  const again = known.find((band) => !isConfirmed(walk, band));
  if (again) return again.min;
  const isTrusting = skipOuterEnds && isUnchanged(walk, known);
  if (walk.misses >= missesAllowed(walk.bands.length, isTrusting)) return null;
  const unanswered = prices.filter((price) => isUnexplored(walk, price));
  if (walk.bands.length === 0) return middle(unanswered) ?? null;

  const trusted = isTrusting ? outerEnds(known) : [];
  const edges = findEdges(walk, unanswered).filter(({ price }) => !trusted.includes(price));
  const jump = middle(unanswered);
  const isGap = unanswered.length >= prices.length * LIKELY_GAP;
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

/** The walk after asking at `price` and reading the bands of the offers that came back. */
export function withFoundBands(walk: PriceSearch, price: number, found: readonly Band[]): PriceSearch {
  const bands = [...walk.bands];
  for (const band of found) {
    if (!bands.some(({ min, max }) => min === band.min && max === band.max)) bands.push(band);
  }
  return {
    bands: bands.sort((a, b) => a.min - b.min || a.max - b.max),
    queriedPrices: [...walk.queriedPrices, price],
    misses: walk.misses + (bands.length === walk.bands.length ? 1 : 0),
  };
}

/** How many more calls the walk leaves for other questions about the category: 1.2 per band in all. */
export function remainingCalls(walk: PriceSearch): number {
  return Math.max(0, Math.floor(walk.bands.length * 1.2) - walk.queriedPrices.length);
}

function missesAllowed(bands: number, isTrusting: boolean): number {
  return bands < FEW && !isTrusting ? 3 : Math.floor(bands / 5);
}

/** Every known band was found again, and no other. */
function isUnchanged({ bands }: PriceSearch, known: readonly Band[]): boolean {
  const has = (list: readonly Band[], { min, max }: Band) =>
    list.some((each) => each.min === min && each.max === max);
  return (
    known.length > 0 && known.every((band) => has(bands, band)) && bands.every((band) => has(known, band))
  );
}

function isUnexplored(walk: PriceSearch, price: number): boolean {
  return (
    !walk.queriedPrices.includes(price) && !walk.bands.some(({ min, max }) => min <= price && price <= max)
  );
}

/** Found again, or asked for: a band may overlap others, so that a price inside them says nothing about it. */
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
  /** how many unanswered prices of the shop lie between this end and the next found band */
  prices: number;
  isLowest: boolean;
}

/** The ends of what was found that nobody asked past yet. */
function findEdges(walk: PriceSearch, unanswered: readonly number[]): Edge[] {
  const regions = mergeBands(walk.bands);
  const between = (from: number, to: number) =>
    unanswered.filter((price) => from < price && price < to).length;
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
    .filter(({ price }) => isUnexplored(walk, price));
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
