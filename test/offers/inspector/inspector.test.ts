import { describe, expect, it } from "vitest";
import { blockingStep, inspectOffer } from "#app/offers/inspector/inspector.ts";
import type { InspectorInput } from "#app/offers/inspector/inspector.ts";
import { allIsWell, product } from "./all-is-well.ts";

describe("the inspector", () => {
  it("finds no blocking step where every step is right, and each step has its outcome", () => {
    const steps = inspectOffer(allIsWell);
    expect(blockingStep(steps)).toBeNull();
    expect(steps.map(({ step, state, outcome }) => `${step} ${state} ${outcome}`)).toEqual([
      "connection ok connected",
      "product ok visible",
      "category ok by_rule",
      "price ok in_band",
      "reference ok known",
      "variant ok on_sale",
      "currency ok same",
      "touchpoint ok on",
      "insurer ok offers",
    ]);
  });

  it("names the markets that have no offers, where others have them", () => {
    const currency = { shop: "EUR", offers: "EUR", shopper: null };
    const stepFor = (markets: InspectorInput["markets"]) =>
      inspectOffer({ ...allIsWell, currency, markets }).find(({ step }) => step === "currency");
    const [france, suisse] = [
      { name: "France", offers: "shown" },
      { name: "Suisse", offers: "none" },
    ] as const;
    expect(stepFor([france, suisse, { name: "Japon", offers: "none" }])).toMatchObject({
      state: "warns",
      outcome: "some_markets",
      values: { shop: "EUR", markets: "Suisse, Japon" },
    });
    for (const markets of [[france], [], null])
      expect(stepFor(markets)).toMatchObject({ state: "ok", outcome: "shop", values: { shop: "EUR" } });
    expect(stepFor([suisse])).toMatchObject({
      state: "blocks",
      outcome: "no_market",
      values: { shop: "EUR" },
    });
  });

  it("names the only variant of a product by the product alone, not by Shopify's word for it", () => {
    const named = (variantTitle: string) =>
      inspectOffer({ ...allIsWell, product: { ...product, variantTitle } }).find(
        ({ step }) => step === "product",
      )?.values;
    expect(named("Default Title")).toEqual({ title: product.title });
    expect(named("Blue")).toEqual({ title: `${product.title} – Blue` });
  });

  it("warns of an outage, because the synced catalogue still sells, unless only live offers count", () => {
    const insurer = { state: "unreachable", reason: "no answer in time" } as const;
    expect(blockingStep(inspectOffer({ ...allIsWell, insurer }))).toBeNull();
    expect(inspectOffer({ ...allIsWell, insurer }).at(-1)?.state).toBe("warns");
    const live = { key: "smartphone_1", live: true, hasDocuments: true, published: true };
    expect(blockingStep(inspectOffer({ ...allIsWell, insurer, category: live }))?.step).toBe("insurer");
  });
});

