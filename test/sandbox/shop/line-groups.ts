/** Nested cart lines stay connected in the order: a line and its children share a group. */
import type { Order, OrderLine } from "./state.ts";

/** The group's id; null for a line without parent and children. */
export function lineGroupId(order: Order, line: OrderLine): string | null {
  if (line.parentLineId !== null) return `${line.parentLineId}1`;
  return order.lines.some(({ parentLineId }) => parentLineId === line.id) ? `${line.id}1` : null;
}
