import { describe, expect, it } from "vitest";
import { compactContent, digestOf, MAX_BYTES } from "#app/catalogue/sync/compact-content.ts";
import type { SoldReference } from "#app/catalogue/sync/compact-content.ts";
import { categoryKey, compactCatalogue } from "#app/catalogue/sync/compact-catalogue.ts";
import { phones, reference } from "#test/catalogue/samples.ts";

const sold = (given: Parameters<typeof reference>[0], shopPriceMinor = 4_990): SoldReference => ({
  ...reference(given),
  variantId: "45612340000001",
  shopPriceMinor,
});
const terms = { currency: "EUR", live: false };

describe("the compact catalogue", () => {
  it("has the bands in order, each with its offers by term, at the price that the cart will charge", () => {
    const content = compactContent(
      phones,
      [
        sold({ referenceId: "c", bandMinMinor: 20_000, bandMaxMinor: 29_999 }),
        sold({ referenceId: "b", termMonths: 24 }),
        sold({ referenceId: "a" }, 3_990),
      ],
      terms,
    );
    expect(content.bands).toEqual([
      [
        10_000,
        19_999,
        [
          [12, 3_990, "annually", "45612340000001", "a"],
          [24, 4_990, "annually", "45612340000001", "b"],
        ],
      ],
      [20_000, 29_999, [[12, 4_990, "annually", "45612340000001", "c"]]],
    ]);
    expect(compactCatalogue.safeParse({ v: 1, ...content }).success).toBe(true);
  });

  it("has no bands where offers differ by product, and leaves out what was offered for one product", () => {
    expect(compactContent(phones, [sold({ referenceId: "a" })], { ...terms, live: true }).bands).toEqual([]);
    expect(
      compactContent(phones, [sold({ referenceId: "a", productReferenceIds: ["1"] })], terms).bands,
    ).toEqual([]);
  });

  it("stays under the platform's limit of a metafield: a category too large is served live", () => {
    const many = Array.from({ length: 3_000 }, (_, index) =>
      sold({
        referenceId: `reference-${index}`,
        bandMinMinor: index * 1_000,
        bandMaxMinor: index * 1_000 + 999,
      }),
    );
    const content = compactContent(phones, many, terms);
    expect(content.live).toBe(true);
    expect(Buffer.byteLength(JSON.stringify({ v: 1_000_000, ...content }))).toBeLessThan(MAX_BYTES);
    const fits = compactContent(phones, many.slice(0, 1_000), terms);
    expect(fits.live).toBe(false);
    expect(fits.bands).toHaveLength(1_000);
  });

  it("passes on links only if they are links", () => {
    const evil = {
      ...phones,
      legal_documents: { cg_url: "javascript:alert(1)", ipid_url: "https://x.test/i" },
    };
    expect(compactContent(evil, [], terms)).toMatchObject({ cg: "", ipid: "https://x.test/i" });
  });

  it("has the same digest for the same content only", () => {
    const one = compactContent(phones, [sold({ referenceId: "a" })], terms);
    expect(digestOf(one)).toBe(digestOf(compactContent(phones, [sold({ referenceId: "a" })], terms)));
    expect(digestOf(one)).not.toBe(digestOf(compactContent(phones, [sold({ referenceId: "a" }, 1)], terms)));
  });
});

describe("the key of a category", () => {
  it("fits a metafield whatever the category is called, and tells names apart that look alike", () => {
    const names = [
      "Smartphone",
      "smartphone",
      "Sm\u00e0rtphone",
      "漢字",
      "",
      "x".repeat(500),
      "a/b",
      "../etc",
    ];
    const keys = names.map(categoryKey);
    for (const key of keys) expect(key).toMatch(/^[a-z0-9_-]{3,64}$/);
    expect(new Set(keys).size).toBe(names.length);
  });
});
