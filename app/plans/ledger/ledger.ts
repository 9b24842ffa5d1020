/**
 * Builds the ledger of an order: which lines are plans, and what each of their units insures. What the shopper's browser
 * claims (line item properties) only says which line is meant; whether it is true is decided by the order's own lines
 * and the synced catalogue.
 */
import type { MerchantSettings } from "#app/merchants/settings.ts";
import {
  CONSENT,
  INSURED_VARIANT,
  OFFERED,
  PAIR,
  planLineProperties,
  REFERENCE,
  TOUCHPOINT,
} from "#app/shopify/line-properties.ts";
import { type LineAmounts, pricePaidByItem, type ShopOrder, type ShopOrderLine } from "#app/shopify/order.ts";
import type { OrderChange } from "#app/shopify/payloads/order-changes.ts";
import { type Touchpoint, touchpoints } from "#app/shopify/touchpoints.ts";
import type { Finding } from "./unit-states.ts";

/** A reference of the merchant's catalogue, as far as plans need it. Money is minor units. */
export interface PlanReference {
  referenceId: string;
  categoryId: string;
  termMonths: number;
  /** what the offer may have been sold at: its price now, and its price as of the last sync */
  pricesMinor: readonly number[];
  currency: string;
  /** lowest and highest product price, both inclusive */
  bandMinMinor: number;
  bandMaxMinor: number;
  /** the products it was offered for; empty: it is for all */
  productReferenceIds: readonly string[];
  /** it belongs to another account at the service than the one in use, or the order's plans have two */
  isOfOtherAccount: boolean;
}

/** What the catalogue knows of the things in an order. */
export interface CatalogueView {
  /** by the id of the plan's variant in the shop */
  references: ReadonlyMap<string, PlanReference>;
  /** the insurance category (its name) by product id; products without one are left out */
  categories: ReadonlyMap<string, string>;
  /** whether the catalogue has an offer for this category and product price */
  hasOffer: (categoryId: string, price: LineAmounts) => boolean;
  /** what the merchant decided about plans that a discount was meant for */
  discountedPlans: MerchantSettings["discountedPlans"];
  /** whether a contract is a real one: the merchant's account is the one for production */
  isProduction: boolean;
}

/**
 * A line is a plan when its variant is one of the catalogue's. A line that only claims to be one is kept too: it may
 * be a plan whose reference is gone, and somebody paid for it.
 */
export function isPlanLine(line: ShopOrderLine, { references }: CatalogueView): boolean {
  return (
    (line.variantId !== null && references.has(line.variantId)) || line.properties[REFERENCE] !== undefined
  );
}

/**
 * A plan line's title as people read it, such as "Assurance Smartphone, 24 mois". The platform joins the product's title
 * and the option values; the price band among them says nothing to who has bought the plan.
 */
export function planTitle(lineTitle: string): string {
  // The last " - " that options follow. A pattern would read the rest of the title again from each of them.
  const options = lineTitle.lastIndexOf(" / ");
  const dash = options < 3 ? -1 : lineTitle.lastIndexOf(" - ", options - 3);
  if (dash < 0) return lineTitle;
  return `${lineTitle.slice(0, dash)}, ${lineTitle.slice(dash + 3, lineTitle.indexOf(" / ", dash + 3))}`;
}

/**
 * The product's line that a plan line belongs to: the one of the same pair, the one of that variant (of several the one
 * that it was nested under), or, where the properties were lost on the way, the one that it was nested under.
 */
export function findInsuredLine(plan: ShopOrderLine, products: ShopOrderLine[]): ShopOrderLine | null {
  const claims = planLineProperties.parse(plan.properties);
  const variant = claims[INSURED_VARIANT];
  const pair = claims[PAIR];
  if (pair !== null) {
    const paired = products.filter((line) => line.properties[PAIR] === pair);
    const [only] = paired.length > 1 ? paired.filter((line) => line.variantId === variant) : paired;
    if (only) return only;
  }
  const nestedWith = products.filter(({ groupId }) => groupId !== null && groupId === plan.groupId);
  const ofVariant = products.filter((line) => line.variantId !== null && line.variantId === variant);
  const named = ofVariant.find((line) => nestedWith.includes(line)) ?? ofVariant[0];
  if (named) return named;
  const [only, ...others] = nestedWith;
  return others.length === 0 ? (only ?? null) : null;
}

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

