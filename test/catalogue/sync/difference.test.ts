import { describe, expect, it } from "vitest";
import {
  diffPlanProduct,
  hasWrites,
  restoredValues,
  type VariantRecord,
  withoutReferences,
} from "#app/catalogue/sync/difference.ts";
import type { FoundProduct } from "#app/catalogue/sync/plan-product-state.ts";
import type { ProductChange } from "#app/catalogue/sync/difference.ts";
import { wantedProducts } from "#app/catalogue/sync/plan-products.ts";
import type { ReferenceOnSale, WantedProduct } from "#app/catalogue/sync/plan-products.ts";
import { phones, reference } from "#test/catalogue/samples.ts";

const choices = {
  environment: "production",
  image: "https://app.test/insurance.png",
  language: "fr",
  taxable: false,
  isSelling: true,
} as const;
const nothing: VariantRecord = new Map();

type Given = Parameters<typeof reference>[0] & { onSale?: boolean; formula?: string | null };

function wanted(...given: Given[]): WantedProduct {
  const references = given.map(({ onSale = true, formula = null, ...each }): ReferenceOnSale => ({
    ...reference(each),
    formula,
    onSale,
  }));
  const [product] = wantedProducts(phones, references, new Map(), choices);
  if (!product) throw new Error("no product");
  return product;
}

/** The shop right after a change was written, and the app's record of it. */
function shopAfter(change: ProductChange): { found: FoundProduct; recorded: VariantRecord } {
  const found: FoundProduct = {
    ...change.state,
    productId: "900",
    handle: change.handle,
    tags: change.tags,
    otherPublications: [],
    variants: change.variants.map((entry, index) => ({
      ...entry,
      variantId: entry.variantId ?? String(index + 1),
      optionName: change.optionName,
      formulaOptionName: change.formulaOptionName,
    })),
  };
  const recorded = found.variants.map(
    ({ variantId, sku, priceMinor }) => [variantId, { referenceId: sku, priceMinor }] as const,
  );
  return { found, recorded: new Map(recorded) };
}

const { modal } = phones.marketing;

function variantOf(found: FoundProduct, sku: string) {
  const variant = found.variants.find((each) => each.sku === sku);
  if (!variant) throw new Error(`no variant ${sku}`);
  return variant;
}

const two = [{ referenceId: "a" }, { referenceId: "b", termMonths: 24, termLength: "24 mois" }];
const fresh = diffPlanProduct(wanted(...two), null, nothing);

