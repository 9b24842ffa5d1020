import { describe, expect, it } from "vitest";
import { offersIn } from "#app/offers/markets.ts";
import { orderedTerms } from "#app/offers/term-order.ts";

describe("a market's shoppers are offered insurance", () => {
  const of = (currencyCode: string, localCurrencies: boolean) =>
    offersIn({ baseCurrency: { currencyCode }, localCurrencies }, "EUR");

  it("where it charges the shop's currency; some of them where each country has its own", () => {
    expect(of("EUR", false)).toEqual({ currency: "EUR", offers: "shown" });
    expect(of("CHF", false)).toEqual({ currency: "CHF", offers: "none" });
    expect(of("EUR", true)).toEqual({ currency: "EUR", offers: "some" });
    expect(of("CHF", true)).toEqual({ currency: "CHF", offers: "some" });
    expect(offersIn(null, "EUR")).toEqual({ currency: null, offers: "some" });
  });
});

describe("terms", () => {
  it("come as the merchant put them, the others after them and shortest first, each once", () => {
    expect(orderedTerms([36, 12, 24, 6, 12], [24, 48, 36])).toEqual([24, 36, 6, 12]);
    expect(orderedTerms([36, 12, 24], [])).toEqual([12, 24, 36]);
    expect(orderedTerms([], [12])).toEqual([]);
    expect(orderedTerms([100, 24, 9], [])).toEqual([9, 24, 100]);
  });
});
