/** Which price the search for a category's bands queries next, situation by situation. */
import { describe, expect, it } from "vitest";
import { nextSearchPrice, remainingCalls, withFoundBands } from "#app/catalogue/discovery/price-search.ts";
import type { Band } from "#app/catalogue/discovery/price-search.ts";

const band = (min: number, max: number): Band => ({ min, max });
const one = [band(1_000, 1_999)];
const two = [...one, band(5_000, 5_999)];
const ten = Array.from({ length: 10 }, (_, index) => band(1_000 * (index + 1), 1_000 * (index + 2) - 1));
const changed = [...ten.slice(0, 9), band(10_000, 10_500)];

/** The next query, after `queried` found `bands`. */
const situations: {
  title: string;
  bands?: Band[];
  queried?: number[];
  misses?: number;
  prices: number[];
  known?: Band[];
  skips?: boolean;
  next: number | null;
}[] = [
  { title: "the middle of the shop's prices first", prices: [100, 200, 300], next: 200 },
  { title: "the upper one of two in the middle", prices: [100, 200, 300, 400], next: 300 },
  { title: "the middle of what shops sell where it has no prices", prices: [], next: 20_000 },
  {
    title: "the first known band before any price",
    prices: [100],
    known: [band(700, 900), band(50, 60)],
    next: 700,
  },
  {
    title: "the next known band",
    bands: [band(700, 900)],
    queried: [700],
    prices: [100],
    known: two,
    next: 1_000,
  },
  {
    title: "no known band in which a price was queried, at its upper end",
    bands: [band(600, 1_200)],
    queried: [1_100],
    prices: [700],
    known: [band(1_000, 1_100)],
    next: 1_300,
  },
  {
    title: "nor at its lower end",
    bands: [band(600, 1_200)],
    queried: [1_000],
    prices: [700],
    known: [band(1_000, 1_100)],
    next: 1_300,
  },
  {
    title: "a known band of which a new one has the lower end only",
    bands: [band(1_000, 1_150)],
    queried: [1_160],
    prices: [700],
    known: [band(1_000, 1_100)],
    next: 1_000,
  },
  {
    title: "a known band of which a new one has the upper end only",
    bands: [band(900, 1_100)],
    queried: [950],
    prices: [1_000],
    known: [band(1_000, 1_100)],
    next: 1_000,
  },
  {
    title: "above a band where prices lie there",
    bands: one,
    queried: [1_500],
    prices: [1_500, 5_000],
    next: 2_099,
  },
  { title: "below it where prices lie there", bands: one, queried: [1_500], prices: [500, 1_500], next: 900 },
  {
    title: "above it first where they lie on both sides",
    bands: one,
    queried: [1_500],
    prices: [500, 5_000],
    next: 2_099,
  },
  {
    title: "the middle of the prices outside where nothing follows the band",
    bands: one,
    queried: [1_500, 2_099],
    misses: 1,
    prices: [1_500, 5_000, 6_000, 7_000],
    next: 6_000,
  },
  {
    title: "that as well where a fifth of the prices lies outside",
    bands: one,
    queried: [1_500, 2_099],
    misses: 1,
    prices: [1_100, 1_200, 1_300, 1_400, 5_000],
    next: 5_000,
  },
  {
    title: "the other side of the band first where fewer do",
    bands: one,
    queried: [1_500, 2_099],
    misses: 1,
    prices: [1_100, 1_200, 1_300, 1_400, 1_600, 5_000],
    next: 900,
  },
  {
    title: "above a band where no price lies outside",
    bands: one,
    queried: [1_500],
    prices: [1_500],
    next: 2_099,
  },
  { title: "then below it", bands: one, queried: [1_500, 2_099], misses: 1, prices: [1_500], next: 900 },
  { title: "then nothing", bands: one, queried: [1_500, 2_099, 900], misses: 2, prices: [1_500], next: null },
  {
    title: "nothing after three misses",
    bands: one,
    queried: [1_500, 2_099, 900],
    misses: 3,
    prices: [9_000],
    next: null,
  },
  {
    title: "above the lowest of two first",
    bands: two,
    queried: [1_500, 5_500],
    prices: [1_500],
    next: 2_099,
  },
  {
    title: "below the lowest when both were looked past above",
    bands: two,
    queried: [1_500, 5_500, 2_099, 6_099],
    misses: 2,
    prices: [1_500],
    next: 900,
  },
  {
    title: "below the upper one last",
    bands: two,
    queried: [1_500, 5_500, 2_099, 6_099, 900],
    misses: 2,
    prices: [1_500],
    next: 4_900,
  },
  {
    title: "both sides of a price between two bands",
    bands: two,
    queried: [1_500, 5_500, 2_099],
    misses: 1,
    prices: [1_500, 3_000],
    next: 4_900,
  },
  {
    title: "past bands that touch, not between them",
    bands: [...one, band(2_000, 2_999)],
    queried: [1_500, 2_500],
    prices: [1_500],
    next: 3_099,
  },
  {
    title: "past bands with 99 cents between them, not there",
    bands: [...one, band(2_099, 2_999)],
    queried: [1_500, 2_500],
    prices: [1_500],
    next: 3_099,
  },
  {
    title: "between bands that are further apart",
    bands: [...one, band(2_100, 2_999)],
    queried: [1_500, 2_500],
    prices: [1_500],
    next: 2_099,
  },
  {
    title: "past the wider of two bands in one another",
    bands: [band(1_000, 5_000), band(2_000, 2_999)],
    queried: [1_500],
    prices: [1_500],
    next: 5_100,
  },
  {
    title: "nothing below a band from zero on",
    bands: [band(0, 999)],
    queried: [500, 1_099],
    misses: 1,
    prices: [500],
    next: null,
  },
  {
    title: "one cent below a band near zero",
    bands: [band(50, 999)],
    queried: [500, 1_099],
    misses: 1,
    prices: [500],
    next: 1,
  },
  {
    title: "nothing past an unchanged band whose ends are skipped",
    bands: one,
    queried: [1_500],
    prices: [9_000],
    known: one,
    skips: true,
    next: null,
  },
  {
    title: "only prices outside of ten unchanged bands whose ends are skipped",
    bands: ten,
    queried: [1_500],
    prices: [1_500, 50_000],
    known: ten.toReversed(),
    skips: true,
    next: 50_000,
  },
  {
    title: "past ten bands whose ends were to be skipped, had none changed",
    bands: changed,
    queried: [1_500, 10_000],
    prices: [1_500],
    known: ten,
    skips: true,
    next: 10_600,
  },
  {
    title: "nothing after two misses with ten bands",
    bands: ten,
    queried: [11_099],
    misses: 2,
    prices: [50_000],
    next: null,
  },
  { title: "more after one", bands: ten, queried: [11_099], misses: 1, prices: [50_000], next: 50_000 },
  {
    title: "more after two with nine",
    bands: ten.slice(0, 9),
    queried: [10_099],
    misses: 2,
    prices: [50_000],
    next: 50_000,
  },
  {
    title: "no price at a band's lower end",
    bands: one,
    queried: [1_500, 2_099, 900],
    misses: 2,
    prices: [1_000],
    next: null,
  },
  {
    title: "nor at its upper end",
    bands: one,
    queried: [1_500, 2_099, 900],
    misses: 2,
    prices: [1_999],
    next: null,
  },
  {
    title: "above the one band of two above which prices lie",
    bands: two,
    queried: [1_500, 5_500],
    prices: [9_000],
    next: 6_099,
  },
  {
    title: "the price below all bands, not below the upper one",
    bands: two,
    queried: [1_500, 5_500, 900],
    misses: 1,
    prices: [500],
    next: 500,
  },
  {
    title: "a far price before the lower end of an upper band",
    bands: two,
    queried: [1_500, 5_500, 2_099, 6_099, 900],
    misses: 2,
    prices: [1_100, 1_200, 1_300, 1_400, 1_600, 9_000],
    next: 9_000,
  },
  {
    title: "nothing past ten unchanged bands, in whatever order they are known",
    bands: ten,
    queried: [1_500],
    prices: [1_500],
    known: ten.toReversed(),
    skips: true,
    next: null,
  },
  {
    title: "past ten bands of which one begins elsewhere now",
    bands: [band(1_100, 1_999), ...ten.slice(1)],
    queried: [1_500],
    prices: [1_500],
    known: ten,
    skips: true,
    next: 11_099,
  },
  {
    title: "past ten bands that another has joined",
    bands: [...ten, band(20_000, 20_999)],
    queried: [1_500],
    prices: [1_500],
    known: ten,
    skips: true,
    next: 11_099,
  },
  {
    title: "past nine bands of ten",
    bands: ten.slice(0, 9),
    queried: [10_500],
    misses: 1,
    prices: [1_500],
    known: ten,
    skips: true,
    next: 10_099,
  },
];

