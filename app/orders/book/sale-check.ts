/**
 * Checks an order against the catalogue: which lines are plans, and what each of their items insures. What the shopper's browser
 * claims (line item properties) only says which line is meant; whether it is true is decided by the order's own lines
 * and the synced catalogue.
 */
import type { Billing } from "#app/insurance/fields.ts";
import {
  agreedItems,
  CONSENT,
  OFFERED,
  planLineProperties,
  REFERENCE,
  TOUCHPOINT,
} from "#app/shopify/line-properties.ts";
import { type Refusal, refusalOf, type SaleRule } from "../../../extensions/sale-rule.ts";
import { type LineAmounts, pricePaidByItem, type ShopOrder, type ShopOrderLine } from "#app/shopify/order.ts";
import { type Touchpoint, touchpoints } from "#app/shopify/touchpoints.ts";
import { isSoldForBundle, joinBundles } from "./bundles.ts";
import { countItems, lineOfItem, type Pair, pairsOf } from "./matching.ts";
import type { Finding } from "./item-states.ts";

/** A reference of the merchant's catalogue, as far as plans need it. Money is minor units. */
export interface PlanReference {
  referenceId: string;
  categoryId: string;
  termMonths: number;
  billing: Billing;
  /** what the offer may have been sold at: its price now, and its price as of the last sync */
  pricesMinor: readonly number[];
  currency: string;
  /** lowest and highest product price, both inclusive */
  bandMinMinor: number;
  bandMaxMinor: number;
  /** the products it was offered for; empty: it is for all */
  productReferenceIds: readonly string[];
  /** it belongs to another account at the insurer than the one in use, or the order's plans have two */
  isOfOtherAccount: boolean;
}

/** What the catalogue knows of the things in an order. */
export interface CatalogueView {
  /** by the id of the plan's variant in the shop */
  references: ReadonlyMap<string, PlanReference>;
  /**
   * the insurance categories (their names) by product id: its own first, then those that are formulas beside it;
   * products without one are left out
   */
  categories: ReadonlyMap<string, readonly string[]>;
  /** whether the catalogue has an offer for this category and product price */
  hasOffer: (categoryId: string, price: LineAmounts) => boolean;
  /** what may be sold */
  saleRule: SaleRule;
  /** the format of the product page's offer, as the merchant set it */
  productFormat: string;
  /** whether a contract is a real one: the merchant's account is the one for production */
  isProduction: boolean;
}

/**
 * A line is a plan when its variant is one of the catalogue's. A line that only claims to be one is kept too: it may
 * be a plan whose reference is gone, and its customer paid for it.
 */
export function isPlanLine(line: ShopOrderLine, { references }: CatalogueView): boolean {
  return (
    (line.variantId !== null && references.has(line.variantId)) || line.properties[REFERENCE] !== undefined
  );
}

/**
 * A plan line's title as people read it, such as "Assurance Smartphone, 24 mois". Shopify joins the product's title
 * and the option values; the price band among them says nothing to who has bought the plan.
 */
export function planTitle(lineTitle: string): string {
  // The last " - " that options follow. A pattern would read the rest of the title again from each of them.
  const options = lineTitle.lastIndexOf(" / ");
  const dash = options < 3 ? -1 : lineTitle.lastIndexOf(" - ", options - 3);
  if (dash < 0) return lineTitle;
  return `${lineTitle.slice(0, dash)}, ${lineTitle.slice(dash + 3, lineTitle.indexOf(" / ", dash + 3))}`;
}

export interface ItemCheck {
  order: ShopOrder;
  plan: ShopOrderLine;
  /** lines that are no plans; components of bundles are lines of their own */
  products: readonly ShopOrderLine[];
  /** what was paid for this item of the plan, after discounts */
  premiumMinor: number;
  planAmounts: LineAmounts;
  insured: ShopOrderLine | null;
  insuredAmounts: LineAmounts | null;
  reference: PlanReference;
  /** the order's plans have the items of the product already */
  isSurplus: boolean;
  consent: string | null;
}

/** The first finding, the most telling one first; null: the item is as it should be. */
export function checkItem(check: ItemCheck, catalogue: CatalogueView): Finding | null {
  const { order, insured, insuredAmounts, reference, isSurplus } = check;
  if (order.test && catalogue.isProduction) return "test_order";
  if (reference.isOfOtherAccount) return "other_account";
  if (insured === null && isSoldForBundle(check.plan, check.products)) return "bundle_component";
  if (!insured || !insuredAmounts || insured.variantId === null) return "no_insured_line";
  if (isSurplus) return "more_plans_than_products";
  const categories = catalogue.categories.get(insured.productId ?? "") ?? [];
  if (!categories.includes(reference.categoryId)) return "wrong_category";
  if (
    reference.productReferenceIds.length > 0 &&
    !reference.productReferenceIds.includes(insured.variantId)
  ) {
    return "wrong_product";
  }
  return (
    checkSale(check, insuredAmounts, catalogue) ??
    checkPrices(check, reference) ??
    (check.consent === null ? "no_consent" : null)
  );
}

