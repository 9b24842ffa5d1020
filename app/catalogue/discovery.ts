/**
 * The walk along a category's price bands: where to ask next, given what was answered so far.
 *
 * The service has no list of its offers: it answers for one product price. An answer names its bands, so the walk asks
 * just past them, up and down, until nothing is left. The shop's own prices are where it starts and how it gets over
 * a gap between bands. An answer without offers ("miss") finds nothing, so misses are what is budgeted: at most a fifth
 * of the bands, which keeps the calls at 1.2 per band, whatever the number of products.
 */

/** Product prices for which the same offers hold, integer minor units, both ends included. */
export interface Band {
  min: number;
  max: number;
}

export interface Walk {
  /** distinct bands found so far, by their lower end */
  bands: readonly Band[];
  /** every price asked so far */
  asked: readonly number[];
  /** answers without an offer */
  misses: number;
  /** how far past a band's end the next one was found to begin: 1 where bands touch */
  step: number;
}

export interface WalkHints {
  /** the shop's own prices, ascending and distinct, integer minor units */
  prices: readonly number[];
  /** bands of the last discovery: worth a call each, and their outer ends were looked at then */
  known: readonly Band[];
  /** leave the outer ends of the known bands alone this time, to have calls left for other questions */
  trustEnds: boolean;
}

export const newWalk: Walk = { bands: [], asked: [], misses: 0, step: 1 };

/** Where to ask when the shop has no prices yet: from cheap accessories to dear devices, in minor units. */
const LADDER = [20_000, 5_000, 80_000];
/** Where that share of the shop's prices lies outside the found bands, there is likely a gap, not an outlier. */
const LIKELY_GAP = 0.2;

/** The price to ask at next; null when the walk is over. */
export function nextPrice(walk: Walk, hints: WalkHints): number | null {
  const prices = hints.prices.length > 0 ? hints.prices : LADDER;
  if (walk.asked.length === 0) return hints.known[0]?.min ?? prices[Math.floor(prices.length / 2)] ?? null;
  const again = hints.known.find(({ min }) => min >= 0 && isOpen(walk, min));
  if (again) return again.min;
  if (walk.misses >= missesAllowed(walk.bands.length)) return null;
  const ends = hints.trustEnds ? outerEnds(hints.known) : [];
  const open = (price: number | undefined): price is number =>
    price !== undefined && price > 0 && !ends.includes(price) && isOpen(walk, price);
  const jumps = prices.filter((price) => isOpen(walk, price));
  const jump = jumps[Math.floor(jumps.length / 2)];
  if (walk.bands.length === 0) return jump ?? null;
  const up = walk.bands.map(({ max }) => max + walk.step).find(open);
  if (up !== undefined) return up;
  if (jump !== undefined && jumps.length >= prices.length * LIKELY_GAP) return jump;
  const down = walk.bands
    .filter((band) => !touchesOneBelow(walk, band))
    .map(({ min }) => min - 1)
    .find(open);
  return down ?? jump ?? null;
}

/** The walk after asking at `price` and reading the bands of the offers that came back. */
export function answered(walk: Walk, price: number, found: readonly Band[]): Walk {
  const fresh = found.filter(
    (band, index) =>
      !contains(walk.bands, band) &&
      found.findIndex(({ min, max }) => min === band.min && max === band.max) === index,
  );
  const bands = [...walk.bands, ...fresh].sort((a, b) => a.min - b.min || a.max - b.max);
  return {
    bands,
    asked: [...walk.asked, price],
    misses: walk.misses + (fresh.length === 0 ? 1 : 0),
    step: Math.max(walk.step, ...fresh.map((band) => learnedStep(walk, band))),
  };
}

/** How many more calls the walk leaves for other questions about the category: 1.2 per band in all. */
export function callsLeft(walk: Walk): number {
  return Math.max(0, Math.floor(walk.bands.length * 1.2) - walk.asked.length);
}

/** A few bands cannot keep the ratio and be complete: both ends and one gap need an answer of nothing each. */
function missesAllowed(bands: number): number {
  return bands < 10 ? 3 : Math.floor(bands / 5);
}

function isOpen(walk: Walk, price: number): boolean {
  return !walk.asked.includes(price) && !walk.bands.some(({ min, max }) => min <= price && price <= max);
}

function outerEnds(known: readonly Band[]): number[] {
  if (known.length === 0) return [];
  return [Math.min(...known.map(({ min }) => min)) - 1, Math.max(...known.map(({ max }) => max)) + 1];
}

function contains(bands: readonly Band[], band: Band): boolean {
  return bands.some(({ min, max }) => min === band.min && max === band.max);
}

/** A gap that was just got over is likely the catalogue's habit (bands in whole euros leave 99 cents between them). */
function learnedStep(walk: Walk, found: Band): number {
  const below = walk.bands.filter(({ max }) => max < found.min).map(({ max }) => max);
  const gap = found.min - Math.max(...below);
  return below.length > 0 && gap > 1 && gap <= 100 && walk.asked.includes(found.min - gap + walk.step)
    ? gap
    : walk.step;
}

function touchesOneBelow(walk: Walk, band: Band): boolean {
  return walk.bands.some(({ max }) => max < band.min && max + walk.step >= band.min);
}
