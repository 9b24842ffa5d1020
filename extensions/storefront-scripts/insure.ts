/** Insuring a product that is already in the cart. */
import { linesOf, requestCart, type TitledLine } from "./cart-api.ts";
import { isPlan, uninsuredItems } from "./cart-rules.ts";
import { type Choice, pairOf, planItem } from "./offers.ts";
import { propose } from "./memory.ts";

/**
 * Adds a plan to a line that is in the cart, for a number of its items: marks the line with its pair, then nests the
 * plan under it. The cart is read first, because another tab may have changed it.
 * @returns name of the text that says how it ended; "" where nothing was left to insure
 */
export async function insure(
  { key, variant, properties: shown }: TitledLine,
  pieces: number,
  choice: Choice,
  touchpoint: string,
) {
  const all = linesOf((await requestCart()).items);
  const lines = all.filter((line) => !isPlan(line) && line.variant === variant);
  // A line's key changes with its pair, which an earlier try may have set before it failed.
  const line =
    lines.find((each) => each.key === key) ??
    lines.find(({ properties }) => pairOf(variant, properties) === pairOf(variant, shown));
  const missing = line ? Math.min(pieces, uninsuredItems(line, all)) : 0;
  // Insured or removed elsewhere: the sync that follows shows the cart as it is.
  if (!line || missing <= 0) return "";
  const { quantity, properties } = line;
  const pair = properties["_parasol_pair"] ?? pairOf(variant, properties);
  let parent = line.key;
  if (!properties["_parasol_pair"]) {
    const { items } = await requestCart("/change", {
      id: parent,
      quantity,
      properties: { ...properties, _parasol_pair: pair },
    });
    parent =
      linesOf(items).find((each) => each.variant === variant && each.properties["_parasol_pair"] === pair)
        ?.key ?? parent;
  }
  const { items } = await requestCart("/add", {
    items: [{ ...planItem(choice, pair, missing, touchpoint), parent_line_key: parent }],
  });
  // A market's price list can charge another price than the one that the shopper agreed to.
  if (items.some((added) => added.original_price !== choice.offer[1])) {
    await requestCart("/update", { updates: Object.fromEntries(items.map((added) => [added.key, 0])) });
    return "refused";
  }
  propose(line);
  return "added";
}
