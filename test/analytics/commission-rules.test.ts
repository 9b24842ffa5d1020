import { expect, test } from "vitest";
import { oneYearAfter } from "#app/analytics/commission-rules.ts";

test.each([
  ["2026-01-15", "2027-01-15"],
  ["2024-02-29", "2025-02-28"],
  ["2024-02-28", "2025-02-28"],
  ["2023-02-28", "2024-02-28"],
  ["2023-03-01", "2024-03-01"],
  ["2023-12-31", "2024-12-31"],
])("a year after %s it is %s", (day, later) => {
  expect(oneYearAfter(day)).toBe(later);
});
