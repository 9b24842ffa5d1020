/** In the browser: Shopify's APIs for an extension in a page of the stand-in's shop, and the height of its frame. */
import type { Host } from "./page.ts";

declare const host: Host;
interface CartLinesChange {
  merchandiseId: string;
  quantity: number;
  attributes: object[];
  parent: object;
}

// Saved before host.ts replaces fetch for the extension's requests.
const networkFetch = globalThis.fetch.bind(globalThis);

async function query(text: string, variables: unknown): Promise<unknown> {
  const response = await networkFetch(`/api/${host.apiVersion}/graphql.json`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-shopify-storefront-access-token": host.storefrontToken ?? "",
    },
    body: JSON.stringify({ query: text, variables }),
  });
  return response.json();
}

async function ask(what: string, body: unknown = null): Promise<unknown> {
  const address = `${location.pathname}/${what}${location.search}`;
  const response = await networkFetch(address, { method: "POST", body: JSON.stringify(body) });
  return response.json();
}

async function cartLinesChange({ merchandiseId, quantity, attributes, parent }: CartLinesChange) {
  const answer = await query(
    `mutation ($cart: ID!, $lines: [CartLineInput!]!) {
      cartLinesAdd(cartId: $cart, lines: $lines) { userErrors { message } } }`,
    { cart: host.cart, lines: [{ merchandiseId, quantity, attributes, parent }] },
  );
  const isDone = JSON.stringify(answer).includes('"userErrors":[]');
  return { result: { type: isDone ? "success" : "error" }, lines: await ask("lines") };
}

Object.assign(globalThis, {
  cartLinesChange: async (change: CartLinesChange) => {
    const changed = await cartLinesChange(change);
    // The surrounding page shows the cart, too.
    window.parent.dispatchEvent(new Event("cart-changed"));
    return changed;
  },
  customerAccountApi: (request: unknown) => ask("customer-account-api", request),
  sessionToken: () => ask("session-token"),
  storefrontQuery: query,
});

document.body.classList.add("framed");
new ResizeObserver(() => {
  window.frameElement?.setAttribute("height", String(document.body.scrollHeight));
}).observe(document.body);
