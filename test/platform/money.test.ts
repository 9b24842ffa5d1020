import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MAX_MINOR_UNITS,
  MAX_STORED_MINOR,
  sumStoredMinor,
  toCappedMinorUnits,
  toCurrencyUnits,
  toDecimalText,
  toMinorUnits,
  toStoredMinorUnits,
} from "#app/platform/money.ts";
import { minorDigits } from "../../extensions/currency-digits.ts";
import { priceText } from "#app/platform/customer-text.ts";
import { formatsFor } from "#app/ui/format.ts";
import { minorDigits as digitsInExtensions } from "../../extensions/currency-digits.ts";

const anyMinor = fc.integer({ min: -MAX_MINOR_UNITS, max: MAX_MINOR_UNITS });
const anyCurrency = fc.constantFrom("EUR", "USD", "JPY", "KWD");

describe("money between floats and minor units", () => {
  it("comes back unchanged from a float, for every amount and currency", () => {
    fc.assert(
      fc.property(anyMinor, anyCurrency, (minor, currency) => {
        expect(toMinorUnits(toCurrencyUnits(minor, currency), currency)).toBe(minor);
      }),
      { numRuns: 2000 },
    );
  });

  it("comes back unchanged through JSON and through decimal text", () => {
    fc.assert(
      fc.property(anyMinor, anyCurrency, (minor, currency) => {
        const json: unknown = JSON.parse(JSON.stringify(toCurrencyUnits(minor, currency)));
        expect(toMinorUnits(Number(json), currency)).toBe(minor);
        expect(toMinorUnits(toDecimalText(minor, currency), currency)).toBe(minor);
      }),
      { numRuns: 2000 },
    );
  });

  it("reads a decimal text digit by digit", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 9_999_999_999 }),
        fc.nat({ max: 99 }),
        fc.boolean(),
        (whole, cents, negative) => {
          const text = `${negative ? "-" : ""}${whole}.${String(cents).padStart(2, "0")}`;
          const value = whole * 100 + cents;
          expect(toMinorUnits(text, "EUR")).toBe(negative && value !== 0 ? -value : value);
        },
      ),
    );
  });

  it("is off by half a minor unit at most, whatever the float", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (amount) => {
        expect(Math.abs(toMinorUnits(amount, "EUR") - amount * 100)).toBeLessThanOrEqual(0.5 + 1e-4);
      }),
    );
  });

  it.each([
    [12.9, 1290],
    [0.1 + 0.2, 30],
    [1.005, 101],
    [-1.005, -101],
    [2.675, 268],
    [1.15, 115],
    [8.2, 820],
    [19.99, 1999],
    [-0.001, 0],
    ["12.345", 1235],
    ["1e2", 10_000],
  ])("reads %s euros as %i cents", (amount, cents) => {
    expect(toMinorUnits(amount, "EUR")).toBe(cents);
  });

  it("stores what the database can keep: an amount beyond is refused, or cut where that is as good", () => {
    const most = toDecimalText(MAX_STORED_MINOR, "EUR");
    expect([toStoredMinorUnits(most, "EUR"), toCappedMinorUnits(most, "EUR")]).toEqual([
      MAX_STORED_MINOR,
      MAX_STORED_MINOR,
    ]);
    for (const [beyond, cut] of [
      ["21474836.48", MAX_STORED_MINOR],
      ["-21474836.48", -MAX_STORED_MINOR],
      ["9".repeat(300), MAX_STORED_MINOR],
    ] as const) {
      expect(() => toStoredMinorUnits(beyond, "EUR")).toThrow(RangeError);
      expect(toCappedMinorUnits(beyond, "EUR")).toBe(cut);
    }
    for (const none of ["", "dear", NaN, Infinity])
      expect(() => toCappedMinorUnits(none, "EUR")).toThrow(RangeError);
  });

  it("has no minus zero, which JSON and the database would not keep", () => {
    for (const convert of [toMinorUnits, toStoredMinorUnits, toCappedMinorUnits])
      expect([convert("-0", "EUR"), convert("-0.001", "EUR"), convert(-0, "EUR")]).toEqual([0, 0, 0]);
  });

  it("sums what the database can keep, up to the last unit and both ways", () => {
    for (const most of [MAX_STORED_MINOR, -MAX_STORED_MINOR]) {
      expect(sumStoredMinor([most - Math.sign(most), Math.sign(most)])).toBe(most);
      expect(() => sumStoredMinor([most, Math.sign(most)])).toThrow("The sum of the amounts is too large");
    }
    expect(sumStoredMinor([])).toBe(0);
  });

  it("has the digits of ISO 4217, whatever the runtime displays", () => {
    const digits = (currencies: string) => currencies.split(" ").map((currency) => minorDigits(currency));
    expect(new Set(digits("HUF COP IDR PKR ALL TWD AFN LAK IRR MGA RSD"))).toEqual(new Set([2]));
    expect(new Set(digits("JPY KRW CLP ISK XOF"))).toEqual(new Set([0]));
    expect(new Set(digits("KWD TND"))).toEqual(new Set([3]));
    for (const currency of Intl.supportedValuesOf("currency"))
      expect(digitsInExtensions(currency)).toBe(minorDigits(currency));
    expect(toMinorUnits("41259.63", "COP")).toBe(4_125_963);
    expect(formatsFor("en", "UTC").money(1_799_175, "HUF")).toContain("17,991.75");
    expect(priceText(1_799_175, "HUF", "en")).toContain("17,991.75");
    expect(() => minorDigits("EURO")).toThrow(RangeError);
  });

  it("knows currencies without and with three decimals", () => {
    expect(toMinorUnits(1290, "JPY")).toBe(1290);
    expect(toMinorUnits("1.234", "KWD")).toBe(1234);
    expect(minorDigits("EUR")).toBe(2);
    expect(toDecimalText(5, "EUR")).toBe("0.05");
    expect(toDecimalText(-1290, "EUR")).toBe("-12.90");
    expect(toDecimalText(1290, "JPY")).toBe("1290");
  });

  it.each([Number.NaN, Infinity, "", "12,90", "0x10", " 1", "1.", "--1", "1e9999"])(
    "refuses %s",
    (amount) => {
      expect(() => toMinorUnits(amount, "EUR")).toThrow(RangeError);
    },
  );

  it("refuses what a float cannot carry to the cent, and halves of minor units", () => {
    expect(() => toMinorUnits(1e15, "EUR")).toThrow(new RangeError("The amount is too large"));
    expect(() => toMinorUnits("x", "EUR")).toThrow(new RangeError("The amount is not a decimal number"));
    for (const minor of [MAX_MINOR_UNITS + 1, -MAX_MINOR_UNITS - 1, 12.5, Number.NaN])
      expect(() => toCurrencyUnits(minor, "EUR")).toThrow(
        new RangeError("Minor units are integers up to MAX_MINOR_UNITS"),
      );
    expect(toCurrencyUnits(-MAX_MINOR_UNITS, "JPY")).toBe(-MAX_MINOR_UNITS);
    expect(toCurrencyUnits(-0, "EUR")).toBe(0);
  });

  it("refuses a currency that is none", () => {
    expect(() => toMinorUnits(1, "euros")).toThrow(RangeError);
  });
});