const findingOfRefusal: Record<Refusal, Finding | null> = {
  country: "other_country",
  company: "company",
  currency: "other_currency",
  price_band: "outside_price_band",
  yearly_premium: "yearly_premium",
  monthly: "monthly",
  // Of quotes alone.
  product_age: null,
};

/**
 * What the rule of sale would have refused, had the storefront or the checkout known it. The offer was made for the price
 * that the shopper was shown, and the insurer is owed the price of the offer: so all prices are those before discounts
 * (docs/decisions/0010-price-and-consent.md).
 */
function checkSale(
  { order, planAmounts, reference }: ItemCheck,
  insuredAmounts: LineAmounts,
  { saleRule }: CatalogueView,
): Finding | null {
  const { shippingAddress, business } = order;
  const refusal = refusalOf(saleRule, {
    delivery: shippingAddress && { country: shippingAddress.countryCode, postcode: shippingAddress.zip },
    isCompany: business,
    currency: planAmounts.currency === reference.currency ? insuredAmounts.currency : planAmounts.currency,
    cover: { ...reference, priceMinor: planAmounts.unitPriceMinor },
    productPriceMinor: insuredAmounts.unitPriceMinor,
  });
  return refusal && findingOfRefusal[refusal];
}

function checkPrices(
  { plan, planAmounts, premiumMinor }: ItemCheck,
  reference: PlanReference,
): Finding | null {
  if (!reference.pricesMinor.includes(planAmounts.unitPriceMinor)) {
    // Of a market's currency Shopify converts back, so that the shop's amount is near the price and not equal.
    return plan.amounts.at(-1)?.currency === reference.currency ? "wrong_price" : "other_currency";
  }
  return premiumMinor <= 0 ? "free_plan" : null;
}

export interface CheckedItem {
  lineId: string;
  itemNumber: number;
  offerReferenceId: string;
  planVariantId: string;
  planTitle: string;
  /** the plan's price before discounts: what the insurer is owed */
  offerPriceMinor: number;
  /** what the customer paid for it */
  premiumMinor: number;
  currency: string;
  termMonths: number | null;
  /** `priceMinor`: before discounts, as it was shown when the offer was made */
  insured: { lineId: string; variantId: string; title: string; priceMinor: number; currency: string } | null;
  touchpoint: Touchpoint | null;
  consent: string | null;
  /** null: nothing is wrong */
  finding: Finding | null;
}

export interface CheckedLine {
  lineId: string;
  /** the first line of its pair (item-matching.ts) */
  pairId: string;
  productId: string | null;
  variantId: string | null;
  title: string;
  quantity: number;
  currentQuantity: number;
  fulfilledQuantity: number;
  requiresShipping: boolean;
  /** of one item, before discounts and after them */
  listPriceMinor: number;
  priceMinor: number;
  currency: string;
  categoryId: string;
  insuranceOffered: boolean;
  insuranceSelected: boolean;
  offeredAt: Touchpoint | null;
  /** the format of the product page's offer when the line became known */
  productFormat: string | null;
}

/** A line that claims to be a plan by a property alone, which any shopper can add: what it is, a person finds out. */
interface UnknownPlanLine {
  lineId: string;
  title: string;
  quantity: number;
  /** paid for the items that are in the order */
  paidMinor: number;
  currency: string;
}

export interface CheckedOrder {
  items: CheckedItem[];
  unknownPlanLines: UnknownPlanLine[];
  /** items of plan lines beyond MAX_ITEMS, which get no item: a task has a person review them */
  itemsLeftOut: number;
  lines: CheckedLine[];
  /** by plan line: how many of its items are in the order */
  left: ReadonlyMap<string, number>;
}

/**
 * Items of one order. A quantity is a number that anybody can type; far more than this was never bought, and each
 * item is a row, a request to the insurer and a contract.
 */
export const MAX_ITEMS = 2_000;

export function checkOrder(order: ShopOrder, catalogue: CatalogueView): CheckedOrder {
  const linesOfPlans = order.lines.filter((line) => isPlanLine(line, catalogue));
  const soldProducts = order.lines.filter((line) => !linesOfPlans.includes(line));
  const productLines = joinBundles(soldProducts);
  const referenceOf = (line: ShopOrderLine) => catalogue.references.get(line.variantId ?? "");
  const planLines = linesOfPlans.filter(referenceOf);
  const pairOf = new Map<ShopOrderLine, Pair>();
  // Items of each plan line's pair that the plan lines before it insure.
  const itemsBefore = new Map<ShopOrderLine, number>();
  for (const pair of pairsOf(planLines, productLines)) {
    for (const [index, plan] of pair.plans.entries())
      itemsBefore.set(plan, countItems(pair.plans.slice(0, index)));
    for (const line of [...pair.plans, ...pair.products]) pairOf.set(line, pair);
  }
  const items: CheckedItem[] = [];
  for (const line of planLines) {
    const insured = { products: pairOf.get(line)?.products ?? [], from: itemsBefore.get(line) ?? 0 };
    const reference = referenceOf(line);
    if (reference)
      items.push(
        ...buildItems(
          { order, plan: line, reference, soldProducts, ...insured },
          catalogue,
          MAX_ITEMS - items.length,
        ),
      );
  }
  return {
    items,
    unknownPlanLines: linesOfPlans.flatMap((line) => (referenceOf(line) ? [] : toUnknownPlanLine(line))),
    itemsLeftOut: planLines.reduce((sum, { quantity }) => sum + quantity, 0) - items.length,
    lines: productLines.map((line) => {
      const pairId = pairOf.get(line)?.products[0]?.id ?? line.id;
      const plans = items.filter(({ insured }) => insured?.lineId === line.id);
      return { pairId, ...buildProductLine(line, catalogue, plans) };
    }),
    left: new Map(linesOfPlans.map(({ id, currentQuantity }) => [id, currentQuantity])),
  };
}

