// @vitest-environment jsdom
/** The extension against Shopify's own typed mock of each target: what it reads exists there. */
import { setUpExtension } from "@shopify/ui-extensions-tester";
import { createCartLine } from "@shopify/ui-extensions-tester/checkout";
import { expect, it } from "vitest";
import { eventually } from "#test/eventually.ts";
import { testerConfig } from "#test/tester-config.ts";

const options = { configSearchDir: testerConfig("cover") };
/** The mock rejects unknown properties, and its own order has no optional ones. */
const order = { id: "gid://shopify/Order/1", name: "#1001", cancelledAt: undefined, processedAt: undefined };
const items = [{ plan: "Cover, 24 months", state: "active", contract: "CT-1", until: "2028-11-22" }];

it("reads the order's metafield on the order's page", async () => {
  using extension = setUpExtension("customer-account.order-status.block.render", options);
  extension.shopify.order.value = order;
  extension.shopify.appMetafields.value = [
    {
      target: { type: "order", id: "gid://shopify/Order/1" },
      metafield: {
        namespace: "$app",
        key: "cover",
        value: JSON.stringify({ isTest: false, items, more: 0 }),
        valueType: "json_string",
        type: "json",
      },
    },
  ];
  await extension.render();
  expect(document.body.querySelector("s-section")?.getAttribute("heading")).toBe("heading");
  expect(document.body.textContent).toContain("Cover, 24 months");
});

it("reads the order's quotes on the order's page", async () => {
  using extension = setUpExtension("customer-account.order-status.block.render", options);
  extension.shopify.order.value = order;
  const quote = { product: "Casque", url: "https://app.example/quotes/a/b", until: "2999-12-31" };
  const quotes = [{ ...quote, fromMinor: 2_900, currency: "EUR", monthly: false }];
  extension.shopify.appMetafields.value = [
    {
      target: { type: "order", id: "gid://shopify/Order/1" },
      metafield: {
        namespace: "$app",
        key: "quotes",
        value: JSON.stringify({ isTest: false, stopUrl: null, quotes }),
        valueType: "json_string",
        type: "json",
      },
    },
  ];
  await extension.render();
  expect(document.body.querySelector("s-section")?.getAttribute("heading")).toBe("quotes.heading");
  expect(document.body.querySelector("s-link")?.getAttribute("href")).toBe(quote.url);
});

it("reads the lines on the thank-you page", async () => {
  using extension = setUpExtension("purchase.thank-you.block.render", options);
  const attributes = [{ key: "_parasol_reference", value: "SMA-CV-24" }];
  extension.shopify.lines.value = [createCartLine(), createCartLine({ attributes })];
  await extension.render();
  expect(document.body.querySelectorAll('s-text[type="strong"]')).toHaveLength(1);
});

it("queries the Customer Account API on the customer's page, and nothing else", async () => {
  using extension = setUpExtension("customer-account.page.render", options);
  const addresses: string[] = [];
  extension.fetch = (address) => {
    addresses.push(typeof address === "string" ? address : "");
    return Promise.resolve(
      new Response(JSON.stringify({ data: { customer: { orders: { nodes: [], pageInfo: {} } } } })),
    );
  };
  await extension.render();
  await eventually(() => expect(document.body.textContent).toContain("page.empty"));
  expect(addresses).toEqual(["shopify://customer-account/api/2026-07/graphql.json"]);
});

it("reads shop and product metafields at the checkout, queries the Storefront API, and adds a nested line", async () => {
  using extension = setUpExtension("purchase.checkout.cart-line-item.render-after", {
    configSearchDir: testerConfig("checkout-offer"),
  });
  const line = createCartLine({ cost: { totalAmount: { amount: 599, currencyCode: "EUR" } } });
  const { shopify } = extension;
  shopify.target.value = line;
  shopify.lines.value = [line];
  const settings = { on: true, plans: { phones: "gid://shopify/Product/9" } };
  const metafield = (key: string, value: string) => ({
    namespace: "$app",
    key,
    value,
    valueType: "json_string" as const,
    type: "json",
  });
  shopify.appMetafields.value = [
    {
      target: { type: "shop", id: "gid://shopify/Shop/1" },
      metafield: metafield("checkout", JSON.stringify(settings)),
    },
    {
      target: { type: "product", id: line.merchandise.product.id },
      metafield: metafield("insurance_category", "phones"),
    },
  ];
  const catalogue = {
    currency: "EUR",
    documents: [{ name: "", cg: "https://insurer.example/cg", ipid: "https://insurer.example/ipid" }],
    bands: [
      {
        min: 40_000,
        max: 59_999,
        offers: [{ term: 24, price: 6_400, billing: "annually", variant: "77", reference: "SMA-400-24" }],
      },
    ],
  };
  const requested: unknown[] = [];
  Object.assign(shopify, {
    query: (_query: string, options: { variables: object }) => {
      requested.push(options.variables);
      const price = { amount: "64.0", currencyCode: "EUR" };
      const plan = { id: "gid://shopify/ProductVariant/77", price, product: { title: "Cover" } };
      const product = { metafield: { value: JSON.stringify(catalogue) } };
      return Promise.resolve({ data: "ids" in options.variables ? { nodes: [plan] } : { product } });
    },
  });
  const changes: unknown[] = [];
  shopify.applyCartLinesChange = (change) => {
    changes.push(change);
    return Promise.resolve({ type: "success" });
  };
  await extension.render();
  await eventually(() => expect(document.body.querySelectorAll("s-choice")).toHaveLength(1));
  const context = { country: shopify.localization.country.value?.isoCode ?? null, language: "EN" };
  expect(requested).toEqual([
    { plan: "gid://shopify/Product/9", variant: line.merchandise.id, ...context },
    { ids: ["gid://shopify/ProductVariant/77"], ...context },
  ]);
  expect(document.body.textContent).toContain("Cover");
  const list = document.body.querySelector("s-choice-list");
  if (list) list.values = ["77"];
  list?.dispatchEvent(new Event("change"));
  await eventually(() => expect(document.body.querySelector("s-button[disabled]")).toBeNull());
  document.body.querySelector("s-button")?.dispatchEvent(new Event("click"));
  await eventually(() => expect(changes).toHaveLength(1));
  expect(changes).toMatchObject([{ type: "addCartLine", quantity: 1, parent: { lineId: line.id } }]);
});
