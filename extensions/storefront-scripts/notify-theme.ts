/**
 * Lets the theme show a changed cart, in each way that themes know. An asset of its own: it loads only after a change by
 * this app.
 */
import type { Cart } from "./cart-api.ts";
import { findDrawers, lineLinks } from "./drawer.ts";

/** Requests of theme families to draw the cart again. None of them opens a drawer. */
const redrawEvents = [
  "cart:refresh",
  "cart:build",
  "theme:cart:reload",
  "theme:cart:refresh",
  "theme:cartchanged",
];

/** How long a theme may take to draw its lines again. */
const REDRAW_MS = 2_500;

/** @returns false if a part of the page still shows the previous cart: then only a page that is loaded again is right */
export async function notifyTheme(cart: Cart): Promise<boolean> {
  updateCounters(cart.item_count);
  const lists = cartLists();
  const redraws = lists.map(redrawOf);
  await dispatchEvents(cart);
  // Horizon and themes of its kind draw everything.
  if (document.querySelector("cart-items-component")) return true;
  const isRendered = await renderSections(lists);
  return isRendered && !(await Promise.all(redraws)).includes(false);
}

async function dispatchEvents(cart: Cart): Promise<void> {
  // Shopify's standard storefront event.
  const promise = Promise.resolve({
    cart: {
      totalQuantity: cart.item_count,
      cost: { totalAmount: { amount: String(cart.total_price / 100), currencyCode: cart.currency } },
      lines: [],
    },
    detail: { items: cart.items, source: "parasol" },
  });
  const event = new Event("shopify:cart:lines-update", { bubbles: true });
  document.dispatchEvent(
    Object.assign(event, { action: "update", context: "cart", lines: [], promise, parasol: true }),
  );
  for (const name of redrawEvents)
    document.documentElement.dispatchEvent(new CustomEvent(name, { bubbles: true, detail: { cart } }));
  // An element with the lines that fetches them itself.
  for (const list of document.querySelectorAll<Element & { getCart?: () => void }>("cart-items"))
    list.getCart?.();
  // Dawn and themes based on it.
  try {
    await window.publish?.("cart-update", { source: "parasol", cartData: cart });
  } catch {
    // A listener of the theme failed. Its sections are rendered again below.
  }
}

/** Numbers beside the cart's icon: a small element that names cart and count, and contains a number alone. */
function updateCounters(count: number): void {
  const named = '[class*="cart" i][class*="count" i], [id*="cart" i][id*="count" i], [data-cart-count]';
  for (const counter of document.querySelectorAll(named)) {
    const text = counter.textContent.trim();
    if (!counter.childElementCount && /^\(?\d+\)?$/.test(text))
      counter.textContent = text.replace(/\d+/, `${count}`);
  }
}

const quantities = '[name="updates[]"], [name^="updates["], [data-quantity-input]';

/**
 * The lists of lines that only the theme can draw: its drawer, and those whose listeners its script has put on the rows.
 * New HTML would have none. In a cart page's custom element rows bring their listeners along.
 */
function cartLists(): Element[] {
  const rows = [...document.querySelectorAll(quantities)].filter((field) => !isInCustomElement(field));
  const lists = rows.map((row) => row.closest("form, .shopify-section") ?? document.body);
  return [...new Set([...findDrawers().map(({ drawer }) => drawer), ...lists])];
}

function isInCustomElement(element: Element): boolean {
  const parent = element.parentElement;
  if (!parent || parent.matches(".shopify-section, body")) return false;
  // An element for the quantity alone is replaced together with its row.
  return (parent.localName.includes("-") && !!parent.querySelector(lineLinks)) || isInCustomElement(parent);
}

const lineParts = `:is(${lineLinks}, ${quantities}):not(parasol-cart *)`;

/** The smallest part of a list that has all its lines. */
function findRows(list: Element): Element | undefined {
  const parts = [...list.querySelectorAll(lineParts)];
  let rows = parts[0];
  while (rows && !parts.every((part) => rows?.contains(part))) rows = rows.parentElement ?? undefined;
  return rows;
}

/**
 * Whether the theme draws a list again in time: its lines. A drawer can have a countdown as well, which changes by
 * itself.
 */
function redrawOf(list: Element): Promise<boolean> {
  const rows = findRows(list);
  const hasLines = (node: Node) =>
    node instanceof Element && !!(node.matches(lineParts) || node.querySelector(lineParts));
  return new Promise((resolve) => {
    const isByTheme = ({ target, addedNodes, removedNodes }: MutationRecord) =>
      list.contains(target) &&
      !(target as Element).closest("parasol-cart, .parasol__live") &&
      (!rows || rows.contains(target) || [...addedNodes, ...removedNodes].some(hasLines));
    const observer = new MutationObserver((records) => {
      if (!list.isConnected || records.some(isByTheme)) finish(true);
    });
    const timer = setTimeout(() => finish(false), REDRAW_MS);
    const finish = (isRedrawn: boolean) => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(isRedrawn);
    };
    observer.observe(document, { childList: true, subtree: true });
  });
}

/**
 * Dawn does not redraw its totals and counter, and other themes redraw nothing. So the sections that can take new HTML
 * are taken from the page, as the shop renders it now. @returns false if one of them is not in it
 */
async function renderSections(lists: Element[]): Promise<boolean> {
  const places = [...document.querySelectorAll("main .shopify-section, #cart-icon-bubble")].filter(
    (place) =>
      place.matches(`#cart-icon-bubble, :has(parasol-cart, ${quantities})`) &&
      !lists.some((list) => list.contains(place) || place.contains(list)),
  );
  if (!places.length) return true;
  // No answer at all: a page that is loaded again would not come either.
  const response = await fetch(location.href).catch(() => undefined);
  if (!response) return true;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const isDrawn = places.map((place) => {
    const section = page.getElementById(place.id);
    if (section) place.replaceChildren(...section.childNodes);
    return !!section;
  });
  return !isDrawn.includes(false);
}
