/** Adds a plan to a product that is already in the cart. */
import { linesOf, requestCart, type TitledLine } from "./cart-api.ts";
import { isPlan, uninsuredItems } from "./cart-rules.ts";
import { type Choice, pairOf, planItem } from "./plan-item.ts";
import { propose } from "./memory.ts";
import { publish } from "./publish-event.ts";

/**
 * Adds a plan for a number of a line's items: sets the line's pair, then nests the plan under it. It reads the cart
 * first, because another tab may have changed it.
 * @returns name of the text with the result; "" if every item is insured already
 */
export async function insure(
  { key, variant, properties: shown }: TitledLine,
  pieces: number,
  choice: Choice,
  touchpoint: string,
) {
  const all = linesOf((await requestCart()).items);
  const lines = all.filter((line) => !isPlan(line) && line.variant === variant);
  // A line's key changes with its pair. An earlier attempt may have set the pair before it failed.
  const line =
    lines.find((each) => each.key === key) ??
    lines.find(({ properties }) => pairOf(variant, properties) === pairOf(variant, shown));
  const missing = line ? Math.min(pieces, uninsuredItems(line, all)) : 0;
  // Another tab insured or removed it: the next sync shows the current cart.
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
  // A market's price list can charge another price than the accepted one.
  if (items.some((added) => added.original_price !== choice.offer.price)) {
    await requestCart("/update", { updates: Object.fromEntries(items.map((added) => [added.key, 0])) });
    return "refused";
  }
  propose(line);
  publish("added", touchpoint, variant, choice.offer.reference);
  return "added";
}