describe("the difference between catalogue and shop", () => {
  it("takes a product off sale with the shop, though a merchant has put it on sale by hand", () => {
    const { found, recorded } = shopAfter(fresh);
    const stopped = { ...wanted(...two), isSelling: false };
    const change = diffPlanProduct(stopped, { ...found, status: "ACTIVE" }, recorded);
    expect(change.state.status).toBe("DRAFT");
    expect(change.writes).toMatchObject({ product: true, variants: "none" });
  });

  it("is nothing where the record of a write was lost, but the shop has it", () => {
    const { found } = shopAfter(fresh);
    const change = diffPlanProduct(wanted(...two), found, nothing);
    expect(hasWrites(change)).toBe(false);
  });

  it("is an update of one variant where its stock alone is tracked otherwise", () => {
    const { found, recorded } = shopAfter(fresh);
    const variants = found.variants.map((each) => ({ ...each, tracked: each.sku === "a" }));
    const change = diffPlanProduct(wanted(...two), { ...found, variants }, recorded);
    expect(change.variants.map((each) => each.change)).toEqual(["updated", "none"]);
    expect(change.writes).toMatchObject({ product: false, variants: "values" });
  });

  it("is a variant's shipping where the platform requires it", () => {
    const { found } = shopAfter(fresh);
    const shipped = found.variants.map((variant) => ({ ...variant, requiresShipping: true }));
    const change = diffPlanProduct(wanted(...two), { ...found, variants: shipped }, nothing);
    expect(change.variants).toMatchObject([
      { requiresShipping: false, change: "updated" },
      { requiresShipping: false, change: "updated" },
    ]);
    expect(fresh.variants[0]?.requiresShipping).toBe(false);
  });

  it("is the product where its tag is missing", () => {
    const { found, recorded } = shopAfter(fresh);
    const change = diffPlanProduct(wanted(...two), { ...found, tags: ["sale"] }, recorded);
    expect(change.writes).toEqual({ product: true, variants: "none", publish: false });
    expect(change.tags).toEqual(["sale", "parasol-insurance"]);
  });

  it("keeps the product's own tags and handle", () => {
    const { found, recorded } = shopAfter(fresh);
    const own = { ...found, tags: ["sale", "parasol-insurance"], handle: "mine" };
    const change = diffPlanProduct(wanted(...two), own, recorded);
    expect(change).toMatchObject({ productId: "900", handle: "mine", tags: own.tags });
    expect(fresh).toMatchObject({ productId: null, tags: ["parasol-insurance"] });
  });

  it("gives a product a second option once its category has formulas, and keeps the merchant's words for them", () => {
    const { found, recorded } = shopAfter(fresh);
    const own = { ...variantOf(found, "a"), variantId: "77", sku: "mine", name: "own" };
    const formulas = two.map((each) => ({ ...each, formula: "Casse" }));
    const change = diffPlanProduct(
      wanted(...formulas, { referenceId: "c", formula: "Casse et vol", termMonths: 36 }),
      { ...found, variants: [...found.variants, own] },
      recorded,
    );
    expect(change).toMatchObject({ formulaOptionName: "Formule", writes: { variants: "list" } });
    expect(change.variants.map(({ name, formula }) => `${name} ${formula}`)).toEqual([
      "12 mois Casse",
      "24 mois Casse",
      "36 mois Casse et vol",
      "own –",
    ]);
    const after = shopAfter(change);
    for (const variant of after.found.variants) if (variant.formula === "Casse") variant.formula = "Bris";
    const again = diffPlanProduct(
      wanted(...formulas, { referenceId: "c", formula: "Casse et vol", termMonths: 36 }),
      after.found,
      after.recorded,
    );
    expect(hasWrites(again)).toBe(false);
    expect(again.variants.map(({ formula }) => formula)).toEqual(["Bris", "Bris", "Casse et vol", "–"]);
  });

  it("leaves a variant of the merchant's own alone", () => {
    const { found, recorded } = shopAfter(fresh);
    const own = {
      variantId: "77",
      sku: "mine",
      priceMinor: 1,
      optionName: "x",
      name: "x",
      formulaOptionName: null,
      formula: null,
      taxable: true,
      requiresShipping: true,
      tracked: true,
    };
    const change = diffPlanProduct(
      wanted(...two),
      { ...found, variants: [...found.variants, own] },
      recorded,
    );
    expect(hasWrites(change)).toBe(false);
    expect(change.variants.at(-1)).toMatchObject({ variantId: "77", referenceId: null, change: "none" });
  });
});

describe("texts", () => {
  const edited = () => {
    const { found, recorded } = shopAfter(fresh);
    const variants = found.variants.map((each) => ({
      ...each,
      optionName: "Protection",
      name: each.sku === "a" ? "Un an" : each.name,
    }));
    return { found: { ...found, variants }, recorded };
  };

  it("are the merchant's once they are written, whatever the catalogue and the language are by then", () => {
    const { found, recorded } = edited();
    const renamed = wantedProducts(
      { ...phones, marketing: { ...phones.marketing, modal: { ...modal, headline: "New" } } },
      two.map((each) => ({ ...reference(each), onSale: true, formula: null, title: "Another title" })),
      new Map(),
      { ...choices, language: "en", image: "https://x.test/other.png" },
    );
    const [product] = renamed;
    expect(product?.texts.title).not.toBe(fresh.texts.title);
    if (product) expect(hasWrites(diffPlanProduct(product, found, recorded))).toBe(false);
  });

  it("stay where the whole list is written, and a new name differs from those that are taken", () => {
    const { found, recorded } = edited();
    const own = { ...variantOf(found, "b"), variantId: "77", sku: "mine", name: "36 mois" };
    const change = diffPlanProduct(
      wanted(...two, { referenceId: "c", termMonths: 36 }),
      { ...found, variants: [...found.variants, own] },
      recorded,
    );
    expect(change).toMatchObject({ optionName: "Protection", writes: { variants: "list" } });
    expect(change.variants.map(({ name }) => name)).toEqual(["Un an", "24 mois", "36 mois · c", "36 mois"]);
  });

  it("are corrected where a variant's name is another term than its own, in any language", () => {
    const { found, recorded } = shopAfter(fresh);
    const named = (name: string) => {
      const variants = found.variants.map((each) => (each.sku === "b" ? { ...each, name } : each));
      return diffPlanProduct(wanted(...two), { ...found, variants }, recorded).variants[1]?.name;
    };
    expect(named("24 months")).toBe("24 months");
    expect(named("36 months")).toBe("24 mois");
    expect(named("36 mois · b")).toBe("24 mois");
    expect(named("36 bonnes raisons")).toBe("36 bonnes raisons");
  });
});

