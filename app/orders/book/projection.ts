/** The rows that lists, searches and statistics read of an order: derived from its book, and written by the store alone. */
import type { SalesRecordStatus } from "#app/orders/sales-record.ts";
import { monthsLater } from "#app/platform/day.ts";
import {
  endKnownAt,
  endReasonOf,
  isBeingCancelled,
  type Item,
  needsAnswer,
  type Order,
  ownEndReasonOf,
  standingOf,
} from "./evolve.ts";
import type { ItemState, Reason } from "./item-states.ts";
import { lacksCustomer, premiumOf } from "./money.ts";
import type { CheckedLine } from "./sale-check.ts";
import type { QuoteReason, QuoteState } from "./quotes.ts";

export interface OrderRow {
  name: string;
  purchasedAt: Date;
  paidAt: Date | null;
  hasOpenBalance: boolean;
  cancelledAt: Date | null;
  currency: string;
  language: string | null;
  premiumMinor: number;
  paymentMethod: string;
  salesChannel: string;
  environment: "test" | "production";
  salesRecordStatus: SalesRecordStatus;
  coverDigest: string | null;
  quotesDecidedAt: Date | null;
  quotesDigest: string | null;
  erasedAt: Date | null;
}

/** Null: its first report has not come. */
export function orderRow(order: Order): OrderRow | null {
  const { placed } = order;
  if (placed === null) return null;
  return {
    name: placed.name,
    purchasedAt: placed.placedAt,
    paidAt: order.paid?.at ?? null,
    hasOpenBalance: order.isBalanceDue,
    cancelledAt: order.cancelledAt,
    currency: placed.currency,
    language: placed.language,
    premiumMinor: order.items.reduce((sum, item) => sum + premiumOf(order, item), 0),
    paymentMethod: order.paid?.paymentMethod ?? placed.paymentMethod,
    salesChannel: placed.salesChannel,
    environment: placed.environment,
    salesRecordStatus: salesRecordStatusOf(order),
    coverDigest: order.coverDigest,
    quotesDecidedAt: order.quotesDecidedAt,
    quotesDigest: order.quotesDigest,
    erasedAt: order.erasedAt,
  };
}

export function salesRecordStatusOf({ placed, salesRecord, cancellation }: Order): SalesRecordStatus {
  if (cancellation?.outcome === "done" || cancellation?.outcome === "refused") return "cancelled";
  if (salesRecord !== null) return salesRecord.outcome === "due" ? "none" : salesRecord.outcome;
  return placed?.isTest === true && placed.environment === "production" ? "test_order" : "none";
}

/** As the check of the sale has it; where it was offered is a word of the book. */
export type LineRow = Omit<CheckedLine, "offeredAt"> & { offeredAt: string | null };

/** The products' lines. */
export const lineRows = (order: Order): LineRow[] =>
  order.lines
    .filter(({ kind }) => kind === "product")
    .map((line) => ({
      lineId: line.lineId,
      pairId: line.pairId,
      productId: line.productId,
      variantId: line.variantId,
      title: line.title,
      quantity: line.ordered,
      currentQuantity: line.current,
      fulfilledQuantity: line.fulfilled,
      requiresShipping: line.requiresShipping,
      listPriceMinor: line.listPriceMinor,
      priceMinor: line.paidMinor,
      currency: line.currency,
      categoryId: line.categoryId,
      insuranceOffered: line.isOffered,
      insuranceSelected: line.isSelected,
      offeredAt: line.offeredAt,
      productFormat: line.productFormat,
    }));

export interface ItemRow {
  lineId: string;
  itemNumber: number;
  environment: "test" | "production";
  state: ItemState;
  /** why it is in its state, where that needs explaining */
  reason: Reason | null;
  /** false once it is not to be insured any more: it left the order, its customer withdrew, or a person ended it */
  wanted: boolean;
  offerReferenceId: string;
  planTitle: string;
  termMonths: number | null;
  offerPriceMinor: number;
  premiumMinor: number;
  currency: string;
  insuredLineId: string | null;
  insuredTitle: string | null;
  insuredPriceMinor: number | null;
  insuredCurrency: string | null;
  touchpoint: string | null;
  contractId: string | null;
  /** as the insurer shows it: one of contractStatuses (events.ts) */
  contractStatus: string | null;
  /** the price at the insurer, where it is another one than was sold */
  contractPriceMinor: number | null;
  contractCurrency: string | null;
  activatesOn: string | null;
  expiresOn: string | null;
  /** the number of a contract in no clear state, which may never have been in force */
  unclearContractId: string | null;
  /** when its contract came into being */
  insuredAt: Date | null;
  /** since when it is known that it is not to be insured any more, and that the insurer has cancelled its contract */
  endedAt: Date | null;
  contractEndedAt: Date | null;
  withdrawnAt: Date | null;
  fulfilledAt: Date | null;
  changedAt: Date;
}

