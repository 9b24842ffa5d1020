/**
 * Which item of a product each item of a plan insures, and which insured items end with a smaller quantity. A pair is all
 * product lines and all plan lines of one mark or nesting, as in the cart (extensions/storefront-scripts/cart-rules.ts):
 * the plans' items belong to the products' items in order.
 */
import { INSURED_VARIANT, PAIR, planLineProperties } from "#app/shopify/line-properties.ts";
import type { ShopOrderLine } from "#app/shopify/order.ts";
import { isComponent, isInGroupOf } from "./bundles.ts";
import { mayHaveContract, type Reason, type ItemState } from "./item-states.ts";

/**
 * The product's lines that a plan line belongs to: those of the same pair, those of its variant (the ones that it was
 * nested under, where there are such), or, where the properties were lost on the way, the one that it was nested under.
 * Never a component of a bundle.
 * @param products bundles are joined to one line each
 */
export function findInsuredLines(plan: ShopOrderLine, products: readonly ShopOrderLine[]): ShopOrderLine[] {
  const { [INSURED_VARIANT]: variant, [PAIR]: pair } = planLineProperties.parse(plan.properties);
  const isOfVariant = ({ variantId }: ShopOrderLine) => variantId !== null && variantId === variant;
  const wholes = products.filter((line) => !isComponent(line));
  const paired = pair === null ? [] : wholes.filter(({ properties }) => properties[PAIR] === pair);
  if (paired.length > 0) return firstFound(paired.filter(isOfVariant), paired);
  const nestedWith = wholes.filter((line) => isInGroupOf(plan, line));
  const ofVariant = firstFound(nestedWith.filter(isOfVariant), wholes.filter(isOfVariant));
  const [parent, ...others] = nestedWith;
  // A line of another variant may be a component of a bundle that Shopify does not describe.
  const isSame = variant === null || parent?.variantId === null;
  return firstFound(ofVariant, parent && others.length === 0 && isSame ? [parent] : []);
}

const firstFound = <Item>(preferred: Item[], others: Item[]): Item[] =>
  preferred.length > 0 ? preferred : others;

export interface Pair {
  /** empty: its plans insure no line of the order */
  products: ShopOrderLine[];
  plans: ShopOrderLine[];
}

/** The order's plan lines by pair, in the order of the lines. */
export function pairsOf(plans: readonly ShopOrderLine[], products: readonly ShopOrderLine[]): Pair[] {
  let pairs: Pair[] = [];
  for (const plan of plans) {
    const insured = new Set(findInsuredLines(plan, products));
    const joined = pairs.filter((pair) => pair.products.some((line) => insured.has(line)));
    for (const line of joined.flatMap((pair) => pair.products)) insured.add(line);
    const pair = {
      products: products.filter((line) => insured.has(line)),
      plans: [...joined.flatMap((each) => each.plans), plan],
    };
    pairs = [...pairs.filter((each) => !joined.includes(each)), pair];
  }
  return pairs;
}

interface Items {
  currentQuantity: number;
}

export const countItems = (lines: readonly Items[]): number =>
  lines.reduce((sum, { currentQuantity }) => sum + currentQuantity, 0);

/** The line of the item at a position, from 0; the last line where there are fewer items, null where there is no line. */
export function lineOfItem<Line extends Items>(lines: readonly Line[], position: number): Line | null {
  let passed = 0;
  return lines.find(({ currentQuantity }) => (passed += currentQuantity) > position) ?? lines.at(-1) ?? null;
}

export interface PaidItem {
  lineId: string;
  itemNumber: number;
  /** the product's line; null where it is not known */
  insuredLineId: string | null;
  wanted: boolean;
  /** not wanted any more, and its item is still in the order */
  endedInOrder: boolean;
  state: ItemState;
  contractId: string | null;
  reason: Reason | null;
  /** its insurance goes on without its product: the merchant chose so */
  isKeptWithoutProduct: boolean;
  /** when a refund of its item was requested in the shop; null: never */
  refundRequestedAt: Date | null;
  /** the number of the item whose cover moved to this one */
  replacesItem: number | null;
  offerReferenceId: string;
  offerPriceMinor: number;
}