export interface LedgerUnit {
  lineId: string;
  unitNumber: number;
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

export interface LedgerLine {
  lineId: string;
  productId: string | null;
  variantId: string | null;
  title: string;
  quantity: number;
  currentQuantity: number;
  fulfilledQuantity: number;
  requiresShipping: boolean;
  priceMinor: number;
  currency: string;
  categoryId: string;
  insuranceOffered: boolean;
  insuranceSelected: boolean;
  offeredAt: Touchpoint | null;
}

export interface Ledger {
  units: LedgerUnit[];
  /** items of plan lines beyond MAX_UNITS, which get no unit: a task has a person review them */
  unitsLeftOut: number;
  lines: LedgerLine[];
  /** by plan line: how many of its items are in the order */
  left: ReadonlyMap<string, number>;
  /** by plan line: how many of its units are still to be insured */
  keep: ReadonlyMap<string, number>;
}

/**
 * Units of one order. A quantity is a number that anybody can type; far more than this was never bought, and each
 * unit is a row, a request to the service and a contract.
 */
export const MAX_UNITS = 2_000;

export function buildLedger(order: ShopOrder, catalogue: CatalogueView): Ledger {
  const planLines = order.lines.filter((line) => isPlanLine(line, catalogue));
  const productLines = order.lines.filter((line) => !planLines.includes(line));
  const insuredBy = new Map(planLines.map((line) => [line, findInsuredLine(line, productLines)]));
  const units: LedgerUnit[] = [];
  // Items of each product line that have a plan already: a person decides about a second plan on one item.
  const covered = new Map<ShopOrderLine, number>();
  for (const line of planLines) {
    const insured = insuredBy.get(line) ?? null;
    const from = insured ? (covered.get(insured) ?? 0) : 0;
    units.push(...buildUnits(order, line, { insured, from }, catalogue, MAX_UNITS - units.length));
    if (insured) covered.set(insured, from + line.currentQuantity);
  }
  return {
    units,
    unitsLeftOut: planLines.reduce((items, { quantity }) => items + quantity, 0) - units.length,
    lines: productLines.map((line) =>
      buildProductLine(
        line,
        catalogue,
        planLines.some((plan) => insuredBy.get(plan) === line),
      ),
    ),
    left: new Map(planLines.map(({ id, currentQuantity }) => [id, currentQuantity])),
    keep: new Map(planLines.map((line) => [line.id, countToInsure(line, insuredBy.get(line) ?? null)])),
  };
}

/** How many units of a plan line are to be insured: a plan whose product was returned insures nothing any more. */
function countToInsure(plan: ShopOrderLine, insured: ShopOrderLine | null): number {
  const isReturned = insured !== null && insured.currentQuantity < insured.quantity;
  return isReturned ? Math.min(plan.currentQuantity, insured.currentQuantity) : plan.currentQuantity;
}

function buildUnits(
  order: ShopOrder,
  plan: ShopOrderLine,
  { insured, from }: { insured: ShopOrderLine | null; from: number },
  catalogue: CatalogueView,
  limit: number,
): LedgerUnit[] {
  const reference = catalogue.references.get(plan.variantId ?? "") ?? null;
  const claims = planLineProperties.parse(plan.properties);
  const currency = reference?.currency ?? plan.amounts[0].currency;
  const planAmounts = amountsIn(plan, currency);
  const insuredAmounts = insured && amountsIn(insured, currency);
  const premiums = pricePaidByItem(planAmounts, plan.quantity, limit);
  return premiums.map((premiumMinor, index) => ({
    lineId: plan.id,
    unitNumber: index + 1,
    offerReferenceId: reference?.referenceId ?? claims[REFERENCE] ?? plan.sku ?? "",
    planVariantId: plan.variantId ?? "",
    planTitle: reference === null ? plan.title : planTitle(plan.title),
    offerPriceMinor: planAmounts.unitPriceMinor,
    premiumMinor,
    currency: planAmounts.currency,
    termMonths: reference?.termMonths ?? null,
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
    consent: claims[CONSENT],
    finding: checkUnit(
      {
        order,
        plan,
        premiumMinor,
        planAmounts,
        insured,
        insuredAmounts,
        reference,
        item: from + index,
        consent: claims[CONSENT],
      },
      catalogue,
    ),
  }));
}

function buildProductLine(
  line: ShopOrderLine,
  catalogue: CatalogueView,
  insuranceSelected: boolean,
): LedgerLine {
  const amounts = line.amounts[0];
  const categoryId = catalogue.categories.get(line.productId ?? "") ?? "";
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
    priceMinor: pricePaidByItem(amounts, line.quantity, 1)[0] ?? amounts.unitPriceMinor,
    currency: amounts.currency,
    categoryId,
    // The storefront says where it showed the offer; where it did not, whether it could have is the best we know.
    insuranceOffered:
      offeredAt !== null ||
      insuranceSelected ||
      (categoryId !== "" && catalogue.hasOffer(categoryId, amounts)),
    insuranceSelected,
    offeredAt,
  };
}

