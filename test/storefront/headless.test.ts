/** The example of docs/storefront.md runs against the stand-in's Storefront API, until the order is paid. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Script } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { turnOnCartRule } from "#test/sandbox/shop/functions/cart-validation.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { putMetafield } from "#test/sandbox/shop/metafields.ts";
import { STOREFRONT_TOKEN } from "#test/sandbox/shop/storefront/storefront-api.ts";
import { payCheckout } from "./pay-checkout.ts";
import { openTestShop } from "./shop.ts";
import type { TestShop } from "./shop.ts";

let shop: TestShop;
let example: unknown;
beforeAll(async () => {
  shop = await openTestShop();
  turnOnCartRule(shop.sandbox);
  const page = await readFile(join(import.meta.dirname, "../../docs/storefront.md"), "utf8");
  const [, code = ""] = /```js\n([\s\S]*?)\n```/.exec(page) ?? [];
  // As documented: a developer copies it.
  expect(code.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(20);
  example = new Script(`${code}\nbuy`).runInThisContext();
});
afterAll(() => shop.close());

const answer = z.object({
  cart: z.object({ id: z.string(), checkoutUrl: z.string() }).nullable(),
  userErrors: z.array(z.object({ message: z.string() })),
});
const consent = `hBaevruKGrx- ${new Date().toISOString()}`;
const variantOf = (title: string) =>
  [...shop.state.products.values()].flatMap(({ variants }) => variants).find((each) => each.title === title)
    ?.id ?? "";

async function buy(more: object = {}) {
  if (typeof example !== "function") throw new Error("docs/storefront.md has no example");
  const given = {
    shop: shop.origin,
    token: STOREFRONT_TOKEN,
    variantId: variantOf("128 Go"),
    quantity: 2,
    offer: { reference_id: "SMA-400-24", plan_variant_id: shop.planVariant("SMA-400-24") },
    consent,
    ...more,
  };
  return answer.parse(await Reflect.apply(example, undefined, [given]));
}

async function ask(query: string, variables: object = {}) {
  const response = await fetch(`${shop.origin}/api/2026-07/graphql.json`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-shopify-storefront-access-token": STOREFRONT_TOKEN },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as unknown;
}

it("puts product and plan into one cart, nested and tied, and the paid order says so", async () => {
  const { cart, userErrors } = await buy();
  expect(userErrors).toEqual([]);
  const variant = variantOf("128 Go");
  expect(
    await ask(
      `query ($id: ID!) { cart(id: $id) { totalQuantity lines(first: 9) { nodes { quantity attributes { key value }
        ... on CartLine { parentRelationship { parent { merchandise { ... on ProductVariant { id } } } } } } } } }`,
      { id: cart?.id },
    ),
  ).toMatchObject({
    data: {
      cart: {
        totalQuantity: 4,
        lines: {
          nodes: [
            { quantity: 2, parentRelationship: null },
            {
              quantity: 2,
              parentRelationship: {
                parent: { merchandise: { id: `gid://shopify/ProductVariant/${variant}` } },
              },
            },
          ],
        },
      },
    },
  });
  const paid = await payCheckout(shop, cart?.checkoutUrl ?? "");
  expect(paid.status).toBe(303);
  const order = shop.state.orders.get(paid.headers.get("location")?.split("/").at(-1) ?? "");
  const [product, plan] = order?.lines ?? [];
  expect(plan?.parentLineId).toBe(product?.id);
  expect(Object.fromEntries(plan?.properties.map(({ name, value }) => [name, value]) ?? [])).toEqual({
    _parasol_pair: variant,
    _parasol_variant: variant,
    _parasol_reference: "SMA-400-24",
    _parasol_touchpoint: "mobile_app",
    _parasol_consent: consent,
  });
});

it("is refused at the checkout where the plan is of another price band", async () => {
  const { cart } = await buy({ variantId: variantOf("512 Go") });
  expect((await payCheckout(shop, cart?.checkoutUrl ?? "")).status).toBe(303);
  const owner = gid("ProductVariant", shop.planVariant("SMA-400-24"));
  putMetafield(shop.state, owner, "$app", "band", "json", '[40000,59999,"EUR"]');
  const refused = await buy({ variantId: variantOf("512 Go") });
  const answered = await payCheckout(shop, refused.cart?.checkoutUrl ?? "");
  expect(answered.status).toBe(422);
  expect(await answered.text()).toContain("ne correspond pas à l’article");
});

it("takes further lines under a line that is there, and refuses what the schema or the cart does not know", async () => {
  const add = `mutation ($cart: ID!, $lines: [CartLineInput!]!) {
    cartLinesAdd(cartId: $cart, lines: $lines) { cart { totalQuantity } userErrors { message } } }`;
  const { cart } = await buy();
  const line = [...shop.state.carts.values()].at(-1)?.lines[0]?.id ?? "";
  const planId = `gid://shopify/ProductVariant/${shop.planVariant("SMA-400-12")}`;
  const under = (lineId: string) => [{ merchandiseId: planId, parent: { lineId } }];
  expect(await ask(add, { cart: cart?.id, lines: under(`gid://shopify/CartLine/${line}`) })).toMatchObject({
    data: { cartLinesAdd: { cart: { totalQuantity: 5 }, userErrors: [] } },
  });
  expect(await ask(add, { cart: cart?.id, lines: under("gid://shopify/CartLine/none") })).toMatchObject({
    data: { cartLinesAdd: { cart: null, userErrors: [{ message: "The parent line does not exist." }] } },
  });
  expect(
    await ask(add, { cart: cart?.id, lines: [{ merchandiseId: planId, properties: {} }] }),
  ).toHaveProperty("errors");
  const unknown = { reference_id: "x", plan_variant_id: "1" };
  expect((await buy({ offer: unknown })).userErrors).toEqual([{ message: "Cannot find variant" }]);
});
