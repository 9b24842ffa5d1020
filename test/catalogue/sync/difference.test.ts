import { describe, expect, it } from "vitest";
import {
  createdReferences,
  diffPlanProduct,
  hasWrites,
  withoutReferences,
  withoutVariantWrites,
} from "#app/catalogue/sync/difference.ts";
import type { FoundProduct, LastWritten } from "#app/catalogue/sync/plan-product-state.ts";
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
const nothing: LastWritten = { product: null, variants: new Map() };

function wanted(...given: (Parameters<typeof reference>[0] & { onSale?: boolean })[]): WantedProduct {
  const references = given.map(({ onSale = true, ...each }): ReferenceOnSale => ({
    ...reference(each),
    onSale,
  }));
  const [product] = wantedProducts(phones, references, new Map(), choices);
  if (!product) throw new Error("no product");
  return product;
}

/** The shop right after a change was written. */
function shopAfter(change: ProductChange): { found: FoundProduct; written: LastWritten } {
  const found: FoundProduct = {
    ...change.fields,
    productId: "900",
    handle: change.handle,
    tags: change.tags,
    hasImage: true,
    otherPublications: [],
    variants: change.variants.map((entry, index) => ({
      ...entry,
      variantId: entry.variantId ?? String(index + 1),
    })),
  };
  return {
    found,
    written: {
      product: { ...change.fields, image: change.image },
      variants: new Map(found.variants.map((variant) => [variant.variantId, [variant]])),
    },
  };
}

const two = [{ referenceId: "a" }, { referenceId: "b", termMonths: 24, termLength: "24 mois" }];
const fresh = diffPlanProduct(wanted(...two), null, nothing, "restore");

