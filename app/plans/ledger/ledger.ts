/**
 * Builds the ledger of an order: which lines are plans, and what each of their units insures. What the shopper's browser
 * claims (line item properties) only says which line is meant; whether it is true is decided by the order's own lines
 * and the synced catalogue.
 */
import { CONSENT, OFFERED, REFERENCE, TOUCHPOINT, planLineProperties } from "#app/shopify/line-properties.ts";
import { touchpoints } from "#app/shopify/touchpoints.ts";
import type { Touchpoint } from "#app/shopify/touchpoints.ts";
import { pricePaidByItem } from "#app/shopify/order.ts";
import type { LineAmounts, ShopOrder, ShopOrderLine } from "#app/shopify/order.ts";
import type { CatalogueView } from "./catalogue-view.ts";
import { checkUnit } from "./check-unit.ts";
import { findInsuredLine, isPlanLine, planTitle } from "./plan-lines.ts";
import type { Finding } from "./reasons.ts";

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
