/** The cart was changed by us: the theme is told in each of the ways in which themes listen. */
import type { Cart } from "./cart-api.ts";

export async function tellTheme(cart: Cart): Promise<void> {
  // Standard storefront event: Horizon and what follows it draw their carts anew.
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
  // Dawn and its children.
  await window.publish?.("cart-update", { source: "parasol", cartData: cart });
  // Dawn leaves its totals and its counter, other themes everything: their sections are rendered anew.
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
