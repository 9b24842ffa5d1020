/** What is left to insure after a refund or an edit, worked from the webhook alone. */
import type { OrderChange } from "#app/shopify/payloads/order-changes.ts";

interface KnownUnit {
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
  units: readonly KnownUnit[],
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
