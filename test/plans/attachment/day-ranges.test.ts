import fc from "fast-check";
import { expect, test } from "vitest";
import { atMostRanges, monthsOf, partsOfMonths, toDayRanges } from "#app/plans/attachment/overview.ts";

const dayAt = (day: number) => new Date(Date.UTC(2024, 1, 20) + day * 86_400_000).toISOString().slice(0, 10);

test("the ranges hold exactly the days, and no two of them touch", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 40 })), (numbers) => {
      const ranges = toDayRanges(numbers.toSorted((a, b) => a - b).map(dayAt));
      for (let day = 0; day <= 40; day += 1) {
        const holding = ranges.filter(({ first, last }) => first <= dayAt(day) && dayAt(day) <= last);
        expect(holding).toHaveLength(numbers.includes(day) ? 1 : 0);
      }
      const starts = numbers.filter((day) => !numbers.includes(day - 1));
      expect(ranges).toHaveLength(starts.length);
    }),
  );
});

test("too many ranges become the one that spans them", () => {
  const ranges = toDayRanges([0, 2, 4, 5].map(dayAt));
  expect(atMostRanges(ranges, 3)).toEqual(ranges);
  expect(atMostRanges(ranges, 2)).toEqual([{ first: dayAt(0), last: dayAt(5) }]);
  expect(atMostRanges([], 0)).toEqual([]);
});

/** From one February of a leap year to the next. */
const day = fc.integer({ min: 0, max: 400 }).map(dayAt);
const range = fc.tuple(day, day).map(([one, other]) => {
  const [first = one, last = one] = [one, other].toSorted();
  return { first, last };
});

test("the months of some days are those of each day, once", () => {
  expect(monthsOf([{ first: "2023-12-31", last: "2024-01-01" }])).toEqual(["2023-12-01", "2024-01-01"]);
  fc.assert(
    fc.property(fc.array(range, { maxLength: 3 }), (ranges) => {
      const held = new Set<string>();
      for (let number = 0; number <= 400; number += 1) {
        const is = dayAt(number);
        if (ranges.some(({ first, last }) => first <= is && is <= last)) held.add(`${is.slice(0, 7)}-01`);
      }
      expect(monthsOf(ranges).toSorted()).toEqual([...held].toSorted());
    }),
  );
});

test("a period cuts the months at its ends that it does not hold as a whole", () => {
  expect(partsOfMonths({ start: null, end: null })).toEqual([]);
  expect(partsOfMonths({ start: "2024-02-01", end: "2024-02-29" })).toEqual([]);
  expect(partsOfMonths({ start: "2024-02-02", end: null })).toEqual(["2024-02-01"]);
  expect(partsOfMonths({ start: null, end: "2024-02-28" })).toEqual(["2024-02-01"]);
  expect(partsOfMonths({ start: "2023-12-02", end: "2024-12-30" })).toEqual(["2023-12-01", "2024-12-01"]);
});
