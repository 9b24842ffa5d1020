/** Reads the lines of an order one by one: a line that cannot be read does not take the others with it. */
import { z } from "zod";
import { cutText } from "#app/platform/storable-text.ts";
import type { ShopOrder, ShopOrderLine } from "./order.ts";

/** A number of pieces that the database can keep. */
export const pieces = z.int().min(0).max(2_147_483_647);

type ReadLines = Pick<ShopOrder, "lines" | "unreadableLines">;

const known = z.object({
  id: z.union([z.string(), z.number().transform(String)]).catch(""),
  name: z.string().nullable().catch(null),
});

/**
 * @param items as the platform sent them
 * @param read parses one; it throws a ZodError, or a RangeError where an amount of money is none
 * @returns lines that ever had a piece, and those that cannot be read
 */
export function readOrderLines(items: readonly unknown[], read: (item: unknown) => ShopOrderLine): ReadLines {
  const result: ReadLines = { lines: [], unreadableLines: [] };
  for (const item of items) {
    try {
      const line = read(item);
      if (line.quantity > 0) result.lines.push(line);
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof RangeError)) throw error;
      const { id, name } = known.safeParse(item).data ?? { id: "", name: null };
      const problem = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
      result.unreadableLines.push({
        // `gid://shopify/LineItem/1` → `1`
        id: /\d+$/.exec(id)?.[0] ?? null,
        title: name === null ? null : cutText(name, 200),
        problem: cutText(problem, 500),
      });
    }
  }
  return result;
}
