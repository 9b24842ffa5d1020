import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { emptyShop } from "#test/sandbox/shop/seed/shop.ts";
import { seedShop } from "#test/sandbox/shop/seed/seed.ts";
import { admin, apiKey, apiSecret, data, openShop, product } from "./client.ts";
import { startShop } from "#test/sandbox/shop/server.ts";

/** An extension with a block for the product page, one for the cart and an embed. */
const extensionDir = await mkdtemp(join(tmpdir(), "extension-"));
afterAll(() => rm(extensionDir, { recursive: true }));
for (const folder of ["assets", "blocks", "locales", "snippets"]) await mkdir(join(extensionDir, folder));
const block = (schema: unknown): string => `<p></p>{% schema %}${JSON.stringify(schema)}{% endschema %}`;
await writeFile(
  join(extensionDir, "blocks/offer.liquid"),
  block({
    name: "Offer",
    target: "section",
    settings: [{ type: "text", id: "title", label: "Title", default: "Insured?" }],
  }),
);
await writeFile(
  join(extensionDir, "blocks/cart-offer.liquid"),
  block({ name: "Cart", target: "section", enabled_on: { templates: ["cart"] }, settings: [] }),
);
await writeFile(
  join(extensionDir, "blocks/drawer.liquid"),
  block({ name: "Drawer", target: "body", settings: [] }),
);

const shop = await openShop({
  extensionDir,
  shops: [
    { domain: "one.myshopify.com" },
    { domain: "two.myshopify.com", name: "Deuxième", locale: "en", currency: "JPY", plan: "Shopify Plus" },
  ],
});
const second = [...shop.shops.values()][1] ?? shop;

describe("the demo shop", () => {
  it("is the same in every run", () => {
    const [one, two] = [emptyShop(), emptyShop()];
    seedShop(one, "demo");
    seedShop(two, "demo");
    expect(one).toEqual(two);
  });

  it("holds more than forty products of many kinds, from 9.90 to 2,999 euros and more", () => {
    const products = [...shop.state.products.values()];
    const prices = products.flatMap(({ variants }) => variants.map(({ price }) => price));
    expect(products.length).toBeGreaterThan(40);
    expect(new Set(products.map(({ productType }) => productType)).size).toBeGreaterThan(8);
    expect(new Set(products.map(({ vendor }) => vendor)).size).toBeGreaterThan(8);
    expect(Math.min(...prices)).toBe(990);
    expect(Math.max(...prices)).toBeGreaterThanOrEqual(299_900);
    expect(new Set(products.map(({ handle }) => handle)).size).toBe(products.length);
    expect(shop.state.collections.size).toBeGreaterThan(8);
  });

  it("has a picture of every product", async () => {
    const urls = new Set([...shop.state.products.values()].map(({ images }) => images[0]?.url ?? ""));
    for (const url of urls) {
      const response = await fetch(shop.origin + url);
      expect([url, response.status, response.headers.get("content-type")]).toEqual([
        url,
        200,
        "image/svg+xml",
      ]);
      expect(await response.text()).toMatch(/^<svg .*<\/svg>$/s);
    }
    expect((await fetch(`${shop.origin}/cdn/seed/spaceship-1.svg`)).status).toBe(404);
  });

  it("can be many products instead", () => {
    const state = emptyShop();
    seedShop(state, { products: 5000 });
    expect(state.products.size).toBe(5000);
    expect(new Set([...state.products.values()].map(({ handle }) => handle)).size).toBe(5000);
  });
});

