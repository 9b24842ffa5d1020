import fc from "fast-check";
import { expect, test } from "vitest";
import { atMostRanges, toDayRanges } from "#app/plans/attachment/day-ranges.ts";

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
