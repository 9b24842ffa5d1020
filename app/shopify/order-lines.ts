/** Reads the lines of an order one by one: a line that cannot be read does not take the others with it. */
import { z } from "zod";
import { cutText } from "#app/platform/storable-text.ts";
import type { ShopOrder, ShopOrderLine } from "./order.ts";

/** A number of items that the database can store. */
export const itemCount = z.int().min(0).max(2_147_483_647);

type ReadLines = Pick<ShopOrder, "lines" | "unreadableLines">;

const TWICE = "The order has two different lines with this id";

const known = z.object({
  id: z.union([z.string(), z.number().transform(String)]).catch(""),
  name: z.string().nullable().catch(null),
});

/**
 * Of several lines with one id the last counts: an order that changes between two pages may name a line twice.
 * @param items as the platform sent them
 * @param read parses one; it throws a ZodError, or a RangeError where an amount of money is none
 * @returns lines that ever had an item, and those that cannot be read
 */
export function readOrderLines<Item>(items: readonly Item[], read: (item: Item) => ShopOrderLine): ReadLines {
  const byId = new Map<string, ShopOrderLine>();
  const unreadableLines: ReadLines["unreadableLines"] = [];
  for (const item of items) {
    try {
      const line = read(item);
      const previous = byId.get(line.id);
      if (previous && JSON.stringify(previous) !== JSON.stringify(line))
        unreadableLines.push({ id: line.id, title: cutText(previous.title, 200), problem: TWICE });
      byId.set(line.id, line);
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof RangeError)) throw error;
      const { id, name } = known.safeParse(item).data ?? { id: "", name: null };
      const problem = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
      unreadableLines.push({
        // `gid://shopify/LineItem/1` → `1`
        id: /\d+$/.exec(id)?.[0] ?? null,
        title: name === null ? null : cutText(name, 200),
        problem: cutText(problem, 500),
      });
    }
  }
  return { lines: [...byId.values()].filter(({ quantity }) => quantity > 0), unreadableLines };
}
