/**
 * What a report of Shopify adds to what a book holds of its order. It does not matter in which order reports arrive, or
 * how often: what is known adds nothing.
 */
import { paymentMethod, salesChannel } from "#app/orders/sales-record.ts";
import { readConsent } from "#app/orders/consent.ts";
import { readLanguage } from "#app/platform/locale.ts";
import { type ShopOrder, type ShopOrderLine, pricePaidByItem } from "#app/shopify/order.ts";
import { paidItemsOf } from "./conclude.ts";
import type { BookEvent, EventOf } from "./events.ts";
import type { Line, Order } from "./evolve.ts";
import { worseFinding } from "./item-states.ts";
import { findSurplus } from "./matching.ts";
import { type CheckedOrder, type CheckedItem, type CheckedLine, MAX_ITEMS } from "./sale-check.ts";

/**
 * Where a report comes from. What Shopify delivers is new. What was read in the shop may be older than the book: after a
 * restored backup the insurer may have contracts of items that the book lacks.
 */
export type ReportOrigin = "delivered" | "read";

export interface ReportContext {
  environment: "test" | "production";
  origin: ReportOrigin;
  /** no later report of the order was read */
  isNewest: boolean;
  /** when Shopify last changed the order, in whole seconds as webhooks have it */
  changedAt: Date;
  /** by reference, of the items that are not in the book yet: the terms by which they were sold */
  terms: ReadonlyMap<string, SoldTerms>;
}

export function eventsOfReport(
  order: Order,
  report: ShopOrder,
  checked: CheckedOrder,
  context: ReportContext,
): BookEvent[] {
  const { isNewest, changedAt: asOf, origin } = context;
  const isPaid = order.paid !== null || report.paid;
  const isBalanceDue = isPaid && !report.paid;
  const events: BookEvent[] = [];
  if (order.placed === null) events.push(placed(report, context));
  if (report.paid && order.paid === null)
    events.push({
      type: "paid",
      // A webhook arrives at the time of payment; an order that was read may have been paid long before its last change.
      asOf: order.placed === null && origin === "read" ? report.createdAt : asOf,
      paymentMethod: paymentMethod(report.gateways),
    });
  if (isNewest && isBalanceDue !== order.isBalanceDue)
    events.push({ type: "balance", isDue: isBalanceDue, asOf });
  if (report.cancelledAt !== null && order.cancelledAt === null)
    events.push({ type: "cancelled", asOf: report.cancelledAt });
  if (isNewest && report.isPaidBack && !order.isPaidBack) events.push({ type: "paid_back", asOf });
  events.push(...lines(order, report, checked, context), ...refunds(order, report, checked));
  if (isNewest && JSON.stringify(report.unreadableLines) !== JSON.stringify(unreadableOf(order)))
    events.push({
      type: "unreadable",
      lines: report.unreadableLines.map(({ id, title, problem }) => ({ lineId: id, title, problem })),
    });
  // What was added to a paid order and is not paid for yet is insured once it is.
  if (!isBalanceDue) events.push(...sold(order, report, checked, context));
  return events;
}

const unreadableOf = ({ unreadable }: Order) =>
  unreadable.map(({ lineId, title, problem }) => ({ id: lineId, title, problem }));

const placed = (report: ShopOrder, { environment }: ReportContext): BookEvent => ({
  type: "placed",
  name: report.name,
  currency: report.currency,
  isTest: report.test,
  environment,
  placedAt: report.createdAt,
  salesChannel: salesChannel(report.sourceName, report.business),
  paymentMethod: paymentMethod(report.gateways),
  language: readLanguage(report.language),
});

function refunds(order: Order, report: ShopOrder, checked: CheckedOrder): BookEvent[] {
  return report.refunds
    .filter(({ id, status }) => {
      const known = order.refunds.find(({ refundId }) => refundId === id);
      return known === undefined || (known.status !== status && known.status !== "settled");
    })
    .map(({ id, at, lines: refunded, ...refund }) => ({
      type: "refund",
      refundId: id,
      asOf: at,
      lines: refunded.map((line) => ({
        ...line,
        quantity: wholeItems(report, checked, line.lineId, line.quantity),
      })),
      ...refund,
    }));
}

