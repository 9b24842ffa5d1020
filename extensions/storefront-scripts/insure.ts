/** Insuring a product that is already in the cart. */
import { linesOf, requestCart, type TitledLine } from "./cart-api.ts";
import { isPlan } from "./cart-rules.ts";
import { type Choice, pairOf, planItem } from "./offers.ts";
import { propose } from "./proposals.ts";

/**
 * Adds a plan to a line that is in the cart: marks the line with its pair, then nests the plan under it. The cart is
 * read first, because another tab may have changed it.
 */
export async function insure({ key, variant }: TitledLine, choice: Choice, touchpoint: string) {
  const lines = linesOf((await requestCart()).items).filter(
    (line) => !isPlan(line) && line.variant === variant,
  );
  const line = lines.find((each) => each.key === key) ?? lines[0];
  if (!line) throw new Error(`${variant} is not in the cart`);
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
  await requestCart("/add", {
    items: [{ ...planItem(choice, pair, quantity, touchpoint), parent_line_key: parent }],
  });
  propose(line);
}
