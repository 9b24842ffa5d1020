/**
 * Which insurance goes on with a replacement: a product that an edit or exchange brought into the order after another
 * one left it. The insurer has no exchange, so the replacement gets a contract of its own, and then the old one ends.
 */
import { MAX_ITEMS } from "./sale-check.ts";

/** An offer of the formula and term of a sold one, at the price of the replacement. */
export interface FittingOffer {
  referenceId: string;
  /** what the insurer is owed, minor units */
  priceMinor: number;
}

/** A product's line that came into the order later, and whose product was not bought with insurance. */
export interface Replacement {
  lineId: string;
  title: string;
  /** null: a custom line, which no insurance fits */
  variantId: string | null;
  /** of one item, before discounts */
  priceMinor: number;
  currency: string;
  /** how many of its items nothing insures */
  free: number;
  /** by the sold reference, for those of its universe: the offers for its price, the one with the same price first */
  offers: { soldReferenceId: string; fitting: FittingOffer[] }[];
}

export interface ItemWithoutProduct {
  offerReferenceId: string;
  offerPriceMinor: number;
  insuredVariantId: string | null;
  insuredPriceMinor: number | null;
}

export const obstacles = [
  /** it is clear neither whose product was replaced, nor by which */
  "unclear",
  /** the insurance of the replacement has another price */
  "other_premium",
  /** no offer of the same guarantees and term is for the replacement's price */
  "no_offer",
  /** the replacement is not of the universe that the insurance is for */
  "other_kind",
] as const;

/** Why insurance does not go on with a replacement by itself. */
export interface Obstacle {
  why: (typeof obstacles)[number];
  title: string;
  /** what the replacement's insurance costs; null: there is none, or it costs the same */
  premiumMinor: number | null;
}

export interface Move<Item> {
  item: Item;
  line: Replacement;
  /** null: the replacement is the same product at the same price, so its contract stays */
  offer: FittingOffer | null;
}

interface Exchange<Item> {
  moves: Move<Item>[];
  /** of the items that stay alone, where there is a replacement */
  obstacles: Map<Item, Obstacle>;
}

/**
 * @param alone the items whose product left the order
 * @param undecided items of which some have lost their product, and it is not clear which
 * @param takesPremium the merchant has decided that the item moves though the premium differs
 */
export function planExchange<Item extends ItemWithoutProduct>(
  { alone, undecided }: { alone: readonly Item[]; undecided: readonly Item[] },
  replacements: readonly Replacement[],
  takesPremium: (item: Item) => boolean = () => false,
): Exchange<Item> {
  const freeItems = replacements.flatMap((line) =>
    Array.from({ length: Math.max(0, Math.min(line.free, alone.length + undecided.length)) }, () => line),
  );
  const isOfKind = (item: Item) => freeItems.some((line) => offersFor(item, line) !== null);
  const items = alone.filter(isOfKind);
  const isClear =
    !undecided.some(isOfKind) &&
    isChoiceClear(
      items,
      freeItems.filter((line) => items.some((item) => offersFor(item, line) !== null)),
    );
  const moves: Move<Item>[] = [];
  for (const item of isClear ? items : []) {
    const index = freeItems.findIndex((line) => findOffer(item, line, takesPremium(item)) !== null);
    const [line] = index < 0 ? [] : freeItems.splice(index, 1);
    const offer = line && findOffer(item, line, takesPremium(item));
    if (line && offer) moves.push({ item, line, offer: isSameProduct(item, line) ? null : offer });
  }
  const obstacles = new Map<Item, Obstacle>();
  for (const item of [...alone, ...undecided]) {
    if (moves.some((move) => move.item === item)) continue;
    const obstacle = findObstacle(item, freeItems, isClear);
    if (obstacle !== null) obstacles.set(item, obstacle);
  }
  return { moves, obstacles };
}

/** The offers of the item's formula and term for the replacement; null: it is of another kind. */
const offersFor = (item: ItemWithoutProduct, { offers }: Replacement): FittingOffer[] | null =>
  offers.find(({ soldReferenceId }) => soldReferenceId === item.offerReferenceId)?.fitting ?? null;

function findOffer(item: ItemWithoutProduct, line: Replacement, takesPremium: boolean): FittingOffer | null {
  const fitting = line.variantId === null ? [] : (offersFor(item, line) ?? []);
  const samePremium = fitting.find(({ priceMinor }) => priceMinor === item.offerPriceMinor);
  return samePremium ?? (takesPremium ? (fitting[0] ?? null) : null);
}

const isSameProduct = (item: ItemWithoutProduct, { variantId, priceMinor }: Replacement): boolean =>
  variantId === item.insuredVariantId && priceMinor === item.insuredPriceMinor;

/** Equal items are interchangeable, and so are equal items: else each of the others needs its place. */
function isChoiceClear(items: readonly ItemWithoutProduct[], freeItems: readonly Replacement[]): boolean {
  const areItemsEqual =
    new Set(items.map(({ offerReferenceId, offerPriceMinor }) => `${offerReferenceId} ${offerPriceMinor}`))
      .size <= 1;
  const areFreeItemsEqual =
    new Set(freeItems.map(({ variantId, priceMinor }) => `${variantId ?? ""} ${priceMinor}`)).size <= 1;
  if (areItemsEqual && areFreeItemsEqual) return true;
  if (areItemsEqual) return freeItems.length <= items.length;
  return areFreeItemsEqual && items.length <= freeItems.length;
}

/** The nearest reason, of the replacements that are left. */
function findObstacle(
  item: ItemWithoutProduct,
  freeItems: readonly Replacement[],
  isClear: boolean,
): Obstacle | null {
  const found = freeItems.map((line): Obstacle => {
    const fitting = offersFor(item, line);
    const [offer] = line.variantId === null ? [] : (fitting ?? []);
    const why = fitting === null ? "other_kind" : !isClear ? "unclear" : offer ? "other_premium" : "no_offer";
    return {
      why,
      title: line.title,
      premiumMinor: why === "other_premium" && offer ? offer.priceMinor : null,
    };
  });
  return obstacles.flatMap((why) => found.find((each) => each.why === why) ?? [])[0] ?? null;
}

/** The number of the item that an item's cover moves to: the same one, however often it is decided. */
export const movedNumber = (itemNumber: number): number => itemNumber + MAX_ITEMS;
