import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { emptyShop } from "#test/sandbox/shop/seed/shop.ts";
import { seedShop } from "#test/sandbox/shop/seed/seed.ts";
import { startShop } from "#test/sandbox/shop/server.ts";
import { admin, apiKey, apiSecret, openShop, product } from "./client.ts";

const shop = await openShop({
  shops: [
    { domain: "one.myshopify.com" },
    { domain: "two.myshopify.com", name: "Deuxième", locale: "en", currency: "JPY", plan: "Shopify Plus" },
  ],
});
const second = [...shop.shops.values()][1] ?? shop;

describe("the demo shop", () => {
  it("is the same in every run, with kinds and prices for every category of insurance", () => {
    const [one, two] = [emptyShop(), emptyShop()];
    seedShop(one, "demo");
    seedShop(two, "demo");
    expect(one).toEqual(two);
    const products = [...one.products.values()];
    const prices = products.flatMap(({ variants }) => variants.map(({ price }) => price));
    expect(products.length).toBeGreaterThan(40);
    expect(new Set(products.map(({ productType }) => productType)).size).toBeGreaterThan(8);
    expect(Math.min(...prices)).toBe(990);
    expect(Math.max(...prices)).toBeGreaterThanOrEqual(299_900);
  });

  it("has a picture of every product", async () => {
    const urls = new Set([...shop.state.products.values()].map(({ images }) => images[0]?.url ?? ""));
    for (const url of urls) {
      const response = await fetch(shop.origin + url);
      expect([url, response.status]).toEqual([url, 200]);
      expect(await response.text()).toMatch(/^<svg .*<\/svg>$/s);
    }
  });

  it("can be many products instead", () => {
    const state = emptyShop();
    seedShop(state, { products: 5000 });
    expect(new Set([...state.products.values()].map(({ handle }) => handle)).size).toBe(5000);
  });
});

describe("several shops on one server", () => {
  it("have each their own currency, language and rate limit, and share no id", async () => {
    const answer = await admin(second, "{ shop { name currencyCode } }");
    expect(answer.data).toEqual({ shop: { name: "Deuxième", currencyCode: "JPY" } });
    expect(answer.extensions?.cost.throttleStatus).toMatchObject({ restoreRate: 1000 });
    expect(product(second).variants[0]?.price).toBe(22_900);
    const ids = ({ state }: typeof shop) => [
      ...state.products.keys(),
      ...state.publications.keys(),
      state.id,
    ];
    expect(ids(shop).filter((id) => ids(second).includes(id))).toEqual([]);
  });

  it("have each their own storefront, by host name, and their own admin", async () => {
    const title = (host: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const { port } = new URL(shop.origin);
        request({ host: "127.0.0.1", port, path: "/", headers: { host } }, (response) => {
          let text = "";
          response
            .setEncoding("utf8")
            .on("data", (part: string) => (text += part))
            .on("end", () => resolve(/<title>([^<]*)/.exec(text)?.[1] ?? ""));
        })
          .on("error", reject)
          .end();
      });
    expect(await title(new URL(shop.origin).host)).toContain("Lumen");
    expect(await title(new URL(second.origin).host)).toContain("Deuxième");
    expect(await (await fetch(second.adminUrl.replace(/\/apps\/.*/, "/orders"))).text()).toContain("Orders");
    expect((await fetch(shop.adminUrl.replace("/store/one/", "/store/nobody/"))).status).toBe(404);
  });
});

it("refuses a port that is taken, with the reason", async () => {
  const { port } = new URL(shop.origin);
  await expect(startShop({ port: Number(port), apiKey, apiSecret, seed: "empty" })).rejects.toThrow(
    "EADDRINUSE",
  );
});
