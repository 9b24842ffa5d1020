/**
 * Notifies the theme of cart changes, in each way that themes listen for. An asset of its own: it loads only after such
 * a change.
 */
import type { Cart } from "./cart-api.ts";

/** @returns false if the shop has answered without a part of the page that shows the cart: that part stays stale */
export async function notifyTheme(cart: Cart): Promise<boolean> {
  // Standard storefront event: Horizon and similar themes redraw their carts.
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
  if (document.querySelector("cart-items-component")) return true;
  // Dawn and themes based on it.
  try {
    await window.publish?.("cart-update", { source: "parasol", cartData: cart });
  } catch {
    // A listener of the theme failed. Its sections are rendered again below.
  }
  // Dawn does not redraw its totals and counter, and other themes redraw nothing. So their sections are rendered again.
  const sections = [...document.querySelectorAll("main .shopify-section")].filter((each) =>
    each.querySelector("parasol-cart, [name='updates[]']"),
  );
  const places = new Map(sections.map((each) => [each.id.replace("shopify-section-", ""), each]));
  const bubble = document.getElementById("cart-icon-bubble");
  if (bubble) places.set("cart-icon-bubble", bubble);
  if (!places.size) return true;
  const fresh = (await fetchSections([...places.keys()])) ?? (await fetchPage());
  // No answer at all: a page that is loaded again would not come either.
  if (!fresh) return true;
  const isDrawn = [...places].map(([id, place]) => {
    const section = fresh(id);
    if (section) place.replaceChildren(...section.childNodes);
    return !!section;
  });
  return !isDrawn.includes(false);
}

/** Finds a section, as the shop renders it now. */
type Rendered = (id: string) => Element | null;

const parse = (html: string) => new DOMParser().parseFromString(html, "text/html");

/** Undefined where the page cannot render its sections as JSON: pages of app proxies answer HTML. */
async function fetchSections(ids: string[]): Promise<Rendered | undefined> {
  try {
    const response = await fetch(`${location.pathname}?sections=${ids.slice(0, 5).join()}`);
    const sections = (await response.json()) as Record<string, string | null>;
    if (ids.some((id) => !sections[id])) return undefined;
    return (id) => parse(sections[id] ?? "").querySelector(".shopify-section");
  } catch {
    return undefined;
  }
}

/** The whole page. Undefined where it does not come. */
async function fetchPage(): Promise<Rendered | undefined> {
  try {
    const page = parse(await (await fetch(location.href)).text());
    return (id) => page.getElementById(`shopify-section-${id}`) ?? page.getElementById(id);
  } catch {
    return undefined;
  }
}
