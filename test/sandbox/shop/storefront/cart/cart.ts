/**
 * The rules of Shopify's cart: equal lines merge, nested lines follow their parent, and variants that are not for sale
 * are refused. It works on the state's plain cart; the Ajax API and the pages only translate.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Cart, CartLine, CartProperties, ShopState } from "../../state.ts";
import { type Buyer, buyableVariant, isAvailable, stock } from "../products.ts";

/** Shopify's error instead of a cart. */
export class CartError extends Error {
  override name = "CartError";
  readonly status: number;
  constructor(status: number, description: string) {
    super(description);
    this.status = status;
  }
}

export interface NewLine {
  variantId: string;
  quantity: number;
  properties: CartProperties;
  /** Nested under a line of this variant: one already in the cart, else one of the same request. */
  parentVariantId: string | null;
  parentLineKey: string | null;
}

/** The Ajax `key`. It changes with the properties, so it must not be stored. */
export function lineKey(line: CartLine): string {
  const properties = Object.entries(line.properties).sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash("md5")
    .update(JSON.stringify([line.variantId, properties, line.parentLineId]))
    .digest("hex");
  return `${line.variantId}:${digest}`;
}

/**
 * Adds all of the lines or none of them; returns the resulting lines. Throws CartError 422 if a line is not for sale.
 */
export function addLines(state: ShopState, cart: Cart, items: NewLine[], buyer?: Buyer): CartLine[] {
  const draft = structuredClone(cart.lines);
  const placed: CartLine[] = [];
  for (const item of items) {
    const parent = parentOf(draft, placed, item);
    const line = place(draft, placed, item, parent?.id ?? null);
    checkStock(state, draft, item.variantId, buyer);
    placed.push(line);
  }
  cart.lines = sorted(draft);
  return placed;
}

function parentOf(draft: CartLine[], placed: CartLine[], item: NewLine): CartLine | null {
  if (item.parentVariantId === null && item.parentLineKey === null) return null;
  if (item.parentVariantId !== null && item.parentLineKey !== null)
    throw new CartError(422, "Only one of parent_id and parent_line_key can be given");
  if (item.parentVariantId === item.variantId)
    throw new CartError(422, "A line item cannot be nested under itself");
  const fits = (line: CartLine) =>
    line.parentLineId === null &&
    (item.parentLineKey === null
      ? line.variantId === item.parentVariantId
      : lineKey(line) === item.parentLineKey);
  // Shopify does not document which of several lines of a variant `parent_id` selects: here the one already in the
  // cart.
  const parent = draft.find((line) => fits(line) && !placed.includes(line)) ?? placed.find(fits);
  if (parent === undefined) throw new CartError(422, "Cannot find the parent line item");
  return parent;
}

function place(draft: CartLine[], placed: CartLine[], item: NewLine, parentLineId: string | null): CartLine {
  const line: CartLine = {
    id: randomUUID(),
    variantId: item.variantId,
    quantity: item.quantity,
    properties: item.properties,
    parentLineId,
  };
  const equal = draft.find((each) => lineKey(each) === lineKey(line));
  if (equal !== undefined) {
    equal.quantity += item.quantity;
    return equal;
  }
  // The newest lines come first; lines of one request keep their order.
  draft.splice(placed.filter((each) => draft.includes(each)).length, 0, line);
  return line;
}

/** Sets a line's quantity and, if given, its properties. 0 removes it with its nested lines. */
export function changeLine(
  state: ShopState,
  cart: Cart,
  line: CartLine,
  quantity: number,
  properties?: CartProperties,
): void {
  const draft = structuredClone(cart.lines);
  const changed = draft.find(({ id }) => id === line.id);
  if (changed === undefined) throw new CartError(400, "no valid id or line parameter");
  const more = quantity > changed.quantity;
  changed.quantity = quantity;
  if (properties !== undefined) changed.properties = properties;
  if (more) checkStock(state, draft, changed.variantId);
  cart.lines = sorted(merged(draft.filter((each) => each.quantity > 0)));
}

/** A change of properties can make two lines equal, which then merge. */
function merged(lines: CartLine[]): CartLine[] {
  const kept = new Map<string, CartLine>();
  const renamed = new Map<string, string>();
  for (const line of lines) {
    const twin = kept.get(lineKey(line));
    if (twin === undefined) kept.set(lineKey(line), line);
    else {
      twin.quantity += line.quantity;
      renamed.set(line.id, twin.id);
    }
  }
  for (const line of kept.values())
    line.parentLineId = renamed.get(line.parentLineId ?? "") ?? line.parentLineId;
  return [...kept.values()];
}

/** Children follow their parent; children without one are removed. */
function sorted(lines: CartLine[]): CartLine[] {
  return lines
    .filter(({ parentLineId }) => parentLineId === null)
    .flatMap((parent) => [parent, ...lines.filter(({ parentLineId }) => parentLineId === parent.id)]);
}

function checkStock(state: ShopState, lines: CartLine[], variantId: string, buyer?: Buyer): void {
  const found = buyableVariant(state, variantId, buyer);
  if (found === undefined) throw new CartError(422, "Cannot find variant");
  const { product, variant } = found;
  const name = product.variants.length > 1 ? `${product.title} - ${variant.title}` : product.title;
  if (!isAvailable(variant)) throw new CartError(422, `The product '${name}' is already sold out.`);
  const limit = stock(variant);
  const wanted = lines
    .filter((line) => line.variantId === variantId)
    .reduce((sum, line) => sum + line.quantity, 0);
  if (limit !== null && wanted > limit)
    throw new CartError(422, `You can only add ${limit} ${name} to the cart.`);
}