describe("each step's outcome", () => {
  const named = { title: "Nova 128 – Noir" };
  const price = (priceMinor: number) => ({ product: { ...product, priceMinor } });
  const category = { key: "smartphone_1", live: false, hasDocuments: true, published: true };
  const ruled = { category: "Smartphone", rule: 2 };
  const [first, second] = allIsWell.references;
  if (!first || !second) throw new Error("no references");
  const withProblem = { ...second, problem: "overlap" };

  it.each<[Partial<InspectorInput>, string, object]>([
    [{}, "connection ok connected", {}],
    [{ stop: "disconnected" }, "connection blocks disconnected", {}],
    [{ stop: "refused" }, "connection blocks refused", {}],
    [{ stop: "paused" }, "connection blocks paused", {}],
    [{ product: null }, "product blocks unknown", {}],
    [{ product: { ...product, isInsurance: true } }, "product blocks insurance", named],
    [{ product: { ...product, isGiftCard: true } }, "product blocks gift_card", named],
    [{ product: { ...product, visible: false } }, "product blocks hidden", named],
    [{ product: { ...product, soldOut: true } }, "product blocks sold_out", named],
    [{}, "product ok visible", named],
    [
      { decision: { categoryId: null, decidedBy: "rule", rule: 1 } },
      "category blocks excluded_by_rule",
      { rule: 1 },
    ],
    [
      { decision: { categoryId: null, decidedBy: "override", rule: null } },
      "category blocks excluded_by_override",
      {},
    ],
    [
      { decision: { categoryId: null, decidedBy: "bundle", rule: null } },
      "category blocks excluded_by_bundle",
      {},
    ],
    [{ decision: { categoryId: null, decidedBy: "nothing", rule: null } }, "category blocks no_rule", {}],
    [{ category: null }, "category blocks not_offered", ruled],
    [{ category: { ...category, hasDocuments: false } }, "category blocks no_documents", ruled],
    [{ product: { ...product, writtenKey: "photo_1" } }, "category blocks not_written", ruled],
    [{ product: { ...product, writtenKey: null } }, "category blocks not_written", ruled],
    [{ category: { ...category, published: false } }, "category blocks not_published", ruled],
    [{}, "category ok by_rule", ruled],
    [{ product: null }, "category ok by_rule", ruled],
    [
      { decision: { categoryId: "Smartphone", decidedBy: "override", rule: null } },
      "category ok by_override",
      { category: "Smartphone" },
    ],
    [{ product: null }, "price skipped skipped", {}],
    [{ category: null }, "price skipped skipped", {}],
    [{ category: { ...category, live: true } }, "price ok live", { price: 49_900 }],
    [price(40_000), "price ok in_band", { price: 40_000, min: 40_000, max: 59_999 }],
    [price(59_999), "price ok in_band", { price: 59_999, min: 40_000, max: 59_999 }],
    [{ bands: [] }, "price blocks no_bands", {}],
    [price(4_999), "price blocks below", { price: 4_999, min: 5_000 }],
    [price(100_000), "price blocks above", { price: 100_000, max: 99_999 }],
    [price(70_000), "price blocks between", { price: 70_000 }],
    [{ references: [] }, "reference skipped skipped", {}],
    [{ category: null }, "reference skipped skipped", {}],
    [{}, "reference ok known", { count: 2, of: 2 }],
    [{ references: [], category: { ...category, live: true } }, "reference ok live", { count: 0, of: 0 }],
    [{ references: [withProblem] }, "reference blocks problem", { reference: "A-24", problem: "overlap" }],
    [
      { references: [first, withProblem] },
      "reference warns some_problem",
      { count: 1, of: 2, reference: "A-24", problem: "overlap" },
    ],
    [{ references: [withProblem] }, "variant skipped skipped", {}],
    [{ references: [first, withProblem] }, "variant ok on_sale", { count: 1 }],
    [{ references: [{ ...first, onSale: false }] }, "variant blocks not_in_shop", { reference: "A-12" }],
    [
      { references: [first, { ...second, onSale: false }] },
      "variant warns some_missing",
      { reference: "A-24", count: 1 },
    ],
    [
      { currency: { shop: "CHF", offers: "EUR", shopper: null } },
      "currency blocks other",
      { shop: "CHF", offers: "EUR" },
    ],
    [
      { currency: { shop: "EUR", offers: null, shopper: "GBP" } },
      "currency blocks shopper",
      { shop: "EUR", shopper: "GBP" },
    ],
    [{}, "currency ok same", { shop: "EUR" }],
    [{ currency: { shop: "EUR", offers: null, shopper: null } }, "currency ok shop", { shop: "EUR" }],
    [{}, "touchpoint ok on", { touchpoint: "product_page" }],
    [{ touchpoint: { name: "cart", on: false } }, "touchpoint blocks off", { touchpoint: "cart" }],
    [{ insurer: null }, "insurer skipped not_asked", {}],
    [{ insurer: { state: "refused", reason: "no token" } }, "insurer warns refused", { reason: "no token" }],
    [{}, "insurer ok offers", { count: 3 }],
    [{ insurer: { state: "responded", offers: 0 } }, "insurer warns no_offers", {}],
    [
      { insurer: { state: "responded", offers: 0 }, category: { ...category, live: true } },
      "insurer blocks no_offers",
      {},
    ],
    [{ insurer: { state: "responded", offers: 0 }, category: null }, "insurer warns no_offers", {}],
    [
      { insurer: { state: "unreachable", reason: "timeout" }, category: null },
      "insurer warns unreachable",
      { reason: "timeout" },
    ],
  ])("%j: %s", (changed, expected, values) => {
    const [name] = expected.split(" ");
    const steps = inspectOffer({ ...allIsWell, ...changed });
    const found = steps.find(({ step }) => step === name);
    expect(`${found?.step} ${found?.state} ${found?.outcome}`).toBe(expected);
    expect(found?.values).toEqual(values);
    if (found?.state === "blocks") expect(blockingStep(steps)).toEqual(found);
  });
});