describe("the difference between catalogue and shop", () => {
  it("is everything where the product is missing", () => {
    expect(fresh.writes).toEqual({ product: true, image: true, variants: "list", publish: true });
    expect(fresh.variants.map(({ change }) => change)).toEqual(["created", "created"]);
  });

  it("is nothing where everything is as written", () => {
    const { found, written } = shopAfter(fresh);
    expect(hasWrites(diffPlanProduct(wanted(...two), found, written, "restore"))).toBe(false);
  });

  it("takes a product off sale with the shop, though a merchant has put it on sale by hand", () => {
    const { found, written } = shopAfter(fresh);
    const stopped = { ...wanted(...two), isSelling: false };
    const change = diffPlanProduct(stopped, { ...found, status: "ACTIVE" }, written, "keep");
    expect(change.fields.status).toBe("DRAFT");
    expect(change.writes).toMatchObject({ product: true, variants: "none" });
  });

  it("is nothing where the record of a write was lost, but the shop has it", () => {
    const { found } = shopAfter(fresh);
    const change = diffPlanProduct(wanted(...two), found, nothing, "restore");
    expect(change.edits).toEqual([]);
    expect(hasWrites(change)).toBe(false);
  });

  it("is nothing where the platform only rewrote the HTML that it was given", () => {
    const { found, written } = shopAfter(fresh);
    const html = found.descriptionHtml.replaceAll("&quot;", '"').replaceAll("><", ">\n<");
    expect(
      hasWrites(diffPlanProduct(wanted(...two), { ...found, descriptionHtml: html }, written, "restore")),
    ).toBe(false);
  });

  it("is one updated variant where one price changed, and no edit", () => {
    const { found, written } = shopAfter(fresh);
    const change = diffPlanProduct(
      wanted({ referenceId: "a", priceMinor: 5_990 }, ...two.slice(1)),
      found,
      written,
      "restore",
    );
    expect(change.variants.map((entry) => entry.change)).toEqual(["updated", "none"]);
    expect(change.writes).toEqual({ product: false, image: false, variants: "values", publish: false });
    expect(change.edits).toEqual([]);
  });

  it("is the whole list where a variant is new, or has other option values", () => {
    const { found, written } = shopAfter(fresh);
    const writesOf = (...given: Parameters<typeof wanted>) =>
      diffPlanProduct(wanted(...given), found, written, "restore").writes.variants;
    expect(writesOf(...two)).toBe("none");
    expect(writesOf({ referenceId: "a", priceMinor: 5_990 }, ...two.slice(1))).toBe("values");
    expect(writesOf(...two, { referenceId: "c", termMonths: 36, termLength: "36 mois" })).toBe("list");
    expect(writesOf({ referenceId: "a", termLength: "douze mois" }, ...two.slice(1))).toBe("none");
    expect(writesOf({ referenceId: "a", bandMaxMinor: 77_777 }, ...two.slice(1))).toBe("none");
    const renamed = { referenceId: "b", termMonths: 48 };
    expect(writesOf({ referenceId: "a", priceMinor: 5_990 }, renamed)).toBe("list");
  });

  it("is the rest where the variants are written already", () => {
    expect(withoutVariantWrites(fresh).writes).toEqual({
      product: true,
      image: true,
      variants: "none",
      publish: true,
    });
  });

  it("names the references whose variants are to be made, in the order of the list", () => {
    const { found, written } = shopAfter(fresh);
    expect(createdReferences(fresh)).toEqual(["a", "b"]);
    const more = wanted(...two, { referenceId: "c", termMonths: 36, termLength: "36 mois" });
    expect(createdReferences(diffPlanProduct(more, found, written, "restore"))).toEqual(["c"]);
  });

  it("withdraws a reference from sale and keeps its variant", () => {
    const { found, written } = shopAfter(fresh);
    const change = diffPlanProduct(
      wanted({ referenceId: "a", onSale: false }, ...two.slice(1)),
      found,
      written,
      "restore",
    );
    expect(change.variants.find(({ sku }) => sku === "a")).toMatchObject({
      variantId: "1",
      tracked: true,
      change: "withdrawn",
    });
    const later = shopAfter(change);
    expect(
      hasWrites(
        diffPlanProduct(
          wanted({ referenceId: "a", onSale: false }, ...two.slice(1)),
          later.found,
          later.written,
          "restore",
        ),
      ),
    ).toBe(false);
  });

  it("is an update of one variant where its stock alone is tracked otherwise", () => {
    const { found, written } = shopAfter(fresh);
    const variants = found.variants.map((each) => ({ ...each, tracked: each.sku === "a" }));
    const change = diffPlanProduct(wanted(...two), { ...found, variants }, written, "restore");
    expect(change.variants.map((each) => each.change)).toEqual(["updated", "none"]);
    expect(change.writes).toMatchObject({ product: false, variants: "values" });
  });

  it("is an update where a withdrawn reference is sold again", () => {
    const { found, written } = shopAfter(
      diffPlanProduct(wanted({ referenceId: "a", onSale: false }), null, nothing, "restore"),
    );
    const change = diffPlanProduct(wanted({ referenceId: "a" }), found, written, "restore");
    expect(change.variants).toMatchObject([{ variantId: "1", tracked: false, change: "updated" }]);
  });

  it("is a variant's shipping where the platform asks for it", () => {
    const { found } = shopAfter(fresh);
    const shipped = found.variants.map((variant) => ({ ...variant, requiresShipping: true }));
    const change = diffPlanProduct(wanted(...two), { ...found, variants: shipped }, nothing, "restore");
    expect(change.variants).toMatchObject([
      { requiresShipping: false, change: "updated" },
      { requiresShipping: false, change: "updated" },
    ]);
    expect(fresh.variants[0]?.requiresShipping).toBe(false);
  });

  it("is the image where it is missing or another one, and the product where its tag is", () => {
    const { found, written } = shopAfter(fresh);
    const writes = (shop: Partial<FoundProduct>, record: LastWritten, image = fresh.image) =>
      diffPlanProduct({ ...wanted(...two), image }, { ...found, ...shop }, record, "restore").writes;
    const none = { product: false, image: false, variants: "none", publish: false };
    expect(writes({ hasImage: false }, nothing)).toEqual({ ...none, image: true });
    expect(writes({}, written, "https://x.test/other.png")).toEqual({ ...none, image: true });
    expect(writes({ tags: ["sale"] }, written)).toEqual({ ...none, product: true });
  });

  it("keeps the product's own tags and handle", () => {
    const { found, written } = shopAfter(fresh);
    const own = { ...found, tags: ["sale", "parasol-insurance"], handle: "mine" };
    const change = diffPlanProduct(wanted(...two), own, written, "restore");
    expect(change).toMatchObject({ productId: "900", handle: "mine", tags: own.tags });
    expect(fresh).toMatchObject({ productId: null, tags: ["parasol-insurance"] });
  });

  it("leaves a variant of the merchant's own alone", () => {
    const { found, written } = shopAfter(fresh);
    const own = {
      variantId: "77",
      sku: "mine",
      priceMinor: 1,
      duration: "x",
      taxable: true,
      requiresShipping: true,
      tracked: true,
    };
    const change = diffPlanProduct(
      wanted(...two),
      { ...found, variants: [...found.variants, own] },
      written,
      "restore",
    );
    expect(hasWrites(change)).toBe(false);
    expect(change.variants.at(-1)).toMatchObject({ variantId: "77", referenceId: null, change: "none" });
  });
});