function toUnknownPlanLine({
  id,
  title,
  quantity,
  currentQuantity,
  amounts,
}: ShopOrderLine): UnknownPlanLine[] {
  if (currentQuantity === 0) return [];
  const [{ unitPriceMinor, discountsMinor, currency }] = amounts;
  const paidMinor = Math.round(((unitPriceMinor * quantity - discountsMinor) * currentQuantity) / quantity);
  return [{ lineId: id, title, quantity: currentQuantity, paidMinor, currency }];
}

interface SoldPlan {
  order: ShopOrder;
  plan: ShopOrderLine;
  reference: PlanReference;
  /** all lines that are no plans, with bundles not joined */
  soldProducts: readonly ShopOrderLine[];
  /** the product's lines of its pair */
  products: ShopOrderLine[];
  /** how many of their items the plans before it insure */
  from: number;
}

function buildItems(
  { order, plan, reference, soldProducts, products, from }: SoldPlan,
  catalogue: CatalogueView,
  limit: number,
): CheckedItem[] {
  const claims = planLineProperties.parse(plan.properties);
  const planAmounts = amountsIn(plan, reference.currency);
  const premiums = pricePaidByItem(planAmounts, plan.quantity, limit);
  // A plan needs an item of its own. Which numbers of a plan line left the order is not known here.
  const free = Math.max(0, countItems(products) - from);
  const hasSurplus = plan.currentQuantity > free;
  const agreed = agreedItems(plan);
  return premiums.map((premiumMinor, index) => {
    const insured = lineOfItem(products, from + index);
    const insuredAmounts = insured && amountsIn(insured, reference.currency);
    const isSurplus = hasSurplus && index >= free;
    const consent = index < agreed ? claims[CONSENT] : null;
    const check = {
      order,
      plan,
      products: soldProducts,
      premiumMinor,
      planAmounts,
      insured,
      insuredAmounts,
      reference,
    };
    return {
      lineId: plan.id,
      itemNumber: index + 1,
      offerReferenceId: reference.referenceId,
      planVariantId: plan.variantId ?? "",
      planTitle: planTitle(plan.title),
      offerPriceMinor: planAmounts.unitPriceMinor,
      premiumMinor,
      currency: planAmounts.currency,
      termMonths: reference.termMonths,
      insured:
        insured && insuredAmounts && insured.variantId !== null
          ? {
              lineId: insured.id,
              variantId: insured.variantId,
              title: insured.title,
              priceMinor: insuredAmounts.unitPriceMinor,
              currency: insuredAmounts.currency,
            }
          : null,
      touchpoint: claims[TOUCHPOINT],
      consent,
      finding: checkItem({ ...check, isSurplus, consent }, catalogue),
    };
  });
}

function buildProductLine(
  line: ShopOrderLine,
  { categories, references, hasOffer, productFormat }: CatalogueView,
  plans: readonly CheckedItem[],
): Omit<CheckedLine, "pairId"> {
  const amounts = line.amounts[0];
  const own = categories.get(line.productId ?? "") ?? [];
  // Of several formulas the one that was chosen, or else one that could have been.
  const chosen = plans.map(({ planVariantId }) => references.get(planVariantId)?.categoryId);
  const categoryId =
    own.find((category) => chosen.includes(category)) ??
    own.find((category) => hasOffer(category, amounts)) ??
    own[0] ??
    "";
  const offeredAt = touchpoints.find((touchpoint) => touchpoint === line.properties[OFFERED]) ?? null;
  return {
    lineId: line.id,
    productId: line.productId,
    variantId: line.variantId,
    title: line.title,
    quantity: line.quantity,
    currentQuantity: line.currentQuantity,
    fulfilledQuantity: line.fulfilledQuantity,
    requiresShipping: line.requiresShipping,
    listPriceMinor: amounts.unitPriceMinor,
    priceMinor: pricePaidByItem(amounts, line.quantity, 1)[0] ?? amounts.unitPriceMinor,
    currency: amounts.currency,
    categoryId,
    // What could have been shown is not said to have been: at a counter, on a draft, before the app was installed.
    insuranceOffered: offeredAt !== null || plans.length > 0,
    insuranceSelected: plans.length > 0,
    offeredAt,
    productFormat,
  };
}

function amountsIn(line: ShopOrderLine, currency: string): LineAmounts {
  return line.amounts.find((amounts) => amounts.currency === currency) ?? line.amounts[0];
}
