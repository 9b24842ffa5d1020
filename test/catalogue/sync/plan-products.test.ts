import { describe, expect, it } from "vitest";
import { bandLabel } from "#app/catalogue/sync/plan-product-texts.ts";
import { MAX_VARIANTS, wantedProducts } from "#app/catalogue/sync/plan-products.ts";
import type { ReferenceOnSale } from "#app/catalogue/sync/plan-products.ts";
import { phones, reference } from "#test/catalogue/samples.ts";

const choices = { environment: "production", language: "fr", taxable: false } as const;
const sold = (given: Parameters<typeof reference>[0], onSale = true): ReferenceOnSale => ({
  ...reference(given),
  onSale,
});
const nowhere = new Map<string, number>();

describe("plan products", () => {
  it("take their title from what all offers share, their texts escaped, their links checked", () => {
    const references = [
      sold({ referenceId: "a", title: "Assurance Smartphone, 12 mois" }),
      sold({ referenceId: "b", title: "Assurance Smartphone, 24 mois", termMonths: 24 }),
    ];
    const [product] = wantedProducts(phones, references, nowhere, choices);
    expect(product?.title).toBe("Assurance Smartphone");
    expect(product?.descriptionHtml).toContain("Protégez &lt;votre&gt; &quot;smartphone&quot;");
    expect(product?.descriptionHtml).toContain("<li>Casse &amp; chute</li>");
    expect(product?.descriptionHtml).toContain('<a href="https://x.test/cg.pdf">');
    expect(product?.descriptionHtml).toMatch(/facultative.* une par article/);
    const evil = { ...phones, legal_documents: { cg_url: "javascript:alert(1)", ipid_url: "" } };
    expect(wantedProducts(evil, references, nowhere, choices)[0]?.descriptionHtml).not.toContain(
      "javascript",
    );
  });

  it("split where the platform's limit of variants is reached, and nobody moves afterwards", () => {
    const many = Array.from({ length: MAX_VARIANTS + 10 }, (_, index) =>
      sold({ referenceId: `r${index}`, bandMinMinor: index * 100, bandMaxMinor: index * 100 + 99 }),
    );
    const first = wantedProducts(phones, many, nowhere, choices);
    expect(first.map(({ part, variants }) => [part, variants.length])).toEqual([
      [1, MAX_VARIANTS],
      [2, 10],
    ]);
    expect(first[1]?.handle).toBe(`${first[0]?.handle}-2`);
    expect(first.map(({ title }) => title)).toEqual([
      "Assurance Smartphone, 12 mois",
      "Assurance Smartphone, 12 mois (2)",
    ]);
    const parts = new Map(
      first.flatMap(({ part, variants }) => variants.map((each) => [each.referenceId, part] as const)),
    );
    const cheaper = sold({ referenceId: "new", bandMinMinor: -1, bandMaxMinor: -1 });
    const second = wantedProducts(phones, [cheaper, ...many], parts, choices);
    expect(second[0]?.variants.map(({ referenceId }) => referenceId)).not.toContain("new");
    expect(second[1]?.variants).toHaveLength(11);
  });

  it("give every variant its own options, also where references share term and band or one is withdrawn", () => {
    const variants =
      wantedProducts(
        phones,
        [
          sold({ referenceId: "old" }, false),
          sold({ referenceId: "a" }),
          sold({ referenceId: "b", billing: "monthly" }),
        ],
        nowhere,
        choices,
      )[0]?.variants ?? [];
    const labels = new Map(
      variants.map(({ referenceId, duration, band }) => [referenceId, `${duration} / ${band}`]),
    );
    expect(new Set(labels.values()).size).toBe(3);
    expect(labels.get("a")).toBe("12 mois / 100,00 – 199,99 €");
    expect(labels.get("old")).toContain("old");
  });

  it("are other products in the test environment", () => {
    const handles = (environment: string) =>
      wantedProducts(phones, [sold({ referenceId: "a" })], nowhere, { ...choices, environment })[0]?.handle;
    expect(handles("production")).toMatch(/^parasol-smartphone-casse-et-vol-\w+$/);
    expect(handles("test")).toBe(`${handles("production")}-test`);
  });

  it("have their variants by term, then band, then id, wherever they stood before", () => {
    const references = [
      sold({ referenceId: "d", termMonths: 24 }),
      sold({ referenceId: "c", bandMinMinor: 20_000, bandMaxMinor: 29_999 }),
      sold({ referenceId: "b" }, false),
      sold({ referenceId: "a", productReferenceIds: ["1"] }),
    ];
    for (const parts of [nowhere, new Map([["d", 1]]), new Map([["c", 1]])]) {
      for (const given of [references, references.toReversed()]) {
        const [product] = wantedProducts(phones, given, parts, { ...choices, taxable: true });
        expect(product?.variants.map(({ referenceId }) => referenceId)).toEqual(["a", "b", "c", "d"]);
        expect(product?.variants.map(({ onSale }) => onSale)).toEqual([true, false, true, true]);
        expect(product?.variants.every(({ taxable }) => taxable)).toBe(true);
      }
    }
    const later = new Map([
      ["c", 2],
      ["d", 1],
    ]);
    expect(wantedProducts(phones, references, later, choices).map(({ part }) => part)).toEqual([1, 2]);
  });

  it("show the category's image where its address is a link", () => {
    const image = (address: string) => {
      const marketing = phones.marketing_data;
      const modal = { ...marketing.modal, image: address };
      const category = { ...phones, marketing_data: { ...marketing, modal } };
      return wantedProducts(category, [sold({ referenceId: "a" })], nowhere, choices)[0]?.image;
    };
    expect([image("https://x.test/i.png"), image("javascript:alert(1)"), image("")]).toEqual([
      "https://x.test/i.png",
      null,
      null,
    ]);
  });
});

describe("the label of a price band", () => {
  it("is written as the language writes money, with plain spaces", () => {
    const band = { bandMinMinor: 120_000, bandMaxMinor: 159_999, currency: "EUR" };
    expect(bandLabel(band, "fr")).toBe("1 200,00 – 1 599,99 €");
    expect(bandLabel(band, "en")).toBe("1,200.00 – €1,599.99");
    expect(bandLabel({ ...band, currency: "JPY" }, "en")).toBe("120,000 – ¥159,999");
  });

  it("has no upper end where the band has none to speak of", () => {
    expect(bandLabel({ bandMinMinor: 200_000, bandMaxMinor: 2_147_483_647, currency: "EUR" }, "fr")).toBe(
      "dès 2 000,00 €",
    );
  });
});