/** The items of a product's line of the book: a bundle is one line, named by its first component. */
function wholeItems(report: ShopOrder, checked: CheckedOrder, lineId: string, quantity: number): number {
  const reported = report.lines.find(({ id }) => id === lineId);
  const product = checked.lines.find((line) => line.lineId === lineId);
  if (!reported || !product || reported.quantity === 0) return quantity;
  return Math.floor((quantity * product.quantity) / reported.quantity);
}

/** Lines as first seen, and their quantities where this report knows better. */
function lines(
  order: Order,
  report: ShopOrder,
  checked: CheckedOrder,
  { isNewest, changedAt: asOf }: ReportContext,
): BookEvent[] {
  const isLater = order.lines.length > 0;
  const plans = report.lines.filter(({ id }) => checked.left.has(id));
  const reported = [
    ...checked.lines.map((line) => ({
      line: ofProduct(line),
      ordered: line.quantity,
      current: line.currentQuantity,
      fulfilled: line.fulfilledQuantity,
    })),
    ...plans.map((line) => ({
      line: ofPlan(line, checked),
      ordered: line.quantity,
      current: line.currentQuantity,
      fulfilled: line.fulfilledQuantity,
    })),
  ];
  return reported.flatMap(({ line, ordered, current, fulfilled }): BookEvent[] => {
    const { lineId, pairId } = line;
    const known = order.lines.find((each) => each.lineId === lineId);
    const refunded = report.refunds
      .filter(({ status }) => status !== "failed")
      .flatMap((refund) => refund.lines)
      .filter((each) => each.lineId === lineId)
      .reduce((sum, { quantity }) => sum + wholeItems(report, checked, lineId, quantity), 0);
    const isOther =
      known === undefined ||
      known.ordered !== ordered ||
      known.current !== current ||
      known.refunded !== refunded ||
      known.fulfilled !== Math.min(current, Math.max(known.fulfilled, fulfilled));
    const isPairedAnew = known?.kind === "product" && known.pairId !== pairId;
    return [
      ...(known ? [] : [{ type: "line" as const, ...line, isLater }]),
      ...(isNewest && isPairedAnew ? [{ type: "paired" as const, lineId, pairId }] : []),
      ...(isOther && (isNewest || !known)
        ? [{ type: "quantity" as const, lineId, ordered, current, refunded, fulfilled, asOf }]
        : []),
    ];
  });
}

type NewLine = Omit<Line, "ordered" | "current" | "fulfilled" | "refunded" | "isLater">;

const ofProduct = (line: CheckedLine): NewLine => ({
  lineId: line.lineId,
  kind: "product",
  pairId: line.pairId,
  productId: line.productId,
  variantId: line.variantId,
  title: line.title,
  listPriceMinor: line.listPriceMinor,
  paidMinor: line.priceMinor,
  currency: line.currency,
  requiresShipping: line.requiresShipping,
  categoryId: line.categoryId,
  isOffered: line.insuranceOffered,
  isSelected: line.insuranceSelected,
  offeredAt: line.offeredAt,
  productFormat: line.productFormat,
});

function ofPlan(line: ShopOrderLine, { unknownPlanLines }: CheckedOrder): NewLine {
  const [amounts] = line.amounts;
  return {
    lineId: line.id,
    kind: unknownPlanLines.some(({ lineId }) => lineId === line.id) ? "unknown_plan" : "plan",
    pairId: line.id,
    productId: line.productId,
    variantId: line.variantId,
    title: line.title,
    listPriceMinor: amounts.unitPriceMinor,
    paidMinor: Math.max(0, pricePaidByItem(amounts, line.quantity, 1)[0] ?? 0),
    currency: amounts.currency,
    requiresShipping: line.requiresShipping,
    categoryId: "",
    isOffered: false,
    isSelected: false,
    offeredAt: null,
    productFormat: null,
  };
}

