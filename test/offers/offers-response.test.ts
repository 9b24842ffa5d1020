import { describe, expect, it } from "vitest";
import { categoryView, productOffers } from "#app/offers/offers-response.ts";
import { phones, reference } from "#test/catalogue/samples.ts";
import { wireCategory } from "#app/insurance/categories.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";

const sold = (
  referenceId: string,
  termMonths: number,
  shopPriceMinor: number,
  formula: string | null = null,
) => ({
  formula,
  ...reference({ referenceId, termMonths }),
  variantId: `9${referenceId}`,
  shopPriceMinor,
});

describe("a product's offers", () => {
  it("come by term, then by price, then by reference, as the cart will charge them", () => {
    const found = [
      sold("d", 24, 100),
      sold("b", 12, 300),
      sold("c", 12, 300),
      sold("a", 12, 400),
      sold("e", 12, 200),
    ];
    for (const order of [found, [...found].reverse()]) {
      const { offers, ...rest } = productOffers("11", phones.id, order);
      expect(offers.map(({ reference_id }) => reference_id).join("")).toBe("ebcad");
      expect(rest).toEqual({ variant_id: "11", category: categoryKey(phones.id), reason: null });
    }
    expect(productOffers("11", null, [sold("a", 12, 400)])).toEqual({
      variant_id: "11",
      category: null,
      offers: [
        {
          reference_id: "a",
          plan_variant_id: "9a",
          term: 12,
          price: 400,
          billing: "annually",
          title: "Assurance Smartphone, 12 mois",
          formula: null,
          formula_name: null,
        },
      ],
      reason: null,
    });
  });

  it("come formula by formula, that of the lowest price first", () => {
    const found = [
      sold("a", 12, 300, "All"),
      sold("b", 12, 200, "Breakage"),
      sold("c", 24, 100, "All"),
      sold("d", 24, 400, "Breakage"),
    ];
    const { offers } = productOffers("11", phones.id, found);
    expect(offers.map(({ formula, reference_id }) => `${formula} ${reference_id}`)).toEqual([
      "Breakage b",
      "Breakage d",
      "All a",
      "All c",
    ]);
  });

  it("leave the list that they are made from as it is", () => {
    const found = [sold("b", 24, 1), sold("a", 12, 1)];
    productOffers("11", null, found);
    expect(found.map(({ referenceId }) => referenceId)).toEqual(["b", "a"]);
  });

  it("are none for a reason", () => {
    expect(productOffers("11", phones.id, "no_offer_at_price")).toEqual({
      variant_id: "11",
      category: categoryKey(phones.id),
      offers: [],
      reason: "no_offer_at_price",
    });
  });
});

it("a category is shown with its texts, and with links that are links", () => {
  const view = (documents: object) =>
    categoryView(
      wireCategory.parse({
        id: "A",
        marketing_data: {
          buttons: { headline: "Protégez" },
          modal: {
            legal_text: "Droit de renonciation",
            bullet_points: ["Casse", "Vol", "Oxydation", "Panne"],
          },
          cart: { simple_offer_button_text: "Ajouter" },
        },
        legal_documents: documents,
      }),
    );
  expect(view({ cg_url: "https://x.test/cg.pdf", ipid_url: "https://x.test/ipid.pdf" })).toEqual({
    documents: [{ name: "", cg: "https://x.test/cg.pdf", ipid: "https://x.test/ipid.pdf" }],
    texts: {
      headline: "Protégez",
      cover: "Casse, Vol, Oxydation",
      legal: "Droit de renonciation",
      cart_button: "Ajouter",
    },
  });
  expect(view({ cg_url: "javascript:alert(1)", ipid_url: "" })).toMatchObject({
    documents: [{ cg: "", ipid: "" }],
  });
});
