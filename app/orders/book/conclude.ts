/**
 * Draws the conclusions that events leave open: which of several items left the order with a smaller quantity, and which
 * item insures another line now. A conclusion becomes an event and stays.
 */
import { type PaidItem, settleItems } from "#app/orders/ledger/item-matching.ts";
import { answerOf, ownEndReasonOf, type Item, mayHaveContract, type Order, standingOf } from "./evolve.ts";
import type { EventOf } from "./events.ts";

export type Conclusion = EventOf<"left" | "lost_product" | "moved">;

/** Contracts whose product left the order: a person decides what becomes of them. */
export interface Returned {
  /** the pair of lines */
  pairId: string;
  /** how many contracts have no product: fewer than `items` where it is not clear which */
  surplus: number;
  items: Item[];
}

export interface Settlement {
  conclusions: Conclusion[];
  returned: Returned[];
}

export function conclude(order: Order): Settlement {
  const items = order.items.map((item) => ({ item, ...asPaid(order, item) }));
  const products = order.lines
    .filter(({ kind }) => kind === "product")
    .map(({ lineId, pairId, ordered, current }) => ({
      lineId,
      pairId,
      quantity: ordered,
      currentQuantity: current,
    }));
  const remaining = new Map(
    order.lines.filter(({ kind }) => kind !== "product").map(({ lineId, current }) => [lineId, current]),
  );
  const present = items.filter(({ item }) => item.left === null);
  const { taken, ended, moved, returned } = settleItems(present, products, remaining);
  const key = ({ item }: { item: Item }) => ({ item: { lineId: item.lineId, number: item.number } });
  const refunds = new Map(
    order.lines.map(({ lineId, refunded }) => [
      lineId,
      refunded - order.items.filter((item) => item.lineId === lineId && item.left === "refund").length,
    ]),
  );
  return {
    conclusions: [
      ...taken.map((each): Conclusion => {
        const byRefund = refunds.get(each.lineId) ?? 0;
        refunds.set(each.lineId, byRefund - 1);
        return { type: "left", ...key(each), by: byRefund > 0 ? "refund" : "edit" };
      }),
      ...ended.map((each): Conclusion => ({ type: "lost_product", ...key(each) })),
      ...moved.map(({ item, lineId }): Conclusion => ({
        type: "moved",
        ...key(item),
        insuredLineId: lineId,
      })),
    ],
    returned: returned.map(({ pairId, surplus, items }) => ({
      pairId,
      surplus,
      items: items.map(({ item }) => item),
    })),
  };
}

function asPaid(order: Order, item: Item): PaidItem {
  const endReason = ownEndReasonOf(order, item);
  const isKept = answerOf(item, "returned")?.answer === "keep_insurance";
  return {
    lineId: item.lineId,
    itemNumber: item.number,
    insuredLineId: item.insuredLineId,
    // A cancelled order's items are still what its refunds take.
    wanted: endReason === null,
    endedInOrder: endReason !== null && item.left === null,
    state: mayHaveContract(item) ? "active" : standingOf(item) === "ended" ? "cancelled" : "pending",
    contractId: item.contract?.contractId ?? (mayHaveContract(item) ? "unknown" : null),
    reason: item.sold.finding,
    isKeptWithoutProduct: isKept,
    refundRequestedAt: item.refundRequestedAt,
    replacesItem: item.sold.replaces,
    offerReferenceId: item.sold.referenceId,
    offerPriceMinor: item.sold.offerPriceMinor,
  };
}
