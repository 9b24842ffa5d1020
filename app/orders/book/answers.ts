/** What a person may answer about an order and its items, by its book. */
import {
  endReasonOf,
  type Item,
  mayHaveContract,
  needsAnswer,
  type Order,
  ownEndReasonOf,
  standingOf,
} from "./evolve.ts";
import type { InsuredProduct, ItemKey } from "./events.ts";

export const findItem = ({ items }: Pick<Order, "items">, key: ItemKey): Item | undefined =>
  items.find(({ lineId, number }) => lineId === key.lineId && number === key.number);

/** Whether its contract may be requested (again): a person has to say so first. */
export const isRetryable = (order: Order, item: Item): boolean =>
  endReasonOf(order, item) === null &&
  (needsAnswer(item) || standingOf(item) === "unclear" || item.lookUpProblem !== null);

/** Whether its insurance goes on, so that it can be ended. */
export const isEndable = (order: Order, item: Item): boolean =>
  ownEndReasonOf(order, item) === null && standingOf(item) !== "ended";

/** Whether its contract waits for a person who cancels it at the insurer. */
export const isToCancelByHand = (order: Order, item: Item): boolean =>
  item.handedOver !== null &&
  item.contract !== null &&
  endReasonOf(order, item) !== null &&
  standingOf(item) !== "ended";

/**
 * Whether the merchant may let a contract go on that is to be cancelled by hand: they alone ended it. The customer did
 * not withdraw, and the order still has a product for it that no other item insures.
 */
export function canKeepInsured(order: Order, item: Item): boolean {
  if (!isToCancelByHand(order, item) || order.cancelledAt !== null) return false;
  if (ownEndReasonOf(order, item) !== "decided" || item.withdrawal !== null || item.hasLostProduct)
    return false;
  const { insured } = item;
  if (insured === null) return true;
  const line = order.lines.find(({ lineId }) => lineId === insured.lineId);
  return (line?.current ?? 1) > insuringOf(order, insured.lineId).length;
}

/** The items that insure, or will insure, a line's products. */
const insuringOf = (order: Order, lineId: string): Item[] =>
  order.items.filter((item) => item.insured?.lineId === lineId && isEndable(order, item));

/** A product of the order as a plan that names none can insure it; null: nothing of that line is left to insure. */
export function insurableProduct(order: Order, lineId: string): InsuredProduct | null {
  const line = order.lines.find((each) => each.kind === "product" && each.lineId === lineId);
  if (!line || line.current <= insuringOf(order, lineId).length) return null;
  const { variantId, title, listPriceMinor, currency } = line;
  return { lineId, variantId: variantId ?? lineId, title, priceMinor: listPriceMinor, currency };
}

/** Whether contracts of the order go on if the insurance of these items ends: the insurer cancels whole orders alone. */
export const leavesContracts = (order: Order, ended: readonly Item[]): boolean =>
  order.items.some((item) => !ended.includes(item) && item.contract !== null && isEndable(order, item));

/** The items that a refund in the shop can take: still in the order, and with a premium of their own. */
export const isRefundable = (order: Order, item: Item): boolean =>
  item.left === null && ownEndReasonOf(order, item) !== "replaced";

/** Whether the insurer has contracts of the order, or may have: they are found by their customer's e-mail address. */
export const hasSentContracts = ({ items }: Pick<Order, "items">): boolean =>
  items.some(
    (item) => standingOf(item) !== "ended" && (mayHaveContract(item) || standingOf(item) === "unclear"),
  );