describe("a change", () => {
  it("writes something where any of its parts does", () => {
    const none = { product: false, image: false, variants: "none", publish: false } as const;
    expect(hasWrites({ ...fresh, writes: none })).toBe(false);
    for (const part of ["product", "image", "publish"]) {
      expect(hasWrites({ ...fresh, writes: { ...none, [part]: true } })).toBe(true);
    }
    for (const variants of ["values", "list"] as const) {
      expect(hasWrites({ ...fresh, writes: { ...none, variants } })).toBe(true);
    }
  });
});

describe("a write of which it is not known whether it took place", () => {
  const latest = wanted({ referenceId: "a", priceMinor: 7_000 }, ...two.slice(1));
  const { found, written } = shopAfter(fresh);
  const fieldsOfA = written.variants.get("1") ?? [];
  const pending = fieldsOfA.map((fields) => ({ ...fields, priceMinor: 6_000 }));
  const unsure: LastWritten = {
    ...written,
    variants: new Map(written.variants).set("1", [...fieldsOfA, ...pending]),
  };
  const withPrice = (priceMinor: number): FoundProduct => ({
    ...found,
    variants: found.variants.map((each) => (each.variantId === "1" ? { ...each, priceMinor } : each)),
  });

  it("is no edit of the merchant's, whichever value the shop has", () => {
    for (const there of [found, withPrice(6_000)]) {
      const change = diffPlanProduct(latest, there, unsure, "keep");
      expect(change.edits).toEqual([]);
      expect(change.variants).toMatchObject([{ priceMinor: 7_000, change: "updated" }, { change: "none" }]);
    }
  });

  it("leaves any other value the merchant's", () => {
    const change = diffPlanProduct(latest, withPrice(6_001), unsure, "keep");
    expect(change.edits).toMatchObject([{ field: "priceMinor", theirs: "6001", outcome: "kept" }]);
    expect(hasWrites(change)).toBe(false);
  });
});

describe("a merchant's edit", () => {
  const edited = () => {
    const { found, written } = shopAfter(fresh);
    const [first, ...others] = found.variants;
    if (!first) throw new Error("no variant");
    return {
      found: { ...found, title: "My insurance", variants: [{ ...first, priceMinor: 1 }, ...others] },
      written,
    };
  };

  it("is put back where the merchant wants that, and reported", () => {
    const { found, written } = edited();
    const change = diffPlanProduct(wanted(...two), found, written, "restore");
    expect(change.fields.title).toBe(wanted(...two).title);
    expect(change.variants[0]?.priceMinor).toBe(4_990);
    expect(change.edits).toEqual([
      {
        variantId: null,
        field: "title",
        ours: "Assurance Smartphone, 12 mois",
        theirs: "My insurance",
        outcome: "restored",
      },
      { variantId: "1", field: "priceMinor", ours: "4990", theirs: "1", outcome: "restored" },
    ]);
  });

  it("is kept where the merchant wants that, and nothing is written", () => {
    const { found, written } = edited();
    const change = diffPlanProduct(wanted(...two), found, written, "keep");
    expect(hasWrites(change)).toBe(false);
    expect(change.variants[0]?.priceMinor).toBe(1);
    expect(change.edits.map(({ outcome }) => outcome)).toEqual(["kept", "kept"]);
  });

  it("of the product's status takes it off sale where it is kept, and is undone where it is not", () => {
    const { found, written } = shopAfter(fresh);
    const archived: FoundProduct = { ...found, status: "ARCHIVED" };
    expect(diffPlanProduct(wanted(...two), archived, written, "keep").fields.status).toBe("ARCHIVED");
    expect(diffPlanProduct(wanted(...two), archived, written, "restore")).toMatchObject({
      fields: { status: "UNLISTED" },
      writes: { product: true, variants: "none" },
    });
  });
});

describe("a product that a merchant took off the online store", () => {
  it("is published again, or stays away, as the merchant chose; nothing else is written", () => {
    const { found, written } = shopAfter(fresh);
    const change = (choice: "restore" | "keep") =>
      diffPlanProduct(wanted(...two), { ...found, published: false }, written, choice);
    const nothingElse = { product: false, image: false, variants: "none" };
    expect(change("restore")).toMatchObject({
      fields: { published: true },
      writes: { ...nothingElse, publish: true },
    });
    expect(hasWrites(change("restore"))).toBe(true);
    expect(change("keep")).toMatchObject({
      fields: { published: false },
      writes: { ...nothingElse, publish: false },
      edits: [{ variantId: null, field: "published", ours: "true", theirs: "false", outcome: "kept" }],
    });
  });
});

describe("what the platform refuses", () => {
  it("is left as it was, and the rest is written", () => {
    const rest = withoutReferences(fresh, new Set(["a"]), null);
    expect(rest.variants.map(({ sku }) => sku)).toEqual(["b"]);
    expect(rest.writes).toEqual({ product: true, image: true, variants: "list", publish: true });
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
