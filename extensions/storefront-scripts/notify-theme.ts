/**
 * Notifies the theme of cart changes, in each way that themes listen for. An asset of its own: it loads only after such
 * a change.
 */
import type { Cart } from "./cart-api.ts";

export async function notifyTheme(cart: Cart): Promise<void> {
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
  if (document.querySelector("cart-items-component")) return;
  // Dawn and themes based on it.
  await window.publish?.("cart-update", { source: "parasol", cartData: cart });
  // Dawn does not redraw its totals and counter, and other themes redraw nothing. So their sections are rendered again.
  const sections = [...document.querySelectorAll("main .shopify-section")].filter((each) =>
    each.querySelector("parasol-cart, [name='updates[]']"),
  );
  const places = new Map(sections.map((each) => [each.id.replace("shopify-section-", ""), each]));
  const bubble = document.getElementById("cart-icon-bubble");
  if (bubble) places.set("cart-icon-bubble", bubble);
  if (!places.size) return;
  const response = await fetch(`${location.pathname}?sections=${[...places.keys()].slice(0, 5).join()}`);
  const html = (await response.json()) as Record<string, string | null>;
  for (const [id, place] of places) {
    const fresh = new DOMParser()
      .parseFromString(html[id] ?? "", "text/html")
      .querySelector(".shopify-section");
    if (fresh) place.replaceChildren(...fresh.childNodes);
  }
}
