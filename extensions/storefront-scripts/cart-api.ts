/** The Ajax cart, the part needed here. */
import type { Line } from "./cart-rules.ts";
import type { Properties } from "./plan-item.ts";
import { root } from "./root.ts";

/** A line of `/cart.js`, or of those that snippets/parasol-cart.liquid embeds. */
export interface Item {
  key: string;
  quantity: number;
  original_price: number;
  title: string;
  gift_card: boolean;
  properties: Properties | null;
  parent_relationship?: { parent_key: string };
  /** Embedded only: the product has the tag of plan products. */
  plan?: boolean;
}

export interface Cart {
  item_count: number;
  total_price: number;
  currency: string;
  attributes: Record<string, string>;
  items: Item[];
}

export interface TitledLine extends Line {
  title: string;
}

/** `?parasol` marks our own requests. Throws where Shopify refuses. */
export async function requestCart(path = "", body?: object): Promise<Cart> {
  const response = await fetch(`${root}cart${path}.js?parasol`, {
    headers: { "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`cart${path}: ${response.status}`);
  return (await response.json()) as Cart;
}

/** Variants of plans. Only the tag says so for certain, and only Liquid reads it. */
const plans = new Set<string>();

/** A plan that was added by itself, from its own page or by an address, reads as one whose product is not there. */
function propertiesOf({ properties, plan }: Item, variant: string): Properties {
  if (plan) plans.add(variant);
  return plans.has(variant) && !properties?.["_parasol_reference"]
    ? { _parasol_reference: "?", _parasol_pair: "?" }
    : (properties ?? {});
}

export function linesOf(items: Item[]): TitledLine[] {
  return items.map((item) => {
    // The key starts with the variant's id, as text: ids can be longer than numbers can hold.
    const variant = item.key.split(":")[0] ?? "";
    return {
      key: item.key,
      variant,
      quantity: item.quantity,
      price: item.original_price,
      properties: propertiesOf(item, variant),
      parent: item.parent_relationship?.parent_key,
      isLocked: item.gift_card || !item.original_price,
      title: item.title,
    };
  });
}
