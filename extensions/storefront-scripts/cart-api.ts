/** The Ajax cart, the part needed here. */
import type { Line } from "./cart-rules.ts";
import type { Properties } from "./offers.ts";
import { root } from "./root.ts";

/** A line of `/cart.js`. */
export interface Item {
  key: string;
  quantity: number;
  original_price: number;
  title: string;
  handle: string;
  requires_shipping: boolean;
  gift_card: boolean;
  properties: Properties | null;
  parent_relationship?: { parent_key: string };
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

/** `?parasol` marks our own requests. Throws where the platform refuses. */
export async function requestCart(path = "", body?: object): Promise<Cart> {
  const response = await fetch(`${root}cart${path}.js?parasol`, {
    headers: { accept: "application/json", "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`cart${path}: ${response.status}`);
  return (await response.json()) as Cart;
}

/** The handle of a plan product: `handleOf` in app/catalogue/sync/plan-products.ts. */
const planHandle = /^parasol-.+-[\da-f]{8}\b/;

/** A plan that was added by itself, from its own page or by an address, reads as one whose product is not there. */
const ownProperties = ({ handle, requires_shipping, properties }: Item): Properties =>
  properties?.["_parasol_reference"] || requires_shipping || !planHandle.test(handle)
    ? (properties ?? {})
    : { _parasol_reference: "?", _parasol_pair: "?" };

export function linesOf(items: Item[]): TitledLine[] {
  return items.map((item) => ({
    key: item.key,
    // The key starts with the variant's id, as text: ids can be longer than numbers can hold.
    variant: item.key.split(":")[0] ?? "",
    quantity: item.quantity,
    price: item.original_price,
    properties: ownProperties(item),
    parent: item.parent_relationship?.parent_key,
    untouchable: item.gift_card || !item.original_price,
    title: item.title,
  }));
}
