/** What the service's fields may hold: dates as they are written there, amounts in cents, names of stores. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireCommission, wireSale } from "#app/insurance/analytics.ts";
import { date, dateOrNull, parseDate } from "#app/insurance/fields.ts";
import { isIsoDay } from "#app/platform/day.ts";

describe("a date", () => {
  it.each<[string, string | null]>([
    ["2026-03-31", "2026-03-31"],
    [" 2026-03-31 ", "2026-03-31"],
    ["31/03/2026", "2026-03-31"],
    ["1.3.2026", "2026-03-01"],
    ["01-03-2026", "2026-03-01"],
    ["2024-02-29", "2024-02-29"],
    ["2026-03-31T10:00", "2026-03-31T10:00:00.000Z"],
    ["2026-03-31 10:00:05", "2026-03-31T10:00:05.000Z"],
    ["2026-03-31T10:00:05.25Z", "2026-03-31T10:00:05.250Z"],
    ["2026-03-31T 10:00 UTC", "2026-03-31T10:00:00.000Z"],
    ["2026-03-31T10:00:00+02:00", "2026-03-31T08:00:00.000Z"],
    ["31/03/2026 10:00 -0130", "2026-03-31T11:30:00.000Z"],
    ["2026-02-29", null],
    ["31/04/2026", null],
    ["2026-13-01", null],
    ["2026-00-10", null],
    ["2026-01-00", null],
    ["1/3-2026", null],
    ["2026-3-1", null],
    ["12026-03-01", null],
    ["2026-03-011", null],
    ["131/03/2026", null],
    ["31/03/20266", null],
    ["x2026-03-31", null],
    ["2026-03-31x", null],
    ["2026-03-31T25:00", null],
    ["2026-03-31T10", null],
    ["2026-03-31T10:00 CET", null],
    ["", null],
    ["12/31/2026", null],
    ["31/12/26", null],
    ["2026-12-31Tnoon", null],
    ["soon", null],
  ])("%j is %j", (text, expected) => {
    expect(parseDate(text)).toBe(expected);
    expect(dateOrNull.parse(text)).toBe(expected);
    expect(date.safeParse(text)).toMatchObject(
      expected === null
        ? { success: false, error: { issues: [{ message: "not a date (day/month/year or ISO 8601)" }] } }
        : { success: true, data: expected },
    );
  });

  it("of every day read the same in each notation", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-01"), max: new Date("2199-12-31"), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10);
          const [year = "", month = "", day = ""] = iso.split("-");
          expect(parseDate(`${day}/${month}/${year}`)).toBe(iso);
          expect(parseDate(`${Number(day)}/${Number(month)}/${year}`)).toBe(iso);
          expect(parseDate(iso)).toBe(iso);
          expect(parseDate(date.toISOString())).toBe(date.toISOString());
        },
      ),
    );
  });

  it("without a zone is one in UTC, wherever the server is", () => {
    const zone = process.env["TZ"];
    process.env["TZ"] = "America/New_York";
    try {
      for (const text of ["2026-03-31T10:00", "2026-03-31T10:00:00 UTC", "2026-03-31T10:00Z"])
        expect(parseDate(text)).toBe("2026-03-31T10:00:00.000Z");
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  it("is not looked for in a long text", () => {
    expect(parseDate("31/03/2026".padEnd(40))).toBe("2026-03-31");
    expect(parseDate("31/03/2026".padEnd(41))).toBeNull();
  });

  it("may be missing where it is optional, and is a day of its own for queries", () => {
    expect([dateOrNull.parse(null), dateOrNull.parse(undefined)]).toEqual([null, null]);
    expect(["2026-03-31", "31/03/2026", "2026-02-29", "2026-03-31T10:00"].map(isIsoDay)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a row of the analytics", () => {
  const common = { id: 7, date: "2026-03-31", store: "Paris", store_id: 12, monthly: true, price: 59.9 };
  const aSale = { ...common, status: "active", category: "Smartphone", seller: "Anne" };
  const aCommission = { ...common, amount: 1.5, plan_sale_id: 8, billing_type: "refunded", type: "air" };

  it("of sales has amounts in cents; what may be missing is nothing", () => {
    expect(wireSale.parse(aSale)).toEqual({
      id: "7",
      status: "active",
      cancellationDate: null,
      monthly: true,
      date: "2026-03-31",
      store: "Paris",
      storeId: "12",
      storeExternalId: "",
      productReferenceId: "",
      category: "Smartphone",
      seller: "Anne",
      priceMinor: 5_990,
      frontMinor: null,
      airMinor: null,
    });
    expect(
      wireSale.parse({
        ...aSale,
        cancellation_date: "01/04/2026",
        store_external_id: 5,
        product_reference_id: "11",
        front_eur: 0,
        air_eur: 0.125,
      }),
    ).toMatchObject({
      cancellationDate: "2026-04-01",
      storeExternalId: "5",
      productReferenceId: "11",
      frontMinor: 0,
      airMinor: 13,
    });
    expect(wireSale.parse({ ...aSale, store_external_id: "P-1", front_eur: 12.34 })).toMatchObject({
      storeExternalId: "P-1",
      frontMinor: 1_234,
    });
  });

  it("of commissions keeps the sign of an amount, and knows its kinds", () => {
    expect(wireCommission.parse({ ...aCommission, amount: -1.5 })).toEqual({
      id: "7",
      date: "2026-03-31",
      store: "Paris",
      storeId: "12",
      storeExternalId: "",
      planSaleId: "8",
      monthly: true,
      billingType: "refunded",
      type: "air",
      amountMinor: -150,
      priceMinor: 5_990,
    });
    for (const billing_type of ["collected", "refunded"])
      for (const type of ["front", "air"])
        expect(wireCommission.safeParse({ ...aCommission, billing_type, type }).success).toBe(true);
    expect(wireCommission.safeParse({ ...aCommission, type: "side" }).success).toBe(false);
    expect(wireCommission.safeParse({ ...aCommission, billing_type: "" }).success).toBe(false);
    expect(wireCommission.parse({ ...aCommission, store_external_id: 5 }).storeExternalId).toBe("5");
  });

  it.each([
    ["price", 1e15],
    ["front_eur", 1e15],
    ["air_eur", 1e15],
  ])("of sales names the amount that is too large: %s", (path, amount) => {
    expect(wireSale.safeParse({ ...aSale, [path]: amount }).error?.issues[0]?.path).toEqual([path]);
  });

  it.each(["price", "amount"])("of commissions names the amount that is too large: %s", (path) => {
    expect(wireCommission.safeParse({ ...aCommission, [path]: 1e15 }).error?.issues[0]?.path).toEqual([path]);
  });
});
