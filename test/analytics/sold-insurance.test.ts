import { describe, expect, it } from "vitest";
import { type AttachmentFigures, type AttachmentOverview, noFigures } from "#app/analytics/attachment.ts";
import { courseOf, previousPeriod, suggestionsOf, toEndSpans } from "#app/analytics/sold-insurance.ts";

const figures = (changes: Partial<AttachmentFigures>): AttachmentFigures => ({ ...noFigures, ...changes });
const onDay = (day: string, changes: Partial<AttachmentFigures>) => ({ day, ...figures(changes) });

describe("a period beside the one before it", () => {
  it("has as many days, up to the day before it begins", () => {
    expect(previousPeriod({ start: "2026-11-01", end: "2026-11-30" }, "2026-12-09")).toEqual({
      start: "2026-10-02",
      end: "2026-10-31",
    });
    expect(previousPeriod({ start: "2026-11-27", end: null }, "2026-11-28")).toEqual({
      start: "2026-11-25",
      end: "2026-11-26",
    });
    expect(previousPeriod({ start: null, end: "2026-11-28" }, "2026-11-28")).toBeNull();
  });

  it("is drawn by day, and by week if it is long; every day counts once", () => {
    const { by, points } = courseOf(
      { start: "2026-11-01", end: "2026-11-03" },
      [onDay("2026-11-01", { paid: 1 }), onDay("2026-11-03", { paid: 2 })],
      { start: "2026-10-29", end: "2026-10-31" },
      [onDay("2026-10-31", { paid: 5 })],
    );
    expect(by).toBe("day");
    expect(points.map(({ at, current, previous }) => [at, current.paid, previous.paid])).toEqual([
      ["2026-11-01", 1, 0],
      ["2026-11-02", 0, 0],
      ["2026-11-03", 2, 5],
    ]);
    const long = courseOf(
      { start: "2026-01-01", end: "2026-03-31" },
      [onDay("2026-01-07", { paid: 1 }), onDay("2026-01-08", { paid: 2 }), onDay("2026-03-31", { paid: 4 })],
      { start: "2025-10-03", end: "2025-12-31" },
      [],
    );
    expect(long.by).toBe("week");
    expect(long.points.map(({ current }) => current.paid).filter((paid) => paid > 0)).toEqual([1, 2, 4]);
  });
});

it("the ends of contracts are counted by days since the sale, withdrawals apart", () => {
  const spans = toEndSpans([
    { days: 0, isWithdrawn: true, items: 2 },
    { days: 1, isWithdrawn: false, items: 1 },
    { days: 14, isWithdrawn: true, items: 3 },
    { days: 400, isWithdrawn: false, items: 4 },
  ]);
  expect(spans.map(({ withdrawn, cancelled }) => [withdrawn, cancelled])).toEqual([
    [2, 1],
    [0, 0],
    [3, 0],
    [0, 0],
    [0, 4],
  ]);
});

describe("the suggestions", () => {
  const overview = (total: Partial<AttachmentFigures>, parts: Partial<AttachmentOverview> = {}) => ({
    total: figures(total),
    days: [],
    categories: [],
    touchpoints: [],
    formats: [],
    products: [],
    bands: [],
    ...parts,
  });
  const kinds = (...given: Parameters<typeof overview>) =>
    suggestionsOf(overview(...given)).map(({ kind }) => kind);

  it("say nothing of few cases", () => {
    expect(kinds({ eligible: 29, seen: 0 })).toEqual([]);
    expect(kinds({ eligible: 30, seen: 0 })).toEqual(["few_seen"]);
    expect(kinds({ eligible: 100, seen: 100, paid: 29, cancelled: 29 })).toEqual([]);
    expect(kinds({ eligible: 100, seen: 100, paid: 30, cancelled: 6 })).toEqual(["many_ended"]);
  });

  it("name the category and the price band that sell half as well as the shop or less, with their numbers", () => {
    const weak = { category: "Photo", ...figures({ eligible: 40, seen: 40, paid: 3 }) };
    const good = { category: "Phones", ...figures({ eligible: 60, seen: 60, paid: 27 }) };
    const small = { category: "Bikes", ...figures({ eligible: 20, paid: 0 }) };
    const total = { eligible: 100, seen: 100, paid: 30 };
    expect(suggestionsOf(overview(total, { categories: [good, weak, small] }))).toEqual([
      { kind: "weak_category", category: "Photo", paid: 3, eligible: 40, rate: 0.3 },
    ]);
    const bands = [{ fromMinor: 0, toMinor: 10_000, ...figures({ eligible: 50, paid: 1 }) }];
    expect(kinds(total, { bands })).toEqual(["weak_band"]);
  });

  it("are at most three, those about most contracts first", () => {
    const weak = figures({ eligible: 400, seen: 40, paid: 1 });
    const total = { eligible: 1_000, seen: 300, paid: 200, cancelled: 100 };
    const parts = {
      categories: [{ category: "Photo", ...weak }],
      bands: [{ fromMinor: 0, toMinor: null, ...weak }],
    };
    expect(kinds(total, parts)).toEqual(["few_seen", "many_ended", "weak_category"]);
  });
});