describe("what the search queries next", () => {
  it.each(situations)(
    "$title",
    ({ bands = [], queried = [], misses = 0, prices, known = [], skips = false, next }) => {
      const state = { bands, queriedPrices: queried, misses };
      expect(nextSearchPrice(state, { prices, known, skipOuterEnds: skips })).toBe(next);
    },
  );

  it("keeps what was found in the order of prices, each band once, and counts what found nothing new", () => {
    const start = { bands: [band(10, 20)], queriedPrices: [15], misses: 0 };
    const more = withFoundBands(start, 30, [band(5, 40), band(10, 20), band(10, 15)]);
    expect(more).toEqual({
      bands: [band(5, 40), band(10, 15), band(10, 20)],
      queriedPrices: [15, 30],
      misses: 0,
    });
    expect(withFoundBands(more, 31, [band(5, 40)])).toMatchObject({ queriedPrices: [15, 30, 31], misses: 1 });
    const sameEnd = withFoundBands(start, 30, [band(12, 20)]);
    expect(sameEnd.bands).toEqual([band(10, 20), band(12, 20)]);
  });

  it("leaves others 1.2 calls for each band, less its own", () => {
    const after = (calls: number) =>
      remainingCalls({ bands: ten, queriedPrices: Array(calls).fill(1), misses: 0 });
    expect([after(3), after(12), after(20)]).toEqual([9, 0, 0]);
  });
});
