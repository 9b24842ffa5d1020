import { describe, expect, it } from "vitest";
import type { CommissionFacts, SaleFacts } from "#app/settlement/insurer-figures.ts";
import { missingAirDays } from "#app/settlement/missing-air.ts";

const sale: SaleFacts = {
  saleId: "CT-1",
  date: "2026-01-05",
  status: "active",
  cancelledOn: null,
  monthly: true,
  store: "Lumen",
  storeId: "7",
  priceMinor: 990,
  frontMinor: null,
  airMinor: 100,
};
const withAdvance = { ...sale, frontMinor: 1_200 };

const air = (date: string): CommissionFacts => ({
  commissionId: date,
  date,
  store: "Lumen",
  storeId: "7",
  saleId: "CT-1",
  monthly: true,
  billingType: "collected",
  type: "air",
  amountMinor: 100,
});

const undone = (date: string): CommissionFacts => ({
  ...air(date),
  commissionId: `${date}-back`,
  billingType: "refunded",
});

/** Without more: a contract of 24 months whose sale was read on 20 June. */
const missing = (
  days: readonly string[],
  changes: Partial<SaleFacts> = {},
  { termMonths = 24, readOn = "2026-06-20" }: { termMonths?: number | null; readOn?: string } = {},
) => missingAirDays({ ...sale, ...changes }, days.map(air), termMonths, readOn);

const punctual = ["2026-01-05", "2026-02-05", "2026-03-05", "2026-04-05", "2026-05-05", "2026-06-05"];
const without = (...months: string[]) => punctual.filter((day) => !months.includes(day.slice(0, 7)));

describe("the AIR of a monthly contract", () => {
  it.each<[what: string, days: string[], expected: string[]]>([
    ["is whole if each month has one", punctual, []],
    ["lacks the month between two that are two months apart", without("2026-03"), ["2026-03-05"]],
    ["lacks two months in a row", without("2026-03", "2026-04"), ["2026-03-05", "2026-04-05"]],
    [
      "lacks what is due for more than 31 days after the last one",
      without("2026-04", "2026-05", "2026-06"),
      ["2026-04-05", "2026-05-05"],
    ],
    ["lacks nothing that is due for 31 days or less", without("2026-06"), []],
    [
      "lacks all of them if there is none",
      [],
      ["2026-01-05", "2026-02-05", "2026-03-05", "2026-04-05", "2026-05-05"],
    ],
    [
      "follows the insurer's own days of collection",
      ["2026-02-01", "2026-03-01", "2026-04-01", "2026-06-01"],
      ["2026-05-01"],
    ],
    [
      "lacks no month whose collection came at the edge of the next one",
      ["2026-01-31", "2026-03-01", "2026-03-31", "2026-05-01", "2026-05-31"],
      [],
    ],
    [
      "lacks no month that has one, however late it came",
      ["2026-01-05", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"],
      [],
    ],
    [
      "lacks no month whose collection was retried in the next one",
      ["2026-01-15", "2026-03-05", "2026-03-15", "2026-04-15", "2026-05-15"],
      [],
    ],
    [
      "lacks one of two months if one of them was collected late",
      ["2026-01-15", "2026-04-05", "2026-04-15", "2026-05-15"],
      ["2026-02-15"],
    ],
    ["may begin a month late", without("2026-01"), []],
    ["may not begin two months late", without("2026-01", "2026-02"), ["2026-02-05"]],
  ])("%s", (_, days, expected) => {
    expect(missing(days)).toEqual(expected);
  });

  it("begins in year 2 with an advance (Commission rules on Sales, 2)", () => {
    expect(missing([], withAdvance, { readOn: "2026-12-31" })).toEqual([]);
    expect(missing([], withAdvance, { readOn: "2027-03-10" })).toEqual(["2027-01-05", "2027-02-05"]);
  });

  it("is never of an annual contract, nor of a sale that announces none", () => {
    expect(missing([], { monthly: false })).toEqual([]);
    expect(missing([], { airMinor: null })).toEqual([]);
    expect(missing([], { airMinor: 0 })).toEqual([]);
  });

  it("ends with the contract", () => {
    const cancelled = (cancelledOn: string | null) => ({ status: "cancelled", cancelledOn });
    expect(missing(without("2026-04", "2026-05", "2026-06"), cancelled("2026-05-10"))).toEqual([
      "2026-04-05",
    ]);
    expect(missing(without("2026-04", "2026-05", "2026-06"), cancelled("2026-04-20"))).toEqual([]);
    expect(missing(punctual.slice(0, 2), cancelled(null))).toEqual([]);
    expect(missing(punctual.slice(0, 2), { status: "suspended" })).toEqual([]);
    // What was collected later says that it went on.
    expect(missing(without("2026-03"), { status: "suspended" })).toEqual(["2026-03-05"]);
  });

  it("ends with the contract, also if a collection is taken back later", () => {
    const days = [...["2026-01-15", "2026-02-15", "2026-03-15"].map(air), undone("2026-05-05")];
    const cancelled = { ...sale, status: "cancelled", cancelledOn: "2026-04-02" };
    expect(missingAirDays(cancelled, days, 24, "2026-06-20")).toEqual([]);
  });

  it("ends with the term, which is the shortest one if it is not known", () => {
    const later = { readOn: "2028-06-20" };
    const last = (termMonths: number | null) => missing(punctual, {}, { termMonths, ...later }).at(-1);
    expect(last(24)).toBe("2027-12-05");
    expect(last(12)).toBe("2026-12-05");
    expect(last(null)).toBe("2026-12-05");
    expect(missing([], withAdvance, { termMonths: null, ...later })).toEqual([]);
  });

  it("is not missing while the sale was never read", () => {
    expect(missing([], {}, { readOn: "" })).toEqual([]);
  });

  it("is not missed for a collection that was undone", () => {
    const days = without("2026-03").map(air);
    expect(missingAirDays(sale, [...days, undone("2026-03-05")], 24, "2026-06-20")).toEqual([]);
  });

  it("is not counted before it is due", () => {
    const early = [...punctual].map((day) => ({ ...air(day), date: day }));
    expect(missingAirDays(withAdvance, early, 24, "2027-03-10")).toEqual(["2027-01-05", "2027-02-05"]);
  });
});
