/** Checks a paid unit against the order's own lines and the synced catalogue. */
import type { LineAmounts, ShopOrder, ShopOrderLine } from "#app/shopify/order.ts";
import type { CatalogueView, PlanReference } from "./catalogue-view.ts";
import type { Finding } from "./reasons.ts";

export interface UnitCheck {
  order: ShopOrder;
  plan: ShopOrderLine;
  premiumMinor: number;
  planAmounts: LineAmounts;
  insured: ShopOrderLine | null;
  insuredAmounts: LineAmounts | null;
  /** what was paid for the insured piece */
  insuredPrice: number | undefined;
  reference: PlanReference | null;
  index: number;
}

/** The first finding, the most telling one first; null: the unit is as it should be. */
export function checkUnit(
  { order, premiumMinor, planAmounts, insured, insuredAmounts, insuredPrice, reference, index }: UnitCheck,
  { categories, isProduction }: CatalogueView,
): Finding | null {
  if (order.test && isProduction) return "test_order";
  if (!reference) return "unknown_reference";
  if (!insured || !insuredAmounts || insured.variantId === null) return "no_insured_line";
  if (index >= insured.quantity) return "more_plans_than_products";
  if (categories.get(insured.productId ?? "") !== reference.categoryId) return "wrong_category";
  if (
    reference.productReferenceIds.length > 0 &&
    !reference.productReferenceIds.includes(insured.variantId)
  ) {
    return "wrong_product";
  }
  if (planAmounts.currency !== reference.currency || insuredAmounts.currency !== reference.currency) {
    return "other_currency";
  }
  // The offer was chosen at the listed price; a discount code may bring the price paid below the band.
  const inBand = [insuredAmounts.unitPriceMinor, insuredPrice ?? insuredAmounts.unitPriceMinor].some(
    (price) => price >= reference.bandMinMinor && price <= reference.bandMaxMinor,
  );
  if (!inBand) return "outside_price_band";
  return reference.pricesMinor.includes(premiumMinor) ? null : "wrong_price";
}
