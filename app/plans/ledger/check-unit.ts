/** Checks a paid unit against the order's own lines and the synced catalogue. */
import type { LineAmounts, ShopOrder, ShopOrderLine } from "#app/shopify/order.ts";
import type { CatalogueView, PlanReference } from "./catalogue-view.ts";
import type { Finding } from "./reasons.ts";

export interface UnitCheck {
  order: ShopOrder;
  plan: ShopOrderLine;
  /** what was paid for this item of the plan, after discounts */
  premiumMinor: number;
  planAmounts: LineAmounts;
  insured: ShopOrderLine | null;
  insuredAmounts: LineAmounts | null;
  reference: PlanReference | null;
  /** which of the insured items this unit insures, from 0; plans that come before it count */
  item: number;
  consent: string | null;
}

/** The first finding, the most telling one first; null: the unit is as it should be. */
export function checkUnit(check: UnitCheck, catalogue: CatalogueView): Finding | null {
  const { order, insured, insuredAmounts, reference, item } = check;
  if (order.test && catalogue.isProduction) return "test_order";
  if (!reference) return "unknown_reference";
  if (reference.isOfOtherAccount) return "other_account";
  if (!insured || !insuredAmounts || insured.variantId === null) return "no_insured_line";
  if (item >= insured.quantity) return "more_plans_than_products";
  if (catalogue.categories.get(insured.productId ?? "") !== reference.categoryId) return "wrong_category";
  if (
    reference.productReferenceIds.length > 0 &&
    !reference.productReferenceIds.includes(insured.variantId)
  ) {
    return "wrong_product";
  }
  return (
    checkPrices(check, reference, insuredAmounts) ??
    (check.consent === null ? "no_consent" : null) ??
    (check.plan.hasAimedDiscount && catalogue.discountedPlans === "task" ? "discounted_plan" : null)
  );
}

/**
 * The offer was made for the price that the shopper was shown, and the insurer is owed the price of the offer: so both
 * prices are those before discounts (docs/decisions/0010-price-and-consent.md).
 */
function checkPrices(
  { plan, planAmounts, premiumMinor }: UnitCheck,
  reference: PlanReference,
  insuredAmounts: LineAmounts,
): Finding | null {
  if (planAmounts.currency !== reference.currency || insuredAmounts.currency !== reference.currency) {
    return "other_currency";
  }
  const shown = insuredAmounts.unitPriceMinor;
  if (shown < reference.bandMinMinor || shown > reference.bandMaxMinor) return "outside_price_band";
  if (!reference.pricesMinor.includes(planAmounts.unitPriceMinor)) {
    // Of a market's currency the platform converts back, so that the shop's amount is near the price and not equal.
    return plan.amounts.at(-1)?.currency === reference.currency ? "wrong_price" : "other_currency";
  }
  return premiumMinor <= 0 ? "free_plan" : null;
}
