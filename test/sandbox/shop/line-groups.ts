/**
 * The group of an order's line. Nested cart lines stay connected in the order: a line and its children share a group,
 * which describes the parent. The components of a bundle share one that describes the bundle.
 */
import type { LineGroup, Order, OrderLine } from "./state.ts";

/** Null for a line that is connected to no other. */
export function lineGroup({ lines }: Pick<Order, "lines">, line: OrderLine): LineGroup | null {
  const isParent = lines.some(({ parentLineId }) => parentLineId === line.id);
  const parent = isParent ? line : lines.find(({ id }) => id === line.parentLineId);
  if (line.bundle || !parent) return line.bundle ?? null;
  const { id, title, quantity, productId, variantId } = parent;
  return { id: `${id}1`, title, quantity, productId, variantId };
}
