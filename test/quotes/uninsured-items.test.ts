import { describe, expect, it } from "vitest";
import {
  MAX_ORDER_QUOTES,
  planOfQuote,
  quoteRefusalOf,
  uninsuredItems,
} from "#app/quotes/of-orders/order-quotes.ts";
import { defaultMerchantSettings, saleRuleOf } from "#app/merchants/settings.ts";
import { line, shopOrder } from "#test/orders/samples.ts";

const catalogue = {
  categories: new Map([["800", ["Smartphones"]]]),
  hasOffer: (_category: string, { unitPriceMinor }: { unitPriceMinor: number }) => unitPriceMinor < 100_000,
};
const count = (...given: Parameters<typeof uninsuredItems>) => uninsuredItems(...given).length;

describe("the items that get a quote", () => {
  it("are those that are left and not insured, at the price before discounts", () => {
    const phones = line("1", 49_900, { quantity: 4, currentQuantity: 3 });
    expect(uninsuredItems([phones], ["1"], catalogue)).toMatchObject([
      { lineId: "1", itemNumber: 1, priceMinor: 49_900, categoryId: "Smartphones" },
      { lineId: "1", itemNumber: 2 },
    ]);
    expect(count([phones], ["1", "1", "1", "1"], catalogue)).toBe(0);
  });

  it("leave out an item for each plan whose product is unknown", () => {
    const lines = [line("1", 49_900), line("2", 49_900, { quantity: 2 })];
    expect(uninsuredItems(lines, [null], catalogue).map(({ lineId }) => lineId)).toEqual(["2"]);
  });

  it("have a category, a variant and an offer for their price", () => {
    expect(count([line("1", 49_900, { productId: "1" })], [], catalogue)).toBe(0);
    expect(count([line("1", 49_900, { variantId: null })], [], catalogue)).toBe(0);
    expect(count([line("1", 149_900)], [], catalogue)).toBe(0);
  });

  it("are bounded, whatever quantity was typed", () => {
    const lines = [line("1", 49_900, { quantity: 1_000_000 }), line("2", 49_900)];
    expect(count(lines, [], catalogue)).toBe(MAX_ORDER_QUOTES);
  });
});

it.each([
  ["the last day", "2026-12-20T22:59:00Z", null],
  ["the day after, though fewer hours have passed than days", "2026-12-20T23:01:00Z", "too_old"],
])("a quote of an order is refused by the shop's calendar: %s", (_when, now, refusal) => {
  // 00:30 on 21 November in Paris.
  const order = shopOrder([line("1", 49_900)], { createdAt: new Date("2026-11-20T23:30:00Z") });
  const rule = { ...saleRuleOf(defaultMerchantSettings.sale, "FR"), maxQuoteAgeDays: 29 };
  expect(quoteRefusalOf(order, rule, "Europe/Paris", new Date(now))).toBe(refusal);
});

describe("the plan that came of a quote", () => {
  const quote = { quoteId: "LD-1", categoryId: "Smartphones", priceMinor: 49_900, madeOn: "2026-11-20" };
  const plan = {
    id: "CT-1",
    orderReferenceId: "elsewhere",
    offerReferenceId: "S-24",
    purchaseDate: "2026-11-21",
    priceMinor: 9_900,
  };
  const references = [
    { referenceId: "S-24", categoryId: "Smartphones", bandMinMinor: 40_000, bandMaxMinor: 60_000 },
  ];
  const known = { references, knownOrders: new Set(["5"]) };

  it("names the quote, whatever else it says", () => {
    const named = { ...plan, orderReferenceId: "LD-1", offerReferenceId: "unknown" };
    expect(planOfQuote(quote, [plan, named], known)).toBe(named);
  });

  it("is else one of the category and price band, made since, of no order that is known", () => {
    expect(planOfQuote(quote, [plan], known)).toBe(plan);
    for (const other of [
      { purchaseDate: "2026-11-19" },
      { orderReferenceId: "5" },
      { offerReferenceId: "TV-24" },
    ]) {
      expect(planOfQuote(quote, [{ ...plan, ...other }], known)).toBeNull();
    }
    expect(planOfQuote({ ...quote, priceMinor: 70_000 }, [plan], known)).toBeNull();
  });
});
