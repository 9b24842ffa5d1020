/** POST /proxy/cart: a headless shop sends a cart and gets the storefront's corrections. */
import { beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { action } from "#app/routes/proxy.cart.tsx";
import { applyRules, compactCatalogues, sync } from "#test/catalogue/world.ts";
import { connectShop } from "#test/install.ts";
import { conforms } from "#test/openapi/proxy-document.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { cases } from "#test/storefront/cart-cases.ts";
import { otherShop, secrets, shop } from "#test/world.ts";

const PHONES = "Smartphone casse et vol";
const offer = z
  .object({ reference_id: z.string(), plan_variant_id: z.string(), term: z.int(), price: z.int() })
  .nullable();
const answer = z.object({
  changes: z.array(z.object({ key: z.string(), quantity: z.int() })),
  proposals: z.array(z.object({ plan_key: z.string(), product_key: z.string(), offer })),
  missing: z.array(z.object({ plan_key: z.string(), product_key: z.string(), quantity: z.int(), offer })),
});

function post(body: string, domain = shop.shopDomain, secret = secrets.apiSecret) {
  const signed = signedQuery(new URLSearchParams(), "/apps/parasol", {
    shopDomain: domain,
    apiSecret: secret,
  });
  const request = new Request(`http://app.test/proxy/cart?${signed.toString()}`, { method: "POST", body });
  return action({ request, params: {}, context: {} });
}
async function needs(lines: object[], buyer?: object) {
  const response = await post(JSON.stringify({ lines, buyer }));
  expect(response.status).toBe(200);
  await conforms("post /cart", response);
  return answer.parse(await response.json());
}

beforeAll(async () => {
  await connectShop();
  await applyRules([
    { id: "phones", conditions: [{ field: "product_type", value: "Smartphone" }], categoryId: PHONES },
  ]);
  await sync();
});

describe("the table of cases that the storefront keeps", () => {
  test.each(cases)("%s", async (_name, lines, changes, missing = {}) => {
    const given = lines.map(({ key, variant, quantity, price, properties, parent, isLocked }) => ({
      key,
      quantity,
      price,
      properties,
      parent,
      // The table's plans have names where Shopify has numbers.
      variant_id: /^\d+$/.test(variant) ? variant : "9",
      gift: isLocked ?? false,
    }));
    const received = await needs(given);
    expect(Object.fromEntries(received.changes.map(({ key, quantity }) => [key, quantity]))).toEqual(changes);
    expect(received.proposals).toEqual([]);
    expect(
      Object.fromEntries(received.missing.map(({ plan_key, quantity }) => [plan_key, quantity])),
    ).toEqual(missing);
    // The app has no data of their product.
    for (const { offer } of received.missing) expect(offer).toBeNull();
  });
});

it("takes out a plan that no longer fits the price, and proposes the same term at its new price", async () => {
  const [product] = [...shop.state.products.values()].filter(
    ({ productType }) => productType === "Smartphone",
  );
  const insured = product?.variants[0]?.id ?? "";
  const [low, high] = compactCatalogues().get(PHONES)?.bands ?? [];
  const { term, price, variant: planVariant, reference } = low?.offers[1] ?? {};
  const pair = { _parasol_pair: insured };
  const lines = (now: number, items = 2) => [
    { key: "phone", variant_id: insured, quantity: items, price: now, properties: pair },
    {
      key: "plan",
      variant_id: planVariant,
      quantity: 2,
      price,
      parent: "phone",
      properties: { ...pair, _parasol_variant: insured, _parasol_reference: reference },
    },
  ];
  expect(await needs(lines(low?.min ?? 0))).toEqual({ changes: [], proposals: [], missing: [] });
  // More items: the accepted plan stays, and the shopper decides about the others.
  expect(await needs(lines(low?.min ?? 0, 5))).toEqual({
    changes: [],
    proposals: [],
    missing: [
      {
        plan_key: "plan",
        product_key: "phone",
        quantity: 3,
        offer: { reference_id: reference, plan_variant_id: planVariant, term, price },
      },
    ],
  });
  const received = await needs(lines(high?.min ?? 0));
  const fitting = high?.offers.find((offer) => offer.term === term);
  expect(received).toEqual({
    changes: [{ key: "plan", quantity: 0 }],
    proposals: [
      {
        plan_key: "plan",
        product_key: "phone",
        offer: {
          reference_id: fitting?.reference,
          plan_variant_id: fitting?.variant,
          term,
          price: fitting?.price,
        },
      },
    ],
    missing: [],
  });
  expect((await needs(lines(99_000_000))).proposals).toMatchObject([{ offer: null }]);
});

it("knows a plan without properties by its variant, and the product by the line that it is nested under", async () => {
  const [band] = compactCatalogues().get(PHONES)?.bands ?? [];
  const { min = 0 } = band ?? {};
  const { price, variant: planVariant } = band?.offers[0] ?? {};
  const lines = [
    { key: "phone", variant_id: "9", quantity: 1, price: min, properties: {} },
    { key: "plan", variant_id: planVariant, quantity: 2, price, parent: "phone", properties: {} },
  ];
  expect((await needs(lines)).changes).toEqual([{ key: "plan", quantity: 1 }]);
  expect((await needs(lines, { company: true })).changes).toEqual([{ key: "plan", quantity: 0 }]);
});

it("takes the plans out of a cart whose buyer may not be sold any", async () => {
  const [band] = compactCatalogues().get(PHONES)?.bands ?? [];
  const { price, variant: planVariant, reference } = band?.offers[0] ?? {};
  const pair = { _parasol_pair: "9" };
  const lines = [
    { key: "phone", variant_id: "9", quantity: 1, price: 10_000, properties: pair },
    {
      key: "plan",
      variant_id: planVariant,
      quantity: 1,
      price,
      properties: { ...pair, _parasol_reference: reference },
    },
  ];
  const removed = [{ key: "plan", quantity: 0 }];
  expect((await needs(lines, { country: "FR", postcode: "75020", company: false })).changes).toEqual([]);
  expect((await needs(lines, { country: "FR", postcode: "97400" })).changes).toEqual(removed);
  expect((await needs(lines, { company: true })).changes).toEqual(removed);
  expect((await needs(lines, { currency: "CHF" })).changes).toEqual(removed);
});

it("refuses what is not signed by Shopify, what is no cart, and shops without the app", async () => {
  const cart = JSON.stringify({ lines: [] });
  expect((await post(cart, shop.shopDomain, "another")).status).toBe(401);
  const refusals = [await post("not JSON"), await post(cart, otherShop.shopDomain)];
  expect(refusals.map(({ status }) => status)).toEqual([400, 404]);
  for (const refusal of refusals) await conforms("post /cart", refusal);
});

describe("a cart that is sent", () => {
  const line = { key: "a", variant_id: "11", quantity: 1, price: 0 };
  const statusOf = async (lines: object[]) => (await post(JSON.stringify({ lines }))).status;

  it("has lines with what the rules need, up to their bounds; the rest may be missing", async () => {
    const most = {
      key: "k".repeat(500),
      variant_id: "1".repeat(20),
      quantity: 1_000_000,
      price: 1,
      properties: { ["n".repeat(200)]: "v".repeat(2_000) },
      parent: null,
      gift: true,
    };
    expect(await needs([line, most])).toEqual({ changes: [], proposals: [], missing: [] });
    expect(await statusOf(Array.from({ length: 500 }, () => line))).toBe(200);
    expect(await statusOf(Array.from({ length: 501 }, () => line))).toBe(400);
  });

  it.each<[string, object]>([
    ["a key of nothing", { key: "" }],
    ["a key that is too long", { key: "k".repeat(501) }],
    ["a variant that is no number", { variant_id: "11a" }],
    ["a variant with a letter before", { variant_id: "a11" }],
    ["a variant that is too long", { variant_id: "1".repeat(21) }],
    ["no item", { quantity: 0 }],
    ["more than a million items", { quantity: 1_000_001 }],
    ["a price below nothing", { price: -1 }],
    ["a property whose name is too long", { properties: { ["n".repeat(201)]: "" } }],
    ["a property that is too long", { properties: { n: "v".repeat(2_001) } }],
  ])("is refused with %s", async (_name, wrong) => {
    expect(await statusOf([{ ...line, ...wrong }])).toBe(400);
  });
});
