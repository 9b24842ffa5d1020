/** The app's requests that write plan products, and their expected cost. */
import { describe, expect, it } from "vitest";
import type { ProductChange, VariantEntry } from "#app/catalogue/sync/difference.ts";
import {
  productSetPoints,
  productSetVariables,
  VariantAllowance,
  variantUpdatePoints,
  variantUpdates,
} from "#app/catalogue/sync/product-set.ts";

const entry = (id: number, change: VariantEntry["change"] = "updated"): VariantEntry => ({
  variantId: change === "created" ? null : String(id),
  referenceId: `ref-${id}`,
  sku: `ref-${id}`,
  priceMinor: 1_000 + id,
  name: `${id * 12} mois`,
  formula: null,
  taxable: false,
  requiresShipping: false,
  tracked: false,
  change,
});

const changeOf = (
  variants: VariantEntry[],
  writes: Partial<ProductChange["writes"]> = {},
  productId: string | null = "900",
): ProductChange => ({
  categoryId: "Phones",
  part: 1,
  productId,
  handle: "parasol-phones",
  state: { status: "UNLISTED", published: true },
  texts: {
    title: "Assurance",
    descriptionHtml: "<p>a</p>",
    productType: "Type",
    vendor: "Voltigeur",
    optionName: "Durée",
    formulaOptionName: "Formule",
    image: "https://example.com/a.png",
  },
  optionName: "Duration",
  formulaOptionName: null,
  tags: ["parasol-insurance"],
  variants,
  writes: { product: false, variants: "none", publish: false, ...writes },
});

describe("productSet", () => {
  it("is asynchronous only for a list of more than 500 variants", () => {
    const variants = Array.from({ length: 501 }, (_, id) => entry(id));
    const isSynchronous = (change: ProductChange) => productSetVariables(change, "EUR").synchronous;
    expect(isSynchronous(changeOf(variants, { variants: "list" }))).toBe(false);
    expect(isSynchronous(changeOf(variants.slice(1), { variants: "list" }))).toBe(true);
    expect(isSynchronous(changeOf(variants, { variants: "values", product: true }))).toBe(true);
  });

  it("names the insurer as the vendor of a new product, where its name is known", () => {
    const created = changeOf([entry(1)], { variants: "list", product: true }, null);
    expect(productSetVariables(created, "EUR").input).toMatchObject({ vendor: "Voltigeur" });
    const unnamed = { ...created, texts: { ...created.texts, vendor: "" } };
    expect(productSetVariables(unnamed, "EUR").input).not.toHaveProperty("vendor");
    const known = changeOf([entry(1)], { variants: "list", product: true });
    expect(productSetVariables(known, "EUR").input).not.toHaveProperty("vendor");
  });

  it("costs 10 points, 0.2 per variant of a list, 1.9 for the picture of a new one", () => {
    const variants = Array.from({ length: 30 }, (_, id) => entry(id));
    expect(productSetPoints(changeOf(variants, { product: true }))).toBe(10);
    expect(productSetPoints(changeOf(variants, { variants: "values" }))).toBe(10);
    expect(productSetPoints(changeOf(variants, { variants: "list" }))).toBe(16);
    expect(productSetPoints(changeOf(variants, { variants: "list" }, null))).toBe(18);
  });
});

describe("productVariantsBulkUpdate", () => {
  it("is sent for 250 variants at a time", () => {
    const variants = Array.from({ length: 501 }, (_, id) => entry(id));
    const updates = variantUpdates(changeOf(variants, { variants: "values" }), "EUR");
    expect(updates.map(({ entries }) => entries.length)).toEqual([250, 250, 1]);
    expect(updates.map((update) => variantUpdatePoints(update))).toEqual([160, 160, 11]);
    expect(updates.flatMap(({ entries }) => entries)).toEqual(variants);
  });

  it("is not sent where the whole list is written, or nothing", () => {
    expect(variantUpdates(changeOf([entry(1)], { variants: "list" }), "EUR")).toEqual([]);
    expect(variantUpdates(changeOf([entry(1)], { variants: "none" }), "EUR")).toEqual([]);
    expect(variantUpdates(changeOf([entry(1)], { variants: "values" }, null), "EUR")).toEqual([]);
  });
});

describe("the allowance of new variants", () => {
  it("has no end until Shopify says that it has", () => {
    const allowance = new VariantAllowance();
    allowance.spend(40_000);
    expect(allowance.left).toBe(Infinity);
  });

  it("is a day's at first, then half of what was refused, and nothing below ten", () => {
    const allowance = new VariantAllowance();
    const left = [2_000, 1_001, 1_000, 500, 21, 20, 19, 1].map((refused) => {
      allowance.refuse(refused);
      return allowance.left;
    });
    expect(left).toEqual([1_000, 1_000, 500, 250, 10, 10, 0, 0]);
  });

  it("is used up by what is created", () => {
    const allowance = new VariantAllowance();
    allowance.refuse(3_000);
    allowance.spend(400);
    expect(allowance.left).toBe(600);
  });
});