describe("the published theme", () => {
  const files = z.object({
    themes: z.object({
      nodes: z.array(
        z.object({
          role: z.string(),
          files: z.object({
            nodes: z.array(z.object({ filename: z.string(), body: z.object({ content: z.string() }) })),
          }),
        }),
      ),
    }),
  });
  const query = `query ($names: [String!]) { themes(first: 1, roles: [MAIN]) { nodes { role files(filenames: $names, first: 10) { nodes { filename body { ... on OnlineStoreThemeFileBodyText { content } } } } } } }`;
  const read = async (name: string): Promise<unknown> => {
    const theme = await data(shop, files, query, { names: [name] });
    const content = theme.themes.nodes[0]?.files.nodes[0]?.body.content ?? "";
    expect(content).toMatch(/^\/\*/);
    return JSON.parse(content.replace(/^\/\*[\s\S]*?\*\/\s*/, ""));
  };

  it("names the app's blocks in its templates", async () => {
    expect(await read("templates/product.json")).toMatchObject({
      sections: {
        main: {
          blocks: {
            app_offer: {
              type: expect.stringMatching(
                /^shopify:\/\/apps\/parasol\/blocks\/offer\/[0-9a-f-]{36}$/,
              ) as string,
              settings: { title: "Insured?" },
            },
          },
          block_order: expect.arrayContaining(["app_offer"]) as string[],
        },
      },
    });
    expect(await read("templates/cart.json")).toMatchObject({
      sections: { "cart-footer": { block_order: expect.arrayContaining(["app_cart_offer"]) as string[] } },
    });
  });

  it("names the embeds in its settings, and whether they are on", async () => {
    const embeds = async () =>
      z
        .object({
          current: z.object({
            blocks: z.record(z.string(), z.object({ type: z.string(), disabled: z.boolean() })),
          }),
        })
        .parse(await read("config/settings_data.json"));
    const [embed] = Object.values((await embeds()).current.blocks);
    expect(embed).toMatchObject({
      type: expect.stringContaining("/blocks/drawer/") as string,
      disabled: false,
    });
    await fetch(`${shop.origin}/sandbox/theme`, {
      method: "PUT",
      body: JSON.stringify({ embeds: { drawer: { on: false, settings: {} } } }),
    });
    expect(Object.values((await embeds()).current.blocks)[0]?.disabled).toBe(true);
  });

  it("cannot be read without read_themes", async () => {
    const answer = await admin(shop, query, {}, { token: shop.tokens.offline(["read_products"]).token });
    expect(answer.errors).toMatchObject([{ path: ["themes"], extensions: { code: "ACCESS_DENIED" } }]);
  });

  it("has no app blocks where none was placed", async () => {
    const bare = await openShop({ extensionDir, appBlocks: false });
    expect(bare.state.theme).toMatchObject({ blocks: {}, embeds: {} });
  });
});

describe("several shops on one server", () => {
  it("have each their own currency, language and rate limit", async () => {
    const schema = z.object({
      shop: z.object({
        name: z.string(),
        currencyCode: z.string(),
        plan: z.object({ publicDisplayName: z.string() }),
      }),
      products: z.object({
        nodes: z.array(
          z.object({ priceRangeV2: z.object({ minVariantPrice: z.object({ amount: z.string() }) }) }),
        ),
      }),
    });
    const query =
      "{ shop { name currencyCode plan { publicDisplayName } } products(first: 1) { nodes { priceRangeV2 { minVariantPrice { amount } } } } }";
    expect(await data(second, schema, query)).toEqual({
      shop: { name: "Deuxième", currencyCode: "JPY", plan: { publicDisplayName: "Shopify Plus" } },
      products: { nodes: [{ priceRangeV2: { minVariantPrice: { amount: "22900.0" } } }] },
    });
    expect((await admin(second, "{ shop { name } }")).extensions?.cost.throttleStatus).toMatchObject({
      maximumAvailable: 20_000,
      restoreRate: 1000,
    });
  });

  it("share no id", () => {
    const ids = (each: typeof shop) => [
      ...each.state.products.keys(),
      ...each.state.variantProducts.keys(),
      ...each.state.publications.keys(),
      each.state.id,
    ];
    expect(ids(shop).filter((id) => ids(second).includes(id))).toEqual([]);
  });

  it("have each their own storefront, by host name", async () => {
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
  });

  it("have each their own admin", async () => {
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

it("says at its control address what it holds", async () => {
  const [first] = z
    .array(z.record(z.string(), z.unknown()))
    .parse(await (await fetch(`${shop.origin}/sandbox`)).json());
  expect(first).toMatchObject({
    shop: "one.myshopify.com",
    storefront: shop.origin,
    installed: true,
    products: shop.state.products.size,
  });
  expect(product(shop).title).toBe("Velin One");
});