describe("what a merchant changed of status, publication, price and SKU", () => {
  const status = "UNLISTED";
  const { found, recorded } = shopAfter(fresh);
  const [first, ...others] = found.variants;
  if (!first) throw new Error("no variant");
  const restore = (shop: FoundProduct, product = wanted(...two)) => {
    const change = diffPlanProduct(product, shop, recorded);
    return { change, restored: restoredValues(change, shop, { status, variants: recorded }) };
  };

  it("is put back, and said", () => {
    const shop: FoundProduct = {
      ...found,
      status: "ARCHIVED",
      published: false,
      variants: [{ ...first, sku: "mine", priceMinor: 1 }, ...others],
    };
    const { change, restored } = restore(shop);
    expect(change.state).toEqual({ status, published: true });
    expect(change.variants[0]).toMatchObject({
      variantId: "1",
      referenceId: "a",
      sku: "a",
      priceMinor: 4_990,
    });
    expect(change.writes).toEqual({ product: true, variants: "values", publish: true });
    expect(restored).toEqual({
      before: { status: "ARCHIVED", published: false, "a.sku": "mine", "a.priceMinor": 1 },
      after: { status, published: true, "a.sku": "a", "a.priceMinor": 4_990 },
    });
  });

  it("is no new price of the service's, no pause of the sale, and nothing of what the record does not have", () => {
    const dearer = wanted({ referenceId: "a", priceMinor: 5_990 }, ...two.slice(1));
    expect(restore(found, dearer).restored).toBeNull();
    expect(restore(found, { ...wanted(...two), isSelling: false }).restored).toBeNull();
    const change = diffPlanProduct(wanted(...two), { ...found, status: "ACTIVE" }, nothing);
    expect(
      restoredValues(change, { ...found, status: "ACTIVE" }, { status: undefined, variants: nothing }),
    ).toBeNull();
  });

  it("is not said where the platform refused to put it back", () => {
    const shop = { ...found, variants: [{ ...first, priceMinor: 1 }, ...others] };
    const change = withoutReferences(diffPlanProduct(wanted(...two), shop, recorded), new Set(["a"]), shop);
    expect(restoredValues(change, shop, { status, variants: recorded })).toBeNull();
  });
});

describe("what the platform refuses", () => {
  it("is left as it was, and the rest is written", () => {
    const rest = withoutReferences(fresh, new Set(["a"]), null);
    expect(rest.variants.map(({ sku }) => sku)).toEqual(["b"]);
    expect(rest.writes).toEqual({ product: true, variants: "list", publish: true });
    expect(withoutReferences(fresh, new Set(["a", "b"]), null).writes.variants).toBe("none");
    const { found } = shopAfter(fresh);
    const kept = withoutReferences(
      {
        ...fresh,
        variants: fresh.variants.map((entry, index) => ({ ...entry, variantId: String(index + 1) })),
      },
      new Set(["a"]),
      found,
    );
    expect(kept.variants.map(({ sku, change }) => [sku, change])).toEqual([
      ["a", "none"],
      ["b", "created"],
    ]);
    expect(kept.variants[0]).toEqual({ ...found.variants[0], referenceId: "a", change: "none" });
  });
});
