/**
 * What the platform itself runs on every storefront: the standard actions with their default behaviour, and the
 * buy-now button. The defaults write to the cart, then refresh the carts they recognise, else they load the page again.
 */

/** @typedef {{ id?: string, merchandiseId?: string, quantity?: number, attributes?: { key: string, value: string }[], parent?: { merchandiseId?: string, lineId?: string } }} ActionLine */

/** @param {string} path @param {object} body @returns {Promise<any>} */
async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** @param {string | undefined} gid */
const idOf = (gid) => gid?.split("/").pop()?.split("?")[0] ?? "";

/** A cart in the shape of the standard events. @param {any} cart */
function standardCart(cart) {
  return {
    id: `gid://shopify/Cart/${cart.token}`,
    totalQuantity: cart.item_count,
    cost: { totalAmount: { amount: String(cart.total_price / 100), currencyCode: cart.currency } },
    lines: cart.items.map((/** @type {any} */ item) => ({
      id: item.key,
      quantity: item.quantity,
      merchandise: { id: `gid://shopify/ProductVariant/${item.variant_id}` },
      attributes: Object.entries(item.properties).map(([key, value]) => ({ key, value })),
    })),
  };
}

/** @type {Record<string, any>} */
const configured = {};

/** @param {string} name @param {(input: any) => Promise<any>} handler */
function action(name, handler) {
  const call = (/** @type {any} */ input) => (configured[name]?.handler ?? handler)(input);
  return Object.assign(call, {
    configure: (/** @type {object} */ options) => {
      configured[name] = { ...configured[name], ...options };
    },
    isDefault: () => configured[name]?.handler === undefined,
  });
}

/** @param {{ lines?: ActionLine[] }} input */
async function updateCart({ lines = [] }) {
  /** @type {(value: any) => void} */
  let resolve = () => undefined;
  const promise = new Promise((done) => (resolve = done));
  const event = Object.assign(new Event("shopify:cart:lines-update", { bubbles: true }), {
    action: "add",
    context: "external",
    lines,
    promise,
  });
  const target = configured["updateCart"]?.eventTarget?.() ?? document;
  target.dispatchEvent(event);
  const added = lines.filter((line) => line.merchandiseId !== undefined);
  let refused = null;
  if (added.length > 0) {
    const answer = await post("/cart/add.js", {
      items: added.map((line) => ({
        id: idOf(line.merchandiseId),
        quantity: line.quantity ?? 1,
        properties: Object.fromEntries((line.attributes ?? []).map(({ key, value }) => [key, value])),
        ...(line.parent?.merchandiseId === undefined ? {} : { parent_id: idOf(line.parent.merchandiseId) }),
        ...(line.parent?.lineId === undefined ? {} : { parent_line_key: line.parent.lineId }),
      })),
    });
    if (answer.status) refused = answer.description;
  }
  for (const line of lines)
    if (line.merchandiseId === undefined)
      await post("/cart/change.js", { id: line.id, quantity: line.quantity });
  const cart = await (await fetch("/cart.js")).json();
  const result = {
    cart: standardCart(cart),
    userErrors: refused === null ? [] : [{ message: refused }],
    warnings: [],
  };
  resolve({ ...result, detail: {} });
  const { publish } = /** @type {any} */ (window);
  if (typeof publish === "function" && document.querySelector("cart-items, cart-drawer-items"))
    await publish("cart-update", { source: "standard-action", cartData: cart });
  else if (document.querySelector("cart-items-component") === null) location.reload();
  return result;
}

async function openCart() {
  const drawer = /** @type {any} */ (document.querySelector("cart-drawer"));
  if (typeof drawer?.open === "function") drawer.open();
  else location.assign("/cart");
}

async function getCart() {
  return { cart: standardCart(await (await fetch("/cart.js")).json()) };
}

/** @type {any} */ (window).Shopify.actions = {
  updateCart: action("updateCart", updateCart),
  openCart: action("openCart", openCart),
  getCart,
};

// Buy now: the product of its form alone, straight to the checkout.
document.addEventListener("click", (event) => {
  const button =
    event.target instanceof Element ? event.target.closest(".shopify-payment-button__button") : null;
  const form = button?.closest("form");
  if (!form) return;
  const data = new FormData(form);
  location.assign(`/cart/${String(data.get("id"))}:${String(data.get("quantity") ?? 1)}`);
});
