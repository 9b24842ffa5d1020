import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { admin, openShop, product } from "./client.ts";

const shop = await openShop({
  shops: [
    { domain: "one.myshopify.com" },
    { domain: "two.myshopify.com", name: "Deuxième", locale: "en", currency: "JPY", plan: "Shopify Plus" },
  ],
});
const second = [...shop.shops.values()][1] ?? shop;

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
