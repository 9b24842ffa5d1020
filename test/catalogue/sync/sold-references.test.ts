import { describe, expect, it } from "vitest";
import { type AppliedProduct, soldReferences } from "#app/catalogue/sync/category-changes.ts";
import type { VariantEntry } from "#app/catalogue/sync/difference.ts";
import { type FoundProduct, isSellable, type ProductState } from "#app/catalogue/sync/plan-product-state.ts";
import { reference } from "#test/catalogue/samples.ts";

const state: ProductState = { status: "UNLISTED", published: true };
const entry = (referenceId: string | null, more: Partial<VariantEntry> = {}): VariantEntry => ({
  variantId: null,
  referenceId,
  sku: `sku-${referenceId ?? "own"}`,
  tracked: false,
  change: "none",
  priceMinor: 500,
  name: "12 mois",
  formula: null,
  taxable: false,
  requiresShipping: false,
  ...more,
});
const found = (variants: { sku: string; variantId: string }[]): FoundProduct => ({
  ...state,
  productId: "1",
  handle: "plan",
  tags: [],
  otherPublications: [],
  variants: variants.map((each) => ({
    ...entry(null),
    optionName: "Durée",
    formulaOptionName: null,
    ...each,
  })),
});
const applied = (
  variants: VariantEntry[],
  shop: FoundProduct | null,
  changed: Partial<ProductState> = {},
): AppliedProduct => ({
  productId: "1",
  found: shop,
  outcome: "written",
  change: {
    categoryId: "A",
    part: 1,
    productId: "1",
    handle: "plan",
    state: { ...state, ...changed },
    texts: {
      title: "",
      descriptionHtml: "",
      productType: "",
      optionName: "",
      formulaOptionName: "",
      image: "",
    },
    optionName: "Durée",
    formulaOptionName: null,
    tags: [],
    variants,
    writes: { product: false, variants: "none", publish: false },
  },
});
const references = new Map(["a", "b"].map((referenceId) => [referenceId, reference({ referenceId })]));
const sold = (products: AppliedProduct[], created: [string, FoundProduct][] = []) =>
  soldReferences({ products, references, formulas: new Map() }, new Map(created));

describe("what the shop sells after a sync", () => {
  it("are references with their variants, at the shop's price", () => {
    const one = applied(
      [entry("a", { variantId: "11" }), entry("b")],
      found([{ sku: "sku-b", variantId: "12" }]),
    );
    expect(sold([one])).toEqual([
      { ...references.get("a"), formula: null, variantId: "11", shopPriceMinor: 500 },
      { ...references.get("b"), formula: null, variantId: "12", shopPriceMinor: 500 },
    ]);
  });

  it("has the ids of new variants from the product as it was read again", () => {
    const again = found([{ sku: "sku-a", variantId: "99" }]);
    expect(sold([applied([entry("a")], null)], [["1", again]]).map(({ variantId }) => variantId)).toEqual([
      "99",
    ]);
    const before = found([{ sku: "sku-a", variantId: "11" }]);
    expect(sold([applied([entry("a")], before)], [["1", again]]).map(({ variantId }) => variantId)).toEqual([
      "99",
    ]);
    expect(sold([applied([entry("a")], before)], [["2", again]]).map(({ variantId }) => variantId)).toEqual([
      "11",
    ]);
  });

  it("are no variants of the merchant's own, none that cannot be bought, and none without an id", () => {
    const shop = found([{ sku: "other", variantId: "11" }]);
    expect(sold([applied([entry(null, { variantId: "11" })], shop)])).toEqual([]);
    expect(sold([applied([entry("gone", { variantId: "11" })], shop)])).toEqual([]);
    expect(sold([applied([entry("a", { variantId: "11", tracked: true })], shop)])).toEqual([]);
    expect(sold([applied([entry("a")], shop)])).toEqual([]);
    expect(sold([applied([entry("a", { variantId: "11" })], null)])).toEqual([]);
  });

  it("is nothing of a product that shoppers cannot buy", () => {
    const of = (changed: Partial<ProductState>) =>
      sold([applied([entry("a", { variantId: "11" })], found([]), changed)]).length;
    expect(of({ status: "ACTIVE" })).toBe(1);
    expect(of({ status: "DRAFT" })).toBe(0);
    expect(of({ status: "ARCHIVED" })).toBe(0);
    expect(of({ published: false })).toBe(0);
    expect(isSellable({ ...state, published: false, status: "ACTIVE" })).toBe(false);
  });
});
