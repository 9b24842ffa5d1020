import { describe, expect, it } from "vitest";
import {
  bandLabel,
  descriptionHtml,
  productTitle,
  withOptionValues,
} from "#app/catalogue/sync/plan-product-texts.ts";
import { MAX_VARIANTS, wantedProducts } from "#app/catalogue/sync/plan-products.ts";
import type { ReferenceOnSale } from "#app/catalogue/sync/plan-products.ts";
import { phones, reference } from "#test/catalogue/samples.ts";

const choices = { environment: "production", language: "fr", taxable: false, isSelling: true } as const;
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

  it("list their variants by term, then by band, whatever their references are called", () => {
    const references = [
      sold({ referenceId: "a", termMonths: 24 }),
      sold({ referenceId: "b", bandMinMinor: 20_000, bandMaxMinor: 29_999 }),
      sold({ referenceId: "c" }),
    ];
    const [product] = wantedProducts(phones, references, nowhere, choices);
    expect(product?.variants.map(({ referenceId }) => referenceId)).toEqual(["c", "b", "a"]);
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

  it("begin with the lowest bands where new references do not fit into one, whatever order they come in", () => {
    const many = Array.from({ length: MAX_VARIANTS + 1 }, (_, index) =>
      sold({ referenceId: `r${index}`, bandMinMinor: index * 100, bandMaxMinor: index * 100 + 99 }),
    );
    const products = wantedProducts(phones, many.toReversed(), nowhere, choices);
    expect(products[0]?.variants[0]?.referenceId).toBe("r0");
    expect(products[1]?.variants.map(({ referenceId }) => referenceId)).toEqual([`r${MAX_VARIANTS}`]);
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
    expect(labels.get("a")).toBe("12 mois / produit de 100,00 € à 199,99 €");
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
    expect(bandLabel(band, "fr")).toBe("produit de 1 200,00 € à 1 599,99 €");
    expect(bandLabel(band, "en")).toBe("product of €1,200.00 to €1,599.99");
    expect(bandLabel({ ...band, currency: "JPY" }, "en")).toBe("product of ¥120,000 to ¥159,999");
  });

  it("has no upper end where the band has none to speak of", () => {
    expect(bandLabel({ bandMinMinor: 200_000, bandMaxMinor: 2_147_483_647, currency: "EUR" }, "fr")).toBe(
      "produit dès 2 000,00 €",
    );
    const ends = (bandMaxMinor: number) =>
      bandLabel({ bandMinMinor: 200_000, bandMaxMinor, currency: "EUR" }, "en");
    expect([ends(99_999_999), ends(100_000_000)]).toEqual([
      "product of €2,000.00 to €999,999.99",
      "product from €2,000.00",
    ]);
  });
});

describe("the title of a plan product", () => {
  const titleOf = (...titles: string[]) =>
    productTitle(
      phones,
      titles.map((title, index) => reference({ referenceId: String(index), title })),
    );

  it.each([
    [["Assurance Smartphone, 12 mois"], "Assurance Smartphone, 12 mois"],
    [["Assurance Smartphone 12 mois", "", "Assurance Smartphone 24 mois"], "Assurance Smartphone"],
    [["Assurance Smartphone", "Assurance Smartphone Plus"], "Assurance Smartphone"],
    [["Assurance Smartphone Plus", "Assurance Smartphone"], "Assurance Smartphone"],
    [["Assurance  Smartphone", "Assurance Smartphone"], "Assurance Smartphone"],
    [["Assurance – (12 mois", "Assurance – (24 mois"], "Assurance – (12 mois".slice(0, 9)],
    [["Garantie ,;:(–- 1", "Garantie ,;:(–- 2"], "Garantie"],
    [["Plan 12 mois", "Plan 24 mois"], phones.id],
    [["Garanti", "Garanti"], phones.id],
    [["Casse", "Vol"], phones.id],
    [["Garantie casse", "Assurance casse"], phones.id],
    [[""], phones.id],
    [[], phones.id],
  ])("of offers named %j is %j", (titles, expected) => {
    expect(titleOf(...titles)).toBe(expected);
  });

  it("is cut at 250 characters", () => {
    expect(titleOf("x".repeat(251))).toBe("x".repeat(250));
  });
});

describe("the options of a plan product's variants", () => {
  const optionsOf = (...given: ReferenceOnSale[]) =>
    withOptionValues(given, "fr").map(({ reference: { referenceId }, duration, band }) => [
      referenceId,
      duration,
      band,
    ]);

  it("are term and band; a withdrawn reference and one that shares both carry their id, whichever comes first", () => {
    const band = "produit de 100,00 € à 199,99 €";
    const given = [
      sold({ referenceId: "old" }, false),
      sold({ referenceId: "a", termLength: " 12 MOIS " }),
      sold({ referenceId: "b" }),
      sold({ referenceId: "c", termLength: "24 mois" }),
    ];
    expect(optionsOf(...given)).toEqual([
      ["old", "12 mois", `${band} · old`],
      ["a", "12 MOIS", band],
      ["b", "12 mois", `${band} · b`],
      ["c", "24 mois", band],
    ]);
  });

  it("fit the platform: a term of at most 100 characters, the months where it is empty, a band of at most 255", () => {
    const [long, none, named] = optionsOf(
      sold({ referenceId: "a", termLength: "x".repeat(101) }),
      sold({ referenceId: "b", termLength: "  ", termMonths: 36 }),
      sold({ referenceId: "z".repeat(300) }, false),
    );
    expect([long?.[1], none?.[1]]).toEqual(["x".repeat(100), "36"]);
    expect(named?.[2]).toHaveLength(255);
  });
});

describe("the description of a plan product", () => {
  const { marketing_data, legal_documents } = phones;
  const duties =
    "<p>Cette assurance est facultative et vendue uniquement avec l’article qu’elle couvre\u00a0: une par article, de la " +
    "tranche où se trouve son prix. L’acheteur y consent après avoir vu son prix, les conditions générales et le " +
    "document d’information.</p>";
  const described = (modal: Partial<typeof marketing_data.modal>, legal = legal_documents) =>
    descriptionHtml(
      {
        ...phones,
        marketing_data: { ...marketing_data, modal: { ...marketing_data.modal, ...modal } },
        legal_documents: legal,
      },
      "fr",
    );

  it("has every text that there is, escaped, and links to both documents", () => {
    expect(
      described({
        headline: `"A" & 'B'`,
        coverage_bullets_heading: "Couvert >",
        bullet_points: ["Casse", "<Vol>"],
        legal_text: "Droit d'un mois",
      }),
    ).toBe(
      "<p><strong>&quot;A&quot; &amp; &#39;B&#39;</strong></p><p>Couvert &gt;</p>" +
        "<ul><li>Casse</li><li>&lt;Vol&gt;</li></ul><p>Droit d&#39;un mois</p>" +
        duties +
        '<p><a href="https://x.test/cg.pdf">Conditions générales</a></p>' +
        '<p><a href="https://x.test/ipid.pdf">Document d’information (IPID)</a></p>',
    );
  });

  it("has nothing of what is missing but how it is sold", () => {
    const nothing = { headline: "", coverage_bullets_heading: "", bullet_points: [], legal_text: "" };
    expect(described(nothing, { cg_url: "", ipid_url: "ftp://x.test" })).toBe(duties);
    expect(described({ ...nothing, headline: "A" }, { cg_url: "", ipid_url: "" })).toBe(
      `<p><strong>A</strong></p>${duties}`,
    );
  });
});
