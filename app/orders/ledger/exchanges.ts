/**
 * Which insurance goes on with a replacement: a product that an edit or exchange brought into the order after another
 * one left it. The service has no exchange, so the replacement gets a contract of its own, and then the old one ends.
 */
import { MAX_UNITS } from "./ledger.ts";
import type { UnitState } from "./unit-states.ts";

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

export interface UnitAlone {
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

export interface Move<Unit> {
  unit: Unit;
  line: Replacement;
  /** null: the replacement is the same product at the same price, so its contract stays */
  offer: FittingOffer | null;
}

interface Exchange<Unit> {
  moves: Move<Unit>[];
  /** of the units that stay alone, where there is a replacement */
  obstacles: Map<Unit, Obstacle>;
}

/**
 * @param alone the units whose product left the order
 * @param undecided units of which some have lost their product, and it is not clear which
 * @param takesPremium the merchant has decided that the unit moves though the premium differs
 */
export function planExchange<Unit extends UnitAlone>(
  { alone, undecided }: { alone: readonly Unit[]; undecided: readonly Unit[] },
  replacements: readonly Replacement[],
  takesPremium: (unit: Unit) => boolean = () => false,
): Exchange<Unit> {
  const freeItems = replacements.flatMap((line) =>
    Array.from({ length: Math.max(0, Math.min(line.free, alone.length + undecided.length)) }, () => line),
  );
  const isOfKind = (unit: Unit) => freeItems.some((line) => offersFor(unit, line) !== null);
  const units = alone.filter(isOfKind);
  const isClear =
    !undecided.some(isOfKind) &&
    isChoiceClear(
      units,
      freeItems.filter((line) => units.some((unit) => offersFor(unit, line) !== null)),
    );
  const moves: Move<Unit>[] = [];
  for (const unit of isClear ? units : []) {
    const index = freeItems.findIndex((line) => findOffer(unit, line, takesPremium(unit)) !== null);
    const [line] = index < 0 ? [] : freeItems.splice(index, 1);
    const offer = line && findOffer(unit, line, takesPremium(unit));
    if (line && offer) moves.push({ unit, line, offer: isSameProduct(unit, line) ? null : offer });
  }
  const obstacles = new Map<Unit, Obstacle>();
  for (const unit of [...alone, ...undecided]) {
    if (moves.some((move) => move.unit === unit)) continue;
    const obstacle = findObstacle(unit, freeItems, isClear);
    if (obstacle !== null) obstacles.set(unit, obstacle);
  }
  return { moves, obstacles };
}

/** The offers of the unit's formula and term for the replacement; null: it is of another kind. */
const offersFor = (unit: UnitAlone, { offers }: Replacement): FittingOffer[] | null =>
  offers.find(({ soldReferenceId }) => soldReferenceId === unit.offerReferenceId)?.fitting ?? null;

function findOffer(unit: UnitAlone, line: Replacement, takesPremium: boolean): FittingOffer | null {
  const fitting = line.variantId === null ? [] : (offersFor(unit, line) ?? []);
  const samePremium = fitting.find(({ priceMinor }) => priceMinor === unit.offerPriceMinor);
  return samePremium ?? (takesPremium ? (fitting[0] ?? null) : null);
}

const isSameProduct = (unit: UnitAlone, { variantId, priceMinor }: Replacement): boolean =>
  variantId === unit.insuredVariantId && priceMinor === unit.insuredPriceMinor;

/** Equal units are interchangeable, and so are equal items: else each of the others needs its place. */
function isChoiceClear(units: readonly UnitAlone[], freeItems: readonly Replacement[]): boolean {
  const areUnitsEqual =
    new Set(units.map(({ offerReferenceId, offerPriceMinor }) => `${offerReferenceId} ${offerPriceMinor}`))
      .size <= 1;
  const areFreeItemsEqual =
    new Set(freeItems.map(({ variantId, priceMinor }) => `${variantId ?? ""} ${priceMinor}`)).size <= 1;
  if (areUnitsEqual && areFreeItemsEqual) return true;
  if (areUnitsEqual) return freeItems.length <= units.length;
  return areFreeItemsEqual && units.length <= freeItems.length;
}

/** The nearest reason, of the replacements that are left. */
function findObstacle(unit: UnitAlone, freeItems: readonly Replacement[], isClear: boolean): Obstacle | null {
  const found = freeItems.map((line): Obstacle => {
    const fitting = offersFor(unit, line);
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

/**
 * Whether the insurance can go on with a replacement: nothing is wrong with it that a person has to decide
 * first.
 */
export const canMove = ({
  state,
  reason,
  withdrawnAt,
}: {
  state: UnitState;
  reason: string | null;
  withdrawnAt: Date | null;
}): boolean =>
  withdrawnAt === null &&
  (["pending", "creating", "unknown", "active"].includes(state) || reason === "missing_customer_data");

/** The number of the unit that a unit's cover moves to: the same one, however often it is decided. */
export const movedNumber = (unitNumber: number): number => unitNumber + MAX_UNITS;