/** The items that are not in the book yet. */
export const newItems = (order: Order, { items }: CheckedOrder): CheckedItem[] =>
  items.filter(
    ({ lineId, itemNumber }) =>
      !order.items.some((item) => item.lineId === lineId && item.number === itemNumber),
  );

type SoldTerms = Pick<EventOf<"sold">, "conditionsUrl" | "ipidUrl" | "termsSha256">;
const unknownTerms: SoldTerms = { conditionsUrl: null, ipidUrl: null, termsSha256: null };

function sold(
  order: Order,
  report: ShopOrder,
  checked: CheckedOrder,
  { origin, terms }: ReportContext,
): BookEvent[] {
  const fresh = newItems(order, checked);
  const surplus =
    order.items.length === 0 || fresh.length === 0
      ? []
      : findSurplus(fresh, paidItemsOf(order), checked.lines, checked.left);
  const premiums = new Map(
    [...Map.groupBy(fresh, ({ lineId }) => lineId)].flatMap(([lineId, ofLine]) => {
      const line = report.lines.find(({ id }) => id === lineId);
      return line ? premiumsOfNew(order, line, ofLine) : [];
    }),
  );
  const events = fresh.map((item): EventOf<"sold"> => {
    return {
      type: "sold",
      item: { lineId: item.lineId, number: item.itemNumber },
      referenceId: item.offerReferenceId,
      planVariantId: item.planVariantId,
      planTitle: item.planTitle,
      termMonths: item.termMonths,
      offerPriceMinor: item.offerPriceMinor,
      premiumMinor: premiums.get(item) ?? Math.max(0, item.premiumMinor),
      currency: item.currency,
      insured: item.insured,
      touchpoint: item.touchpoint,
      // What staff noted in words is sealed beside the book.
      consent: item.consent !== null && readConsent(item.consent) !== null ? item.consent : null,
      ...(terms.get(item.offerReferenceId) ?? unknownTerms),
      finding: surplus.includes(item) ? worseFinding(item.finding, "more_plans_than_products") : item.finding,
      replaces: null,
    };
  });
  // Without an e-mail address nothing can be looked up, and nothing can be created.
  const doubted =
    origin === "read" && report.email !== null
      ? events.filter(({ finding }) => finding === null).map(({ item }) => item)
      : [];
  const { itemsLeftOut: count } = checked;
  return [
    ...events,
    ...(doubted.length > 0
      ? [{ type: "doubted" as const, items: doubted, why: "read_in_shop" as const }]
      : []),
    ...(count > 0 && count !== order.leftOut?.count
      ? [{ type: "left_out" as const, count, limit: MAX_ITEMS }]
      : []),
  ];
}

/**
 * A line whose quantity grew by an edit: its discount was for the items of before, whose premiums stay. The new ones
 * share what the line costs now beyond them, so the premiums add up to what was paid.
 */
function premiumsOfNew(
  order: Order,
  line: ShopOrderLine,
  fresh: readonly CheckedItem[],
): [CheckedItem, number][] {
  const known = order.items.filter(({ lineId, sold }) => lineId === line.id && sold.replaces === null);
  const [first] = fresh;
  if (known.length === 0 || !first) return [];
  const amounts = line.amounts.find(({ currency }) => currency === first.currency) ?? line.amounts[0];
  const total = amounts.unitPriceMinor * line.quantity - amounts.discountsMinor;
  const rest = Math.max(0, total - known.reduce((sum, { sold }) => sum + sold.premiumMinor, 0));
  const each = Math.floor(rest / fresh.length);
  return fresh.map((item, index) => [item, each + (index < rest - each * fresh.length ? 1 : 0)]);
}
