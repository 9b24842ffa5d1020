import fc from "fast-check";
import { expect, test } from "vitest";
import { lastDayOfYearBefore, oneYearAfter } from "#app/analytics/commission-rules.ts";

const day = fc
  .date({ min: new Date("2019-01-01"), max: new Date("2033-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test("the last day whose first year is over parts the sales as their own first years do", () => {
  fc.assert(
    fc.property(day, day, (sold, today) => {
      expect(sold <= lastDayOfYearBefore(today)).toBe(oneYearAfter(sold) <= today);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["2025-02-28", "2024-02-29"],
  ["2026-02-28", "2025-02-28"],
  ["2024-02-29", "2023-02-28"],
  ["2024-03-01", "2023-03-01"],
])("at %s it is %s", (today, last) => {
  expect(lastDayOfYearBefore(today)).toBe(last);
  expect(oneYearAfter(last) <= today).toBe(true);
});
