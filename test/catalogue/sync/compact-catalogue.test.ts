import { describe, expect, it } from "vitest";
import {
  categoryKey,
  compactContent,
  digestOf,
  MAX_BYTES,
  type SoldReference,
} from "#app/catalogue/sync/compact-catalogue.ts";
import { phones, reference } from "#test/catalogue/samples.ts";

const sold = (
  { formula = null, ...given }: Parameters<typeof reference>[0] & { formula?: string | null },
  shopPriceMinor = 4_990,
): SoldReference => ({
  ...reference(given),
  formula,
  variantId: "45612340000001",
  shopPriceMinor,
});
const terms = { currency: "EUR", live: false };

describe("the compact catalogue", () => {
  it("lists bands by their ends, cut where others begin or end, and offers by term, price and reference, however they come", () => {
    const references = [
      sold({ referenceId: "a", termMonths: 24 }, 1_000),
      sold({ referenceId: "b" }, 9_000),
      sold({ referenceId: "d" }, 5_000),
      sold({ referenceId: "c" }, 5_000),
      sold({ referenceId: "e", bandMaxMinor: 14_999 }),
      sold({ referenceId: "f", bandMinMinor: 5_000, bandMaxMinor: 30_000 }),
    ];
    for (const given of [references, references.toReversed()]) {
      const { bands } = compactContent(phones, given, terms);
      const listed = bands.map(({ min, max, offers }) => [
        min,
        max,
        offers.map(({ reference: id }) => id).join(""),
      ]);
      expect(listed).toEqual([
        [5_000, 9_999, "f"],
        [10_000, 14_999, "efcdba"],
        [15_000, 19_999, "fcdba"],
        [20_000, 30_000, "f"],
      ]);
    }
  });

  it("has one offer of a formula, term and billing at a price at which one band ends and the next begins", () => {
    const low = { bandMinMinor: 10_000, bandMaxMinor: 20_000 };
    const high = { bandMinMinor: 20_000, bandMaxMinor: 30_000 };
    const { bands } = compactContent(
      phones,
      [
        sold({ referenceId: "a", ...low }),
        sold({ referenceId: "b", ...high }),
        sold({ referenceId: "c", ...high, termMonths: 24 }),
      ],
      terms,
    );
    const at = (price: number) =>
      bands
        .filter(({ min, max }) => min <= price && price <= max)
        .flatMap(({ offers }) => offers.map(({ reference: id }) => id));
    expect([19_999, 20_000, 20_001].map(at)).toEqual([["a"], ["a", "c"], ["b", "c"]]);
  });

  it("stays under Shopify's limit of a metafield: a category too large is served live", () => {
    const many = Array.from({ length: 3_000 }, (_, index) =>
      sold({
        referenceId: `reference-${index}`,
        bandMinMinor: index * 1_000,
        bandMaxMinor: index * 1_000 + 999,
      }),
    );
    const content = compactContent(phones, many, terms);
    expect(content).toMatchObject({ live: true, bands: [] });
    expect(Buffer.byteLength(JSON.stringify({ v: 1_000_000, ...content }))).toBeLessThan(MAX_BYTES);
    const fits = compactContent(phones, many.slice(0, 900), terms);
    expect(fits.live).toBe(false);
    expect(fits.bands).toHaveLength(900);
  });

  it("leaves room for the version, to the byte", () => {
    const { marketing: texts } = phones;
    const withHeadline = (headline: string) =>
      compactContent(
        { ...phones, marketing: { ...texts, buttons: { ...texts.buttons, headline } } },
        [sold({ referenceId: "a" })],
        terms,
      );
    const rest = Buffer.byteLength(JSON.stringify(withHeadline("")));
    const longest = "x".repeat(MAX_BYTES - 32 - rest);
    expect(withHeadline(longest).live).toBe(false);
    expect(withHeadline(`${longest}x`).live).toBe(true);
  });

  it("passes on links only if they are links", () => {
    const evil = {
      ...phones,
      legal: { conditionsUrl: "javascript:alert(1)", ipidUrl: "https://x.test/i" },
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
  it("fits a metafield whatever the category is called, and distinguishes names that look alike", () => {
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

  it("is readable: what is no letter or digit becomes one underscore between them", () => {
    expect(categoryKey("(Casse & vol)")).toMatch(/^casse_vol_[0-9a-f]{8}$/);
    expect(categoryKey("漢字")).toMatch(/^category_[0-9a-f]{8}$/);
  });
});
