/** Shopify's global ids: `gid://shopify/Product/1`. The app itself uses the numeric part, as a string. */

type Kind =
  | "Collection"
  | "DraftOrder"
  | "LineItem"
  | "Order"
  | "PriceList"
  | "Product"
  | "ProductSetOperation"
  | "ProductVariant"
  | "Publication";

export function gid(kind: Kind, id: string): string {
  return `gid://shopify/${kind}/${id}`;
}

/** `gid://shopify/Product/1` → `1`. @throws RangeError */
export function numericId(globalId: string): string {
  const id = /^gid:\/\/shopify\/\w+\/(\d+)(?:\?.*)?$/.exec(globalId)?.[1];
  if (id === undefined) throw new RangeError(`Not a global id: ${globalId}`);
  return id;
}
