/**
 * Draws the conclusions that events leave open: which of several items left the order with a smaller quantity, which
 * item insures another line now, and which insurance goes on with a product that came later. A conclusion becomes an
 * event and stays.
 */
import { type Item, type Line, mayHaveContract, type Order, ownEndReasonOf, standingOf } from "./evolve.ts";
import { type EventOf, itemKeyOf } from "./events.ts";
import { type Obstacle, movedNumber, planExchange, type Replacement } from "./exchanges.ts";
import { type PaidItem, settleItems } from "./matching.ts";

export type Conclusion = EventOf<"left" | "lost_product" | "moved" | "sold" | "obstacle">;

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

/** A product's line that came later and was not bought with insurance, and how many of its items nothing insures. */
export type LaterLine = Line & { free: number };

/** The lines on which insurance whose product left might go on; none where nothing waits for one. */
export function laterLines(order: Order): LaterLine[] {
  // A replacement is insured once it is paid for, as any product.
  if (order.paid === null || order.isBalanceDue || order.cancelledAt !== null) return [];
  const insuring = order.items.filter(
    (item) => ownEndReasonOf(order, item) === null && standingOf(item) !== "ended",
  );
  return order.lines
    .filter(
      ({ kind, isLater, isSelected, current }) => kind === "product" && isLater && !isSelected && current > 0,
    )
    .map((line) => ({
      ...line,
      free: line.current - insuring.filter(({ insured }) => insured?.lineId === line.lineId).length,
    }));
}

/** Whether insurance has lost its product, so that the offers of `laterLines` matter. */
export function hasLostProducts(order: Order): boolean {
  const { ended, returned } = settle(order);
  return ended.length + returned.length > 0;
}

function settle(order: Order) {
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
  return settleItems(present, products, remaining);
}

/** @param replacements `laterLines` with their offers */
export function conclude(order: Order, replacements: readonly Replacement[] = []): Settlement {
  const { taken, ended, moved, returned } = settle(order);
  const isUnclear = ({ surplus, items }: { surplus: number; items: readonly unknown[] }) =>
    items.length > surplus;
  const alone = [...ended, ...returned.filter((pair) => !isUnclear(pair)).flatMap(({ items }) => items)];
  const { moves, obstacles } = planExchange(
    {
      alone: alone.filter(({ item }) => canMove(item)),
      undecided: returned.filter(isUnclear).flatMap(({ items }) => items),
    },
    replacements,
    ({ item }) => item.takesOtherPremium,
  );
  const isMoved = (each: { item: Item }) => moves.some((move) => move.item.item === each.item);
  const refunds = refundedNotLeft(order);
  const losing = [...ended, ...returned.flatMap(({ items }) => items)];
  return {
    conclusions: [
      ...taken.map(({ item }): Conclusion => {
        const byRefund = refunds.get(item.lineId) ?? 0;
        refunds.set(item.lineId, byRefund - 1);
        return { type: "left", item: itemKeyOf(item), by: byRefund > 0 ? "refund" : "edit" };
      }),
      ...ended
        .filter((each) => !isMoved(each))
        .map(({ item }): Conclusion => ({ type: "lost_product", item: itemKeyOf(item) })),
      ...moved.map(({ item: { item }, lineId }): Conclusion => ({
        type: "moved",
        item: itemKeyOf(item),
        insuredLineId: lineId,
      })),
      ...moves.map(({ item: { item }, line, offer }): Conclusion => {
        if (offer === null) return { type: "moved", item: itemKeyOf(item), insuredLineId: line.lineId };
        return {
          type: "sold",
          ...item.sold,
          item: { lineId: item.lineId, number: movedNumber(item.number) },
          referenceId: offer.referenceId,
          offerPriceMinor: offer.priceMinor,
          insured: {
            lineId: line.lineId,
            variantId: line.variantId ?? line.lineId,
            title: line.title,
            priceMinor: line.priceMinor,
            currency: line.currency,
          },
          // What was found of the sale is answered, or the cover would not have moved.
          finding: null,
          replaces: item.number,
        };
      }),
      ...obstaclesOf(losing, (item) => obstacles.get(item) ?? null),
    ],
    returned: returned.flatMap((pair) => {
      const staying = pair.items.filter((each) => !isMoved(each)).map(({ item }) => item);
      const surplus = Math.min(pair.surplus, staying.length);
      return surplus === 0 ? [] : [{ pairId: pair.pairId, surplus, items: staying }];
    }),
  };
}

/** By plan line: the items that refunds took and no conclusion names yet. */
const refundedNotLeft = (order: Order): Map<string, number> =>
  new Map(
    order.lines.map(({ lineId, refunded }) => [
      lineId,
      refunded - order.items.filter((item) => item.lineId === lineId && item.left === "refund").length,
    ]),
  );

function obstaclesOf<Settled extends { item: Item }>(
  losing: readonly Settled[],
  obstacleOf: (item: Settled) => Obstacle | null,
): Conclusion[] {
  return losing.flatMap((each): Conclusion[] => {
    const obstacle = obstacleOf(each);
    if (JSON.stringify(obstacle) === JSON.stringify(each.item.obstacle)) return [];
    return [{ type: "obstacle", items: [itemKeyOf(each.item)], obstacle }];
  });
}

/** Whether insurance can go on with a replacement: nothing is wrong with it that a person has to decide first. */
function canMove(item: Item): boolean {
  if (item.withdrawal !== null) return false;
  const standing = standingOf(item);
  if (standing === "none") return item.sold.finding === null || item.issuedAt !== null;
  return standing === "sending" || standing === "unknown" || standing === "in_force";
}

/** An order's item as matching.ts sees it. */
function asPaid(
  order: Order,
  item: Item,
): PaidItem & {
  insuredVariantId: string | null;
  insuredPriceMinor: number | null;
} {
  // A cancelled order's items are still what its refunds take.
  const endReason = ownEndReasonOf(order, item);
  const standing = standingOf(item);
  const hasContract = mayHaveContract(item);
  return {
    lineId: item.lineId,
    itemNumber: item.number,
    insuredLineId: item.insured?.lineId ?? null,
    insuredVariantId: item.insured?.variantId ?? null,
    insuredPriceMinor: item.insured?.priceMinor ?? null,
    wanted: endReason === null,
    endedInOrder: endReason !== null && endReason !== "replaced" && item.left === null,
    state: hasContract ? "active" : standing === "ended" ? "cancelled" : "pending",
    contractId: item.contract?.contractId ?? (hasContract ? "unknown" : null),
    reason: item.issuedAt === null ? item.sold.finding : null,
    isKeptWithoutProduct: item.isKeptWithoutProduct,
    refundRequestedAt: item.refundRequestedAt,
    replacesItem: item.sold.replaces,
    offerReferenceId: item.sold.referenceId,
    offerPriceMinor: item.sold.offerPriceMinor,
  };
}

/** The order's items as matching.ts sees them. */
export const paidItemsOf = (order: Order): PaidItem[] =>
  order.items.filter(({ left }) => left === null).map((item) => asPaid(order, item));
