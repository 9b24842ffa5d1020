/** Lines that were nested in the cart keep their tie in the order: a line and its children have one group. */
import type { Order, OrderLine } from "./state.ts";

/** The group's id; null for a line that is not nested and has nothing nested under it. */
export function lineGroupId(order: Order, line: OrderLine): string | null {
  if (line.parentLineId !== null) return `${line.parentLineId}1`;
  return order.lines.some(({ parentLineId }) => parentLineId === line.id) ? `${line.id}1` : null;
}