/** A product's line of the order, as it is now. */
export interface ProductLine extends Items {
  lineId: string;
  /** the first line of its pair */
  pairId: string;
  /** all items ever ordered */
  quantity: number;
}

/** What became of an order's items when items left it. */
interface Settlement<Item> {
  /** they left the order with their items */
  taken: Item[];
  /** they insure nothing any more, though they are paid for, and have no contract yet */
  ended: Item[];
  /** they insure an item of another line of the pair now */
  moved: { item: Item; lineId: string }[];
  /** pairs with more contracts than items: a person decides what becomes of the surplus */
  returned: Returned<Item>[];
}

export interface Returned<Item> {
  pairId: string;
  /** how many contracts have no product any more */
  surplus: number;
  /** those contracts, or more than those where it is not clear which they are */
  items: Item[];
}

/**
 * Compares an order's insured items with the products left in it. Of equal ones the newest have no product any more; of
 * different ones those whose own line has no item left, unless that leaves a choice. No contract ends by itself: the
 * product may be exchanged, and a cancelled contract does not come back.
 * @param left by plan line: how many of its items are in the order; a line that is missing lost none
 */
export function settleItems<Item extends PaidItem>(
  items: readonly Item[],
  products: readonly ProductLine[],
  left: ReadonlyMap<string, number>,
): Settlement<Item> {
  const taken = removedItems(items, products, left);
  const settlement: Settlement<Item> = { taken, ended: [], moved: [], returned: [] };
  const insuring = items.filter((item) => needsItem(item) && !taken.includes(item));
  for (const [pairId, lines] of Map.groupBy(products, (line) => line.pairId)) {
    const ofPair = itemsOn(insuring, lines);
    // Without a return the surplus is one that was sold: a task has asked about it.
    const isReturned = lines.some(({ quantity, currentQuantity }) => currentQuantity < quantity);
    if (!isReturned && ofPair.every(({ replacesItem }) => replacesItem === null)) continue;
    const itemCount = countItems(lines);
    const counted = itemCount === 0 ? ofPair : ofPair.filter((item) => !isSurplusTask(item));
    const surplus = counted.length - itemCount;
    const alone = surplus > 0 ? chooseWithoutProduct(counted, lines, surplus) : [];
    if (alone === null) {
      settlement.returned.push({ pairId, surplus, items: counted });
      continue;
    }
    const contracts = alone.filter(mayHaveContract);
    settlement.ended.push(...alone.filter((item) => !mayHaveContract(item)));
    if (contracts.length > 0)
      settlement.returned.push({ pairId, surplus: contracts.length, items: contracts });
    const withProduct = counted.filter((item) => !alone.includes(item));
    settlement.moved.push(...moveToItems(withProduct, lines));
  }
  return settlement;
}

/**
 * The insured items of a report for which a stored order has no product: its stored items keep theirs, on any line of
 * the pair they are, and items that left the order take none of the new ones with them.
 * @param left as for `settleItems`
 */
export function findSurplus<Item extends { lineId: string; itemNumber: number; insured: ProductKey | null }>(
  reported: readonly Item[],
  stored: readonly PaidItem[],
  products: readonly ProductLine[],
  left: ReadonlyMap<string, number>,
): Item[] {
  const { taken, ended } = settleItems(stored, products, left);
  const insuring = stored.filter(
    (item) => needsItem(item) && !isSurplusTask(item) && !taken.includes(item) && !ended.includes(item),
  );
  const added = reported.filter(
    ({ lineId, itemNumber }) =>
      !stored.some((item) => item.lineId === lineId && item.itemNumber === itemNumber),
  );
  return [...Map.groupBy(products, (line) => line.pairId).values()].flatMap((lines) => {
    const free = Math.max(0, countItems(lines) - itemsOn(insuring, lines).length);
    return added.filter(({ insured }) => lines.some(({ lineId }) => lineId === insured?.lineId)).slice(free);
  });
}

interface ProductKey {
  lineId: string;
}

const needsItem = ({ wanted, isKeptWithoutProduct }: PaidItem): boolean => wanted && !isKeptWithoutProduct;

const isSurplusTask = ({ reason, contractId }: PaidItem): boolean =>
  reason === "more_plans_than_products" && contractId === null;