export const itemRows = (order: Order): ItemRow[] =>
  order.items
    .map((item) => itemRow(order, item))
    .toSorted((a, b) => (a.lineId < b.lineId ? -1 : a.lineId > b.lineId ? 1 : a.itemNumber - b.itemNumber));

export function itemRow(order: Order, item: Item): ItemRow {
  const { sold, insured, contract } = item;
  const hasContract = contract !== null && (item.insuredAt !== null || contract.status === "cancelled");
  return {
    lineId: item.lineId,
    itemNumber: item.number,
    environment: order.placed?.environment ?? "test",
    state: stateOf(order, item),
    reason: reasonOf(order, item),
    wanted: ownEndReasonOf(order, item) === null,
    offerReferenceId: sold.referenceId,
    planTitle: sold.planTitle,
    termMonths: sold.termMonths,
    offerPriceMinor: sold.offerPriceMinor,
    premiumMinor: premiumOf(order, item),
    currency: sold.currency,
    insuredLineId: insured?.lineId ?? null,
    insuredTitle: insured?.title ?? null,
    insuredPriceMinor: insured?.priceMinor ?? null,
    insuredCurrency: insured?.currency ?? null,
    touchpoint: sold.touchpoint,
    contractId: hasContract ? contract.contractId : null,
    contractStatus: hasContract ? contract.status : null,
    contractPriceMinor: contract?.price?.minor ?? null,
    contractCurrency: contract?.price?.currency ?? null,
    activatesOn: contract?.activatesOn ?? null,
    expiresOn: contract?.expiresOn ?? (hasContract ? termEnd(item) : null),
    unclearContractId: hasContract ? null : (contract?.contractId ?? null),
    insuredAt: item.insuredAt,
    endedAt: endKnownAt(order, item),
    contractEndedAt: item.contractEndedAt,
    withdrawnAt: item.withdrawal?.at ?? null,
    fulfilledAt: item.fulfilledAt,
    changedAt: item.changedAt,
  };
}

/** The last day of a contract's term where the insurer has not named it: its list of contracts has none. */
function termEnd({ sold, request, insuredAt, soldAt }: Item): string | null {
  if (sold.termMonths === null) return null;
  const since = request?.sentAt ?? insuredAt ?? soldAt;
  return monthsLater(since.toISOString().slice(0, 10), sold.termMonths);
}

/** Its state in one word, for lists and pages. */
export function stateOf(order: Order, item: Item): ItemState {
  const isEnding = endReasonOf(order, item) !== null;
  switch (standingOf(item)) {
    case "none":
      if (isEnding) return "cancelled";
      return needsAnswer(item) || (lacksCustomer(order) && order.paid !== null) ? "attention" : "pending";
    case "sending":
      return "creating";
    case "unknown":
      return "unknown";
    case "refused":
      return isEnding ? "cancelled" : "refused";
    case "unclear":
      return "attention";
    case "in_force":
    case "in_doubt":
      if (!isEnding) return "active";
      if (item.handedOver !== null) return "attention";
      return isBeingCancelled(order) ? "cancelling" : "active";
    case "ended":
      return "cancelled";
  }
}

function reasonOf(order: Order, item: Item): Reason | null {
  const state = stateOf(order, item);
  if (state === "refused") return "refused_by_insurer";
  if (state !== "attention") return null;
  const standing = standingOf(item);
  if (standing === "unclear") return "contract_unclear";
  if (standing !== "none") return "manual_cancellation";
  if (needsAnswer(item)) return item.sold.finding;
  return order.erasedAt === null ? "missing_customer_data" : "customer_erased";
}

export interface QuoteRow {
  lineId: string;
  itemNumber: number;
  state: QuoteState;
  reason: QuoteReason | null;
  environment: "test" | "production";
  productId: string | null;
  productTitle: string;
  priceMinor: number;
  currency: string;
  categoryId: string;
  delayHours: number;
  touchpoint: string | null;
  linkId: string;
  quoteId: string | null;
  expiresOn: string | null;
  openedAt: Date | null;
  revokedAt: Date | null;
  soldAt: Date | null;
  contractId: string | null;
  soldMinor: number | null;
  soldTitle: string | null;
  soldUntil: string | null;
}

export const quoteRows = (order: Order): QuoteRow[] =>
  order.quotes.map(({ lineId, number, planned, contract, ...quote }) => ({
    lineId,
    itemNumber: number,
    state: quote.state,
    reason: quote.reason,
    environment: planned.environment,
    productId: planned.productId,
    productTitle: planned.title,
    priceMinor: planned.priceMinor,
    currency: planned.currency,
    categoryId: planned.categoryId,
    delayHours: planned.delayHours,
    touchpoint: planned.touchpoint,
    linkId: planned.linkId,
    quoteId: quote.quoteId,
    expiresOn: quote.expiresOn,
    openedAt: quote.openedAt,
    revokedAt: quote.revokedAt,
    soldAt: quote.soldAt,
    contractId: contract?.contractId ?? null,
    soldMinor: contract?.priceMinor ?? null,
    soldTitle: contract?.title ?? null,
    soldUntil: contract?.expiresOn ?? null,
  }));
