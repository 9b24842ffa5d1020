import { describe, expect, it } from "vitest";
import {
  diffPlanProduct,
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
  insurer: "Voltigeur",
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

/** The shop right after a write, and the app's record of it. */
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

function variantOf(found: FoundProduct, sku: string) {
  const variant = found.variants.find((each) => each.sku === sku);
  if (!variant) throw new Error(`no variant ${sku}`);
  return variant;
}

const two = [{ referenceId: "a" }, { referenceId: "b", termMonths: 24, termLength: "24 mois" }];
const inFormula =
  (formula: string) =>
  (given: Given): Given => ({ ...given, formula });
const fresh = diffPlanProduct(wanted(...two), null, nothing);

it("keeps the merchant's words where the whole list is written, and a new name differs from those that are taken", () => {
  const { found, recorded } = shopAfter(
    diffPlanProduct(wanted(...two.map(inFormula("Casse"))), null, nothing),
  );
  const edited = found.variants.map((each) => ({
    ...each,
    optionName: "Protection",
    name: each.sku === "a" ? "Un an" : each.name,
    formula: "Bris",
  }));
  const own = { ...variantOf(found, "b"), variantId: "77", sku: "mine", name: "36 mois", formula: "Casse" };
  const change = diffPlanProduct(
    wanted(...[...two, { referenceId: "c", termMonths: 36 }].map(inFormula("Casse"))),
    { ...found, variants: [...edited, own] },
    recorded,
  );
  expect(change).toMatchObject({ optionName: "Protection", writes: { variants: "list" } });
  expect(change.variants.map(({ name, formula }) => `${name} ${formula}`)).toEqual([
    "Un an Bris",
    "24 mois Bris",
    "36 mois · c Casse",
    "36 mois Casse",
  ]);
});

describe("what Shopify refuses", () => {
  it("is not said to be put back", () => {
    const { found, recorded } = shopAfter(fresh);
    const shop = { ...found, variants: found.variants.map((each) => ({ ...each, priceMinor: 1 })) };
    const change = withoutReferences(
      diffPlanProduct(wanted(...two), shop, recorded),
      new Set(["a", "b"]),
      shop,
    );
    expect(restoredValues(change, shop, { status: "UNLISTED", variants: recorded })).toBeNull();
  });

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
