import type { InspectorInput } from "#app/offers/inspector/inspector.ts";

export const product = {
  title: "Nova 128",
  variantTitle: "Noir",
  priceMinor: 49_900,
  isInsurance: false,
  isGiftCard: false,
  visible: true,
  soldOut: false,
  writtenKey: "smartphone_1",
};
export const category = { key: "smartphone_1", live: false, hasDocuments: true, published: true };

/** The inspector's data of a product with an offer: no step blocks or warns. */
export const allIsWell: InspectorInput = {
  stop: null,
  insurer: { state: "responded", offers: 3 },
  product,
  decision: { categoryId: "Smartphone", decidedBy: "rule", rule: 2 },
  category,
  bands: [
    { min: 5_000, max: 39_999 },
    { min: 40_000, max: 59_999 },
    { min: 80_000, max: 99_999 },
  ],
  references: [
    { referenceId: "A-12", problem: null, onSale: true },
    { referenceId: "A-24", problem: null, onSale: true },
  ],
  currency: { shop: "EUR", offers: "EUR", shopper: "EUR" },
  markets: null,
  touchpoint: { name: "product_page", on: true },
};