const itemsOn = <Item extends PaidItem>(items: readonly Item[], lines: readonly ProductLine[]): Item[] => {
  const ids = new Set(lines.map(({ lineId }) => lineId));
  return items.filter(({ insuredLineId }) => insuredLineId !== null && ids.has(insuredLineId));
};

const byId = new Intl.Collator("en", { numeric: true });

/** Also one whose contract was cancelled at the insurer, while its item is still in the order. */
const isInsured = ({ wanted, state }: PaidItem): boolean => wanted && state !== "cancelled";

/** What is not insured any more ends first, then what has no contract, then the newest. */
const inEndingOrder = <Item extends PaidItem>(items: readonly Item[]): Item[] =>
  items.toSorted(
    (a, b) =>
      Number(isInsured(a)) - Number(isInsured(b)) ||
      Number(a.contractId !== null) - Number(b.contractId !== null) ||
      byId.compare(b.lineId, a.lineId) ||
      b.itemNumber - a.itemNumber,
  );

/** The lines with more items than items. */
function findOverfull(items: readonly PaidItem[], lines: readonly ProductLine[]): ProductLine[] {
  const counts = Map.groupBy(items, ({ insuredLineId }) => insuredLineId);
  return lines.filter(({ lineId, currentQuantity }) => (counts.get(lineId)?.length ?? 0) > currentQuantity);
}

/**
 * The insured items that left with a smaller quantity of their own plan line: first those whose refund was requested,
 * then those that had ended, then those whose product left, too.
 */
function removedItems<Item extends PaidItem>(
  items: readonly Item[],
  products: readonly ProductLine[],
  left: ReadonlyMap<string, number>,
): Item[] {
  const present = items.filter((item) => item.wanted || item.endedInOrder);
  const wanted = items.filter((item) => item.wanted);
  const overfull = new Set(itemsOn(wanted, findOverfull(wanted, products)));
  return [...Map.groupBy(present, ({ lineId }) => lineId)].flatMap(([lineId, ofLine]) => {
    const rankOf = (item: Item) =>
      item.refundRequestedAt !== null ? 0 : !isInsured(item) ? 1 : overfull.has(item) ? 2 : 3;
    const inOrder = inEndingOrder(ofLine).toSorted((a, b) => rankOf(a) - rankOf(b));
    return inOrder.slice(0, Math.max(0, ofLine.length - (left.get(lineId) ?? ofLine.length)));
  });
}

/** The items without a product. Null: which of them that are is not clear. */
function chooseWithoutProduct<Item extends PaidItem>(
  items: readonly Item[],
  lines: readonly ProductLine[],
  surplus: number,
): Item[] | null {
  const overfull = findOverfull(items, lines);
  const excess = overfull.map((line) => {
    const onLine = itemsOn(items, [line]);
    return { onLine, count: onLine.length - line.currentQuantity };
  });
  const isLineByLine = excess.reduce((sum, { count }) => sum + count, 0) === surplus;
  // Other lines of the pair have items to spare: all items without an item of their own can go on there.
  const choices = isLineByLine ? excess : [{ onLine: itemsOn(items, overfull), count: surplus }];
  const alone: Item[] = [];
  for (const { onLine, count } of choices) {
    const [first] = onLine;
    const areEqual = onLine.every(
      ({ offerReferenceId, offerPriceMinor }) =>
        offerReferenceId === first?.offerReferenceId && offerPriceMinor === first.offerPriceMinor,
    );
    if (!areEqual && count < onLine.length) return null;
    alone.push(...inEndingOrder(onLine).slice(0, count));
  }
  return alone;
}

/** Items whose line has no item left for them go to the items of the pair that no item insures. */
function moveToItems<Item extends PaidItem>(
  items: readonly Item[],
  lines: readonly ProductLine[],
): { item: Item; lineId: string }[] {
  const free = lines.flatMap((line) => {
    const count = Math.max(0, line.currentQuantity - itemsOn(items, [line]).length);
    return Array.from({ length: Math.min(count, items.length) }, () => line.lineId);
  });
  const toMove = findOverfull(items, lines).flatMap((line) =>
    inEndingOrder(itemsOn(items, [line])).slice(line.currentQuantity),
  );
  return toMove.flatMap((item, index) => {
    const lineId = free[index];
    return lineId === undefined ? [] : [{ item, lineId }];
  });
}
