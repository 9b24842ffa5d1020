import { describe, expect, it } from "vitest";
import {
  descriptionHtml,
  productTitle,
  type ReferenceOnSale,
  termName,
  wantedProducts,
} from "#app/catalogue/sync/plan-products.ts";
import { languages } from "#app/platform/locale.ts";
import { phones, reference } from "#test/catalogue/samples.ts";

const choices = {
  environment: "production",
  image: "https://app.test/insurance.png",
  insurer: "Voltigeur",
  language: "fr",
  taxable: false,
  isSelling: true,
} as const;
const sold = (
  { formula = null, ...given }: Parameters<typeof reference>[0] & { formula?: string | null },
  onSale = true,
): ReferenceOnSale => ({
  ...reference(given),
  formula,
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
    expect(product?.texts.title).toBe("Assurance Smartphone");
    expect(product?.texts.descriptionHtml).toContain("Protégez &lt;votre&gt; &quot;smartphone&quot;");
    expect(product?.texts.descriptionHtml).toContain("<li>Casse &amp; chute</li>");
    expect(product?.texts.descriptionHtml).toContain('<a href="https://x.test/cg.pdf">');
    expect(product?.texts.descriptionHtml).toMatch(/facultative.* une par article/);
    const evil = { ...phones, legal: { conditionsUrl: "javascript:alert(1)", ipidUrl: "" } };
    expect(wantedProducts(evil, references, nowhere, choices)[0]?.texts.descriptionHtml).not.toContain(
      "javascript",
    );
  });

  const band = (index: number) => ({ bandMinMinor: index * 100, bandMaxMinor: index * 100 + 99 });
  const partsOf = (products: ReturnType<typeof wantedProducts>) =>
    products.map(({ part, variants }) => [
      part,
      variants.map((each) => `${each.referenceId} ${each.termName}`),
    ]);

  it("keep their variants where they are, and a retired one keeps its name: the next of its term is elsewhere", () => {
    const parts = new Map([
      ["old", 1],
      ["high", 2],
    ]);
    const given = [
      sold({ referenceId: "old", ...band(1) }, false),
      sold({ referenceId: "new", ...band(0) }),
      sold({ referenceId: "monthly", billing: "monthly", ...band(0) }),
      sold({ referenceId: "high", ...band(9) }),
    ];
    expect(partsOf(wantedProducts(phones, given, parts, choices))).toEqual([
      [1, ["old 12 mois"]],
      [2, ["high 12 mois"]],
      [3, ["monthly 12 mois"]],
      [4, ["new 12 mois"]],
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

describe("the names of a plan product's variants", () => {
  it("are the term in the language of the plan products, never the insurer's own words", () => {
    const named = languages.map((language) => termName(24, language));
    expect(named).toEqual([
      "24 months",
      "24 mois",
      "24 Monate",
      "24 meses",
      "24 mesi",
      "24 maanden",
      "24 meses",
    ]);
  });
});

describe("the description of a plan product", () => {
  const { marketing, legal } = phones;
  const duties =
    "<p>Cette assurance est facultative et vendue uniquement avec l’article qu’elle couvre\u00a0: une par article, au " +
    "prix qui correspond à celui de l’article. L’acheteur y consent après avoir vu son prix, les conditions générales et le " +
    "document d’information.</p>";
  const described = (modal: Partial<typeof marketing.modal>, ownLegal = legal) =>
    descriptionHtml(
      {
        ...phones,
        marketing: { ...marketing, modal: { ...marketing.modal, ...modal } },
        legal: ownLegal,
      },
      "fr",
    );

  it("has every text that there is, escaped, and links to both documents", () => {
    expect(
      described({
        headline: `"A" & 'B'`,
        bulletsHeading: "Couvert >",
        bulletPoints: ["Casse", "<Vol>"],
        legalText: "Droit d'un mois",
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
    const nothing = { headline: "", bulletsHeading: "", bulletPoints: [], legalText: "" };
    expect(described(nothing, { conditionsUrl: "", ipidUrl: "ftp://x.test" })).toBe(duties);
    expect(described({ ...nothing, headline: "A" }, { conditionsUrl: "", ipidUrl: "" })).toBe(
      `<p><strong>A</strong></p>${duties}`,
    );
  });
});