function amountsIn(line: ShopOrderLine, currency: string): LineAmounts {
  return line.amounts.find((amounts) => amounts.currency === currency) ?? line.amounts[0];
}

export interface KnownUnit {
  unitNumber: number;
  wanted: boolean;
  contractId: string | null;
}

/** What is not insured any more ends first, then what has no contract, then the highest numbers. */
const inEndingOrder = <Unit extends KnownUnit>(units: readonly Unit[]): Unit[] =>
  [...units].sort(
    (a, b) =>
      Number(a.wanted) - Number(b.wanted) ||
      Number(a.contractId !== null) - Number(b.contractId !== null) ||
      b.unitNumber - a.unitNumber,
  );

/** Which units of a plan line are to end, so that `keep` remain. What is unwanted already stays so. */
export function unitsToEnd(units: readonly KnownUnit[], keep: number): number[] {
  const wanted = inEndingOrder(units.filter((unit) => unit.wanted));
  return wanted.slice(0, Math.max(0, wanted.length - keep)).map(({ unitNumber }) => unitNumber);
}

/** Which units of a plan line left the order with their items, so that `left` are in it. */
export function unitsTaken(
  units: readonly (KnownUnit & { endedInOrder: boolean })[],
  left: number,
): number[] {
  const present = inEndingOrder(units.filter((unit) => unit.wanted || unit.endedInOrder));
  return present.slice(0, Math.max(0, present.length - left)).map(({ unitNumber }) => unitNumber);
}

interface ChangedUnit {
  lineId: string;
  insuredLineId: string | null;
  wanted: boolean;
  endedInOrder: boolean;
}

export interface Remaining {
  /** by plan line: how many of its items are in the order */
  left: ReadonlyMap<string, number>;
  /** by plan line: how many of its units are still to be insured */
  keep: ReadonlyMap<string, number>;
  /** by product line: how many of its items are left */
  products: ReadonlyMap<string, number>;
}

/** @param products the order's product lines, with the items that were left before the change */
export function remainingAfter(
  { removed }: OrderChange,
  units: readonly ChangedUnit[],
  products: readonly { lineId: string; currentQuantity: number }[],
): Remaining {
  const taken = Map.groupBy(removed, ({ lineId }) => lineId);
  const leftOf = (lineId: string, before: number): number =>
    Math.max(0, before - (taken.get(lineId) ?? []).reduce((sum, { quantity }) => sum + quantity, 0));
  const productsLeft = new Map(
    products
      .filter(({ lineId }) => taken.has(lineId))
      .map(({ lineId, currentQuantity }) => [lineId, leftOf(lineId, currentQuantity)]),
  );
  const ofLines = [...Map.groupBy(units, ({ lineId }) => lineId)];
  const left = new Map(
    ofLines.map(([lineId, ofLine]) => [
      lineId,
      leftOf(lineId, ofLine.filter((unit) => unit.wanted || unit.endedInOrder).length),
    ]),
  );
  const keep = new Map(
    ofLines.map(([lineId, ofLine]) => {
      const wanted = ofLine.filter((unit) => unit.wanted).length;
      // A plan whose product was returned insures nothing any more.
      const ofProduct = productsLeft.get(ofLine[0]?.insuredLineId ?? "") ?? wanted;
      // The removed items were uninsured ones, as far as there are any.
      return [lineId, Math.min(wanted, left.get(lineId) ?? wanted, ofProduct)];
    }),
  );
  return { left, keep, products: productsLeft };
}
