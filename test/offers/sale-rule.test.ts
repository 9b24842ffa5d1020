import { describe, expect, it, test } from "vitest";
import { merchantSettings, saleRuleOf } from "#app/merchants/settings.ts";
import { type Cover, type Place, refusalOf, type Sale, territoryOf } from "../../extensions/sale-rule.ts";

const { sale: unset } = merchantSettings.parse({});
const rule = saleRuleOf(unset, "FR");
const cover: Cover = {
  currency: "EUR",
  priceMinor: 4_990,
  billing: "annually",
  termMonths: 24,
  bandMinMinor: 30_000,
  bandMaxMinor: 39_999,
};
const at = (country: string, postcode?: string): Sale => ({ delivery: { country, postcode } });
const costs = (priceMinor: number, more: Partial<Cover> = {}): Sale => ({
  cover: { ...cover, priceMinor, ...more },
});

test.each<[name: string, refusal: string | null, sale: Sale, settings?: Partial<typeof unset>]>([
  ["nothing that is known", null, {}],
  ["a place that is not known", null, { delivery: { country: null } }],
  ["the shop's own country", null, at("FR", "75020")],
  ["the shop's own country in small letters", null, at("fr", "75 020")],
  ["Corsica", null, at("FR", "20000")],
  ["another country", "country", at("BE", "1000")],
  ["Réunion by its own code", "country", at("RE", "97400")],
  ["Réunion as a postcode of France", "country", at("FR", "97400")],
  ["Monaco as a postcode of France", "country", at("FR", "98000")],
  ["a country that the merchant added", null, at("BE"), { countries: ["FR", "BE"] }],
  ["the shop's country where the merchant chose others", "country", at("FR"), { countries: ["BE"] }],
  ["Réunion where the merchant added it", null, at("FR", "97400"), { countries: ["FR", "RE"] }],
  ["Saint-Martin, which is not Guadeloupe", "country", at("FR", "97150"), { countries: ["FR", "GP"] }],
  ["a company", "company", { isCompany: true }],
  ["a company that may buy", null, { isCompany: true }, { companies: true }],
  ["the offer's currency", null, { cover, currency: "EUR" }],
  ["another currency", "currency", { cover, currency: "CHF" }],
  ["the lowest price of the band", null, { cover, productPriceMinor: 30_000 }],
  ["the highest price of the band", null, { cover, productPriceMinor: 39_999 }],
  ["a price below the band", "price_band", { cover, productPriceMinor: 29_999 }],
  ["a price above the band", "price_band", { cover, productPriceMinor: 40_000 }],
  ["600 euros a year", null, costs(120_000)],
  ["600.01 euros a year", "yearly_premium", costs(60_001, { termMonths: 12 })],
  ["a cent more for two years", "yearly_premium", costs(120_001)],
  ["half a year for 300.01 euros", "yearly_premium", costs(30_001, { termMonths: 6 })],
  ["601 euros a year of a registered merchant", null, costs(120_200), { registrationNumber: "07 001 234" }],
  ["more than 600 of another currency", null, costs(9_000_000, { currency: "CZK" })],
  ["by the month", "monthly", costs(499, { billing: "monthly" })],
  ["by the month, with a collector", null, costs(499, { billing: "monthly" }), { monthly: true }],
  ["50 euros a month, with a collector", null, costs(5_000, { billing: "monthly" }), { monthly: true }],
  ["50.01 a month", "yearly_premium", costs(5_001, { billing: "monthly" }), { monthly: true }],
  ["an old product without a limit", null, { ageDays: 3_000 }],
  ["a product as old as the limit", null, { ageDays: 30 }, { maxQuoteAgeDays: 30 }],
  ["a product a day older", "product_age", { ageDays: 31 }, { maxQuoteAgeDays: 30 }],
])("%s: %s", (_name, refusal, sale, settings = {}) => {
  expect(refusalOf(saleRuleOf({ ...unset, ...settings }, "FR"), sale)).toBe(refusal);
});

describe("the rule of sale", () => {
  it("refuses nothing where the shop's country is not known, or a surface has no part of the rule", () => {
    expect(refusalOf(saleRuleOf(unset, ""), at("BE"))).toBeNull();
    const everything = {
      ...at("BE"),
      isCompany: true,
      ...costs(90_000, { billing: "monthly" }),
      ageDays: 9_999,
    };
    expect(refusalOf({}, everything)).toBeNull();
    expect(refusalOf(rule, everything)).toBe("country");
  });

  it("tells the parts of France apart by code and by postcode alike", () => {
    const places: [Place, string | null][] = [
      [{ country: "FR" }, "FR"],
      [{ country: "FR", postcode: "97110" }, "GP"],
      [{ country: "FR", postcode: "97200" }, "MQ"],
      [{ country: "FR", postcode: "97300" }, "GF"],
      [{ country: "FR", postcode: "97500" }, "PM"],
      [{ country: "FR", postcode: "97600" }, "YT"],
      [{ country: "FR", postcode: "97133" }, "BL"],
      [{ country: "FR", postcode: "98600" }, "WF"],
      [{ country: "FR", postcode: "98713" }, "PF"],
      [{ country: "FR", postcode: "98800" }, "NC"],
      [{ country: "GP", postcode: "97110" }, "GP"],
      [{ country: "DE", postcode: "97070" }, "DE"],
      [{ country: "" }, null],
    ];
    for (const [place, territory] of places) expect(territoryOf(place)).toBe(territory);
  });
});
