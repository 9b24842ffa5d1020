import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  withFoundBands,
  remainingCalls,
  newPriceSearch,
  nextSearchPrice,
  skipsOuterEnds,
} from "#app/catalogue/discovery/price-search.ts";
import type { Band, PriceSearch } from "#app/catalogue/discovery/price-search.ts";

/** Searches an insurer with these bands, and counts the requests. */
function search(bands: Band[], prices: number[], known: Band[] = [], skipOuterEnds = false): PriceSearch {
  let state = newPriceSearch;
  const sorted = [...new Set(prices)].sort((a, b) => a - b);
  for (let calls = 0; calls < 5_000; calls++) {
    const price = nextSearchPrice(state, { prices: sorted, knownBands: known, skipOuterEnds });
    if (price === null) return state;
    state = withFoundBands(
      state,
      price,
      bands.filter(({ min, max }) => min <= price && price <= max),
    );
  }
  throw new Error("The search does not end");
}

/** A number of bands from `first` on, each `width` wide, with `gap` prices between them. */
function ladder(count: number, first: number, width: number, gap = 0): Band[] {
  return Array.from({ length: count }, (_, index) => {
    const min = first + index * (width + gap);
    return { min, max: min + width - 1 };
  });
}

describe("the search for price bands", () => {
  it("finds every band that touches the next, in at most 1.2 calls per band, wherever the shop's prices are", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 60 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 100, max: 30_000 }),
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
          minLength: 1,
          maxLength: 40,
        }),
        (count, first, width, places) => {
          const bands = ladder(count, first, width);
          const prices = places.map((place) => Math.max(1, first + Math.floor(place * count * width)));
          const found = search(bands, prices);
          expect(found.bands).toEqual(bands);
          expect(found.queriedPrices.length).toBeLessThanOrEqual(1.2 * count);
        },
      ),
    );
  });

  it("sends as many requests for 100,000 prices as for ten", () => {
    const bands = ladder(20, 5_000, 10_000);
    const few = search(bands, [7_000, 60_000]);
    const many = search(
      bands,
      Array.from({ length: 100_000 }, (_, index) => 5_000 + index * 2),
    );
    expect(many.bands).toEqual(bands);
    expect(many.queriedPrices.length).toBe(few.queriedPrices.length);
  });

  it("crosses a gap between bands at the shop's own prices", () => {
    const bands = [...ladder(8, 1, 10_000), ...ladder(8, 200_000, 10_000)];
    const found = search(bands, [5_000, 15_000, 45_000, 205_000, 233_000]);
    expect(found.bands).toEqual(bands);
    expect(found.queriedPrices.length).toBeLessThanOrEqual(1.2 * bands.length);
  });

  it("learns the habit of bands in whole euros, which leave 99 cents between them", () => {
    const bands = ladder(40, 5_000, 9_901, 99);
    const found = search(bands, [5_100, 25_000, 45_000, 300_000]);
    expect(found.bands).toEqual(bands);
    expect(found.queriedPrices.length).toBeLessThanOrEqual(1.2 * bands.length);
  });

  it("does not chase outliers: prices that no band holds cost a bounded number of calls", () => {
    const bands = ladder(10, 5_000, 20_000);
    const found = search(bands, [100, 200, 300, 30_000, 50_000, 9_000_000, 9_100_000]);
    expect(found.bands).toEqual(bands);
    expect(found.queriedPrices.length).toBeLessThanOrEqual(12);
  });

  it("finds overlapping bands that its requests meet, and ends", () => {
    const bands = [
      { min: 0, max: 10_000 },
      { min: 5_000, max: 15_000 },
      { min: 15_001, max: 30_000 },
    ];
    expect(search(bands, [7_000]).bands).toEqual(bands);
  });

  it("sends three requests before it takes a category for empty", () => {
    const found = search([], [1_000, 2_000, 3_000, 4_000, 5_000]);
    expect(found.bands).toEqual([]);
    expect(found.queriedPrices).toHaveLength(3);
  });

  it("finds the bands of a shop that has no products yet", () => {
    const bands = ladder(10, 5_000, 20_000);
    expect(search(bands, []).bands).toEqual(bands);
  });

  it("sends one request per known band the next time, and has calls left for others", () => {
    const bands = ladder(10, 5_000, 20_000);
    const found = search(bands, [30_000], bands, true);
    expect(found.bands).toEqual(bands);
    expect(found.queriedPrices).toHaveLength(10);
    expect(remainingCalls(found)).toBe(2);
  });

  it("finds a known band again that lies where the shop has no prices", () => {
    const known = [...ladder(4, 5_000, 10_000), { min: 500_000, max: 509_999 }];
    expect(search(known, [6_000], known).bands).toEqual(known);
  });

  it("notices that a known band is gone and that a new one follows", () => {
    const known = ladder(10, 5_000, 20_000);
    const now = [...known.slice(0, 9), { min: 185_000, max: 220_000 }, { min: 220_001, max: 240_000 }];
    expect(search(now, [30_000], known).bands).toEqual(now);
  });

  it("keeps to one call per band where few bands are unchanged and their ends are skipped", () => {
    for (const count of [1, 2, 5, 9]) {
      const bands = ladder(count, 5_000, 20_000);
      const found = search(bands, [100, 30_000, 9_000_000], bands, true);
      expect(found.bands).toEqual(bands);
      expect(found.queriedPrices.length).toBeLessThanOrEqual(1.2 * count);
    }
  });

  it("searches few bands to their ends again as soon as one of them has changed", () => {
    const known = ladder(3, 5_000, 20_000);
    const now = [...known.slice(0, 2), { min: 45_000, max: 70_000 }, { min: 70_001, max: 90_000 }];
    expect(search(now, [30_000], known, true).bands).toEqual(now);
  });

  it("skips the ends of few bands six times of seven, never where a merchant started it, those of many every second time", () => {
    const discoveryNumbers = Array.from({ length: 14 }, (_, discoveryNumber) => discoveryNumber);
    expect(discoveryNumbers.filter((discoveryNumber) => !skipsOuterEnds(3, discoveryNumber, false))).toEqual([
      0, 7,
    ]);
    expect(discoveryNumbers.filter((discoveryNumber) => skipsOuterEnds(3, discoveryNumber, true))).toEqual(
      [],
    );
    expect(discoveryNumbers.filter((discoveryNumber) => skipsOuterEnds(30, discoveryNumber, true))).toEqual([
      1, 3, 5, 7, 9, 11, 13,
    ]);
    // Ten are many, nine are few.
    expect([skipsOuterEnds(10, 1, true), skipsOuterEnds(9, 1, true)]).toEqual([true, false]);
  });

  it("sends its three requests also where the ends of nothing known would be skipped", () => {
    expect(search([], [5_000, 6_000, 7_000, 8_000], [], true).queriedPrices).toHaveLength(3);
  });

  it("looks first where the shop has prices, though it be a single one below the lowest band", () => {
    const found = { bands: [{ min: 5_000, max: 5_999 }], queriedPrices: [5_500], misses: 0 };
    const inside = [5_050, 5_150, 5_250, 5_350, 5_450, 5_550, 5_650, 5_750, 5_850];
    const next = (...prices: number[]) =>
      nextSearchPrice(found, { prices, knownBands: [], skipOuterEnds: false });
    expect([next(1_000, ...inside), next(...inside, 9_000), next(...inside)]).toEqual([4_900, 6_099, 6_099]);
  });
});
