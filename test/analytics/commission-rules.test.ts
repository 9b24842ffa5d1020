import { describe, expect, it, test } from "vitest";
import { commissionEffect, oneYearAfter, saleCommission } from "#app/analytics/commission-rules.ts";

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

describe("a sale's AIR", () => {
  const sale = { date: "2026-01-15", monthly: true, frontMinor: 1_000, airMinor: 100 };
  it.each([
    ["starts a year later where FRONT was advanced", sale, "2027-01-15", false],
    ["starts that day without an advance", { ...sale, frontMinor: null }, "2026-01-15", false],
    ["starts a year later after an advance of nothing", { ...sale, frontMinor: 0 }, "2027-01-15", false],
    ["is none where the insurer names none", { ...sale, airMinor: null }, null, false],
    ["contradicts the rules on an annual contract", { ...sale, monthly: false }, null, true],
    ["is none on an annual contract", { ...sale, monthly: false, airMinor: null }, null, false],
  ])("%s", (_, given, airFrom, isContradiction) => {
    expect(saleCommission(given)).toEqual({ airFrom, isContradiction });
  });
});

describe("a commission", () => {
  const commission = { monthly: true, billingType: "collected", type: "front", amountMinor: 250 } as const;
  it.each([
    ["adds FRONT of a monthly contract", commission, 250],
    ["adds FRONT of an annual contract", { ...commission, monthly: false }, 250],
    ["adds AIR of a monthly contract", { ...commission, type: "air" as const }, 250],
    [
      "counts for nothing as AIR of an annual contract",
      { ...commission, type: "air" as const, monthly: false },
      null,
    ],
    ["takes a refund away", { ...commission, billingType: "refunded" as const }, -250],
    [
      "takes a refund away that is negative already",
      { ...commission, billingType: "refunded" as const, amountMinor: -250 },
      -250,
    ],
    ["adds a correction as it is", { ...commission, amountMinor: -50 }, -50],
  ])("%s", (_, given, effect) => {
    expect(commissionEffect(given)).toBe(effect);
  });
});
