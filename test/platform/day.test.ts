import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { monthsLater, startOfDay, toLocalDay } from "#app/platform/day.ts";

describe("days of a time zone", () => {
  it.each([
    ["Europe/Paris", "2026-03-28T23:00:00.000Z", "2026-03-29"],
    ["Europe/Paris", "2026-03-28T22:59:59.999Z", "2026-03-28"],
    ["Europe/Paris", "2026-12-31T23:00:00.000Z", "2027-01-01"],
    ["America/New_York", "2026-11-01T04:00:00.000Z", "2026-11-01"],
    ["America/New_York", "2026-11-01T03:59:00.000Z", "2026-10-31"],
    ["Pacific/Kiritimati", "2026-01-01T10:00:00.000Z", "2026-01-02"],
    ["Asia/Kathmandu", "2026-01-01T18:15:00.000Z", "2026-01-02"],
    ["Pacific/Niue", "2026-01-01T10:59:00.000Z", "2025-12-31"],
  ])("in %s %s is in %s", (timezone, moment, day) => {
    expect(toLocalDay(timezone, new Date(moment))).toBe(day);
  });

  it.each([
    ["UTC", "2026-01-01", "2026-01-01T00:00:00.000Z"],
    ["Europe/Paris", "2026-03-29", "2026-03-28T23:00:00.000Z"],
    ["Europe/Paris", "2026-03-30", "2026-03-29T22:00:00.000Z"],
    ["America/New_York", "2026-11-02", "2026-11-02T05:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-01-02", "2026-01-01T10:00:00.000Z"],
    ["Asia/Kathmandu", "2026-01-02", "2026-01-01T18:15:00.000Z"],
    ["Pacific/Niue", "2026-01-01", "2026-01-01T11:00:00.000Z"],
    // Summer time began at midnight: the day began at one o'clock.
    ["America/Asuncion", "2023-10-01", "2023-10-01T04:00:00.000Z"],
  ])("in %s %s begins at %s", (timezone, day, moment) => {
    expect(startOfDay(timezone, day).toISOString()).toBe(moment);
  });

  it.each([
    ["2026-11-21", 24, "2028-11-21"],
    ["2026-12-31", 2, "2027-02-28"],
    ["2028-02-29", 12, "2029-02-28"],
  ])("%s and %i months later is %s", (day, months, later) => {
    expect(monthsLater(day, months)).toBe(later);
  });

  it("begin at their own first moment: a millisecond earlier it was the day before", () => {
    const zones = fc.constantFrom(
      "Europe/Paris",
      "America/Los_Angeles",
      "Asia/Kolkata",
      "Pacific/Auckland",
      "UTC",
    );
    const days = fc.date({ min: new Date("2020-01-01"), max: new Date("2030-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(zones, days, (zone, date) => {
        const day = date.toISOString().slice(0, 10);
        const start = startOfDay(zone, day);
        expect(toLocalDay(zone, start)).toBe(day);
        expect(toLocalDay(zone, new Date(start.getTime() - 1)) < day).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
