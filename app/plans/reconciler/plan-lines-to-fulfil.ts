/** Which items of plan lines are to be fulfilled: never one whose contract does not exist, and each once. */
import type { FulfilmentOrder } from "#app/shopify/fulfilment.ts";

export interface Fulfilment {
  fulfilmentOrderId: string;
  lines: { id: string; quantity: number }[];
}

export interface FulfilmentStep {
  fulfilments: Fulfilment[];
  /** plan lines with items that cannot be fulfilled now: their fulfilment order is on hold, or not shown to the app */
  blocked: string[];
}

/**
 * Compares with what the platform shows, so that it does not matter who fulfilled what, or how often this runs.
 * @param contracts by plan line: how many of its items have a contract in force
 */
export function planLinesToFulfil(
  contracts: ReadonlyMap<string, number>,
  orders: readonly FulfilmentOrder[],
): FulfilmentStep {
  const fulfilments: Fulfilment[] = [];
  const blocked: string[] = [];
  for (const [lineId, count] of contracts) {
    const lines = orders.flatMap((order) =>
      order.lines.filter((line) => line.lineId === lineId).map((line) => ({ ...line, order })),
    );
    const current = lines[0]?.currentQuantity ?? 0;
    const remaining = lines.reduce((sum, line) => sum + line.remainingQuantity, 0);
    let due = Math.min(remaining, count - (current - remaining));
    for (const { id, order, remainingQuantity } of lines) {
      const quantity = Math.min(due, remainingQuantity);
      if (quantity <= 0 || !order.isOpen) continue;
      due -= quantity;
      const known = fulfilments.find(({ fulfilmentOrderId }) => fulfilmentOrderId === order.id);
      if (known) known.lines.push({ id, quantity });
      else fulfilments.push({ fulfilmentOrderId: order.id, lines: [{ id, quantity }] });
    }
    // A line that no fulfilment order shows belongs to somebody else's: whether it is fulfilled is not known.
    if (due > 0 || lines.length === 0) blocked.push(lineId);
  }
  return { fulfilments, blocked };
}
