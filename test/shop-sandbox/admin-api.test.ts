import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventually } from "#test/eventually.ts";
import { fulfilLines } from "#test/sandbox/shop/fulfilments.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { cancelOrder, createPaidOrder, editOrder, OrderRefused } from "#test/sandbox/shop/orders.ts";
import { admin, codes, data, messages, openShop, product } from "./client.ts";

const shop = await openShop({
  shops: [{ domain: "one.myshopify.com" }, { domain: "two.myshopify.com", seed: "empty" as const }],
});
const { state } = shop;
const other = [...shop.shops.values()][1] ?? shop;
const limited = (scopes: string[]) => ({ token: shop.tokens.offline(scopes).token });
const ofProduct = gid("Product", product(shop).id);

describe("a request", () => {
  it("is served by the shop of its token alone, in one version", async () => {
    expect((await admin(shop, "{ shop { name } }", {}, { token: "shpat_unknown" })).status).toBe(401);
    expect((await admin(shop, "{ shop { name } }", {}, { version: "2024-01" })).status).toBe(404);
    const count = "{ shop { id } productsCount { count } }";
    expect((await admin(other, count)).data).toEqual({
      shop: { id: gid("Shop", other.state.id) },
      productsCount: { count: 0 },
    });
    const { token } = other.tokens.offline(["read_products"]);
    other.uninstall();
    expect((await admin(other, count, {}, { token })).status).toBe(401);
    other.install();
  });

  const set = "mutation ($i: ProductSetInput!) { productSet(input: $i) { userErrors { message } } }";
  it.each<[string, string, Record<string, unknown>, string]>([
    ["a field that the schema lacks", "{ shop { insurance } }", {}, "Cannot query field"],
    [
      "an input that it lacks",
      set,
      { i: { title: "x", insured: true } },
      'Field "insured" is not defined by type',
    ],
    ["money that is no number", set, { i: { variants: [{ optionValues: [], price: "a" }] } }, "to Money"],
    ["an input that the stand-in would drop", set, { i: { seo: { title: "x" } } }, "ProductSetInput.seo"],
    ["a field that the stand-in lacks", "{ shop { billingAddress { city } } }", {}, "Shop.billingAddress"],
    [
      "a search field that it lacks",
      '{ products(first: 1, query: "barcode:1") { nodes { id } } }',
      {},
      "barcode",
    ],
    ["a list without a page", "{ products { nodes { id } } }", {}, "must provide one of first or last"],
    ["a page of 251", "{ products(first: 251) { nodes { id } } }", {}, "must be between 1 and 250"],
    ["a foreign cursor", '{ products(first: 1, after: "bm8=") { nodes { id } } }', {}, "Invalid cursor"],
    [
      "251 ids",
      "query ($i: [ID!]!) { nodes(ids: $i) { id } }",
      { i: Array(251).fill(ofProduct) },
      "maximum allowed of 250",
    ],
  ])("is refused with %s, with status 200", async (_what, query, variables, message) => {
    const answer = await admin(shop, query, variables);
    expect(answer.status).toBe(200);
    expect(messages(answer)[0]).toContain(message);
  });

  it("needs the scopes of its fields, also for the object behind an id; a scope that writes reads", async () => {
    const node = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }";
    const cases: [string, Record<string, unknown>, string[], unknown[]][] = [
      ["{ orders(first: 1) { nodes { id } } }", {}, ["read_products"], ["ACCESS_DENIED"]],
      ["{ products(first: 1) { nodes { id } } }", {}, ["write_products"], []],
      [node, { ids: [ofProduct] }, ["read_orders"], ["ACCESS_DENIED"]],
      [
        'mutation { productSet(input: { title: "x" }) { userErrors { message } } }',
        {},
        ["read_products"],
        ["ACCESS_DENIED"],
      ],
    ];
    for (const [query, variables, scopes, expected] of cases)
      expect(codes(await admin(shop, query, variables, limited(scopes)))).toEqual(expected);
  });
});

describe("a list", () => {
  it("is paged without a gap or a repetition, forwards and reversed", async () => {
    const page = z.object({
      products: z.object({
        nodes: z.array(z.object({ title: z.string() })),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string() }),
      }),
    });
    const query =
      "query ($after: String, $reverse: Boolean) { products(first: 7, after: $after, reverse: $reverse) { nodes { title } pageInfo { hasNextPage endCursor } } }";
    const all = [...state.products.values()].map(({ title }) => title);
    for (const reverse of [false, true]) {
      const titles: string[] = [];
      for (let after: string | null = null; ;) {
        const { products }: z.infer<typeof page> = await data(shop, page, query, { after, reverse });
        titles.push(...products.nodes.map(({ title }) => title));
        if (!products.pageInfo.hasNextPage) break;
        after = products.pageInfo.endCursor;
      }
      expect(titles).toEqual(reverse ? all.toReversed() : all);
    }
  });
});

describe("the price of a call", () => {
  it("is 25 for 250 variants with one object each, as Shopify published, and given back unless used", async () => {
    shop.api.bucket.drainTo(2_000);
    const query = `query ($id: ID!) { product(id: $id) { variants(first: 250) { nodes { inventoryItem { tracked } } } } }`;
    const { extensions } = await admin(shop, query, { id: "gid://shopify/Product/1" });
    expect(extensions?.cost).toMatchObject({ requestedQueryCost: 25, actualQueryCost: 0 });
    expect(extensions?.cost.throttleStatus).toMatchObject({
      maximumAvailable: 2000,
      currentlyAvailable: 2000,
    });
  });

  it("is at most 1,000, and waits for the bucket", async () => {
    const deep =
      "{ products(first: 250) { nodes { variants(first: 250) { nodes { product { variants(first: 250) { nodes { id } } } } } } } }";
    expect(codes(await admin(shop, deep))).toEqual(["MAX_COST_EXCEEDED"]);
    shop.api.bucket.drainTo(-10_000);
    expect(codes(await admin(shop, "{ shop { name } }"))).toEqual(["THROTTLED"]);
    shop.api.bucket.drainTo(2_000);
  });
});

describe("productSet", () => {
  it("refuses more than 2,048 variants, and writes nothing", async () => {
    const before = state.products.size;
    const values = Array.from({ length: 2_049 }, (_, index) => ({ name: `${index}` }));
    const input = {
      title: "x",
      productOptions: [{ name: "a", values }],
      variants: values.map(({ name }) => ({ optionValues: [{ optionName: "a", name }] })),
    };
    const answer = await admin(
      shop,
      "mutation ($input: ProductSetInput!) { productSet(input: $input) { product { id } userErrors { code } } }",
      { input },
    );
    expect(answer.data).toEqual({
      productSet: { product: null, userErrors: [{ code: "VARIANTS_OVER_LIMIT" }] },
    });
    expect(state.products.size).toBe(before);
  });
});

describe("metafieldsSet", () => {
  const own = gid("AppInstallation", state.installation?.id ?? "");
  const json = { ownerId: own, namespace: "catalogue", key: "phones", type: "json", value: "{}" };
  const set = async (metafields: object[], scopes = shop.app.scopes) =>
    admin(
      shop,
      "mutation ($m: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $m) { userErrors { code } } }",
      { m: metafields },
      limited(scopes),
    );

  it.each<[string, object]>([
    ["INVALID_VALUE", { type: "boolean", value: "yes" }],
    ["INVALID_VALUE", { type: "single_line_text_field", value: "a\nb" }],
    ["BLANK", { value: "" }],
    ["BLANK", { type: null }],
    ["INVALID_TYPE", { type: "colour_of_money" }],
    ["INVALID_TYPE", { ownerId: ofProduct, namespace: "$app", key: "insurance_category" }],
    ["INVALID", { key: "k" }],
    ["INVALID", { key: "a.b" }],
    ["INVALID", { ownerId: "gid://shopify/Product/1" }],
    ["APP_NOT_AUTHORIZED", { namespace: "app--1" }],
    ["TOO_LONG", { value: JSON.stringify("x".repeat(131_072)) }],
  ])("refuses with %s: %o, and writes nothing of the call", async (code, wrong) => {
    const size = state.metafields.size;
    expect((await set([json, { ...json, ...wrong }])).data).toEqual({
      metafieldsSet: { userErrors: [{ code }] },
    });
    expect(state.metafields.size).toBe(size);
  });

  it("takes 25, and the scope that writes the owner", async () => {
    const many = Array.from({ length: 26 }, (_, index) => ({ ...json, key: `many-${index}` }));
    expect((await set(many)).data).toEqual({
      metafieldsSet: { userErrors: [{ code: "LESS_THAN_OR_EQUAL_TO" }] },
    });
    expect((await set(many.slice(1))).data).toEqual({ metafieldsSet: { userErrors: [] } });
    const onProduct = { ...json, ownerId: ofProduct };
    expect((await set([onProduct], ["read_products"])).data).toEqual({
      metafieldsSet: { userErrors: [{ code: "APP_NOT_AUTHORIZED" }] },
    });
  });
});

describe("an order", () => {
  it("keeps its fulfilled items in an edit, and cannot be cancelled any more", () => {
    const lines = [{ variantId: product(shop).variants[0]?.id ?? "", quantity: 2 }];
    const order = createPaidOrder(state, { lines, email: "ines@example.fr" });
    const [line] = order.lines;
    fulfilLines(state, order.id, [{ lineId: line?.id ?? "", quantity: 1 }]);
    const edit = (quantity: number) =>
      editOrder(state, order.id, { setQuantity: [{ lineId: line?.id ?? "", quantity }] });
    expect(() => edit(0)).toThrow(OrderRefused);
    edit(1);
    expect(line?.currentQuantity).toBe(1);
    expect(() => cancelOrder(state, order.id)).toThrow(OrderRefused);
  });
});

describe("a bulk query", () => {
  const run = async (query: string) =>
    (
      await data(
        shop,
        z.object({
          bulkOperationRunQuery: z.object({
            bulkOperation: z.object({ id: z.string() }).nullable(),
            userErrors: z.array(z.object({ message: z.string() })),
          }),
        }),
        "mutation ($query: String!) { bulkOperationRunQuery(query: $query) { bulkOperation { id } userErrors { message } } }",
        { query },
      )
    ).bulkOperationRunQuery;

  it("writes each object on a line of its own, children before their parent", async () => {
    const { bulkOperation } = await run(
      "{ products { edges { node { id variants { edges { node { id price } } } } } } }",
    );
    const operation = shop.api.bulk.find(bulkOperation?.id.split("/").at(-1) ?? "");
    const url = await eventually(() => operation?.url ?? null);
    const lines = (await (await fetch(url)).text())
      .trim()
      .split("\n")
      .map((line) => z.record(z.string(), z.string()).parse(JSON.parse(line)));
    expect(lines.filter((line) => !line["__parentId"])).toHaveLength(state.products.size);
    expect(lines).toContainEqual({
      id: gid("ProductVariant", product(shop).variants[0]?.id ?? ""),
      price: "229.00",
      __parentId: ofProduct,
    });
    const place = new Map(lines.map(({ id }, index) => [id, index]));
    expect(
      lines.every(
        ({ id, __parentId: parent }) => !parent || Number(place.get(id)) < Number(place.get(parent)),
      ),
    ).toBe(true);
  });

  it("has no file where it finds nothing, needs a list, and runs five at a time", async () => {
    expect((await run("{ shop { name } }")).userErrors[0]?.message).toContain("at least one connection");
    const release = shop.api.bulk.hold("QUERY");
    const nothing = '{ products(query: "vendor:Nobody") { edges { node { id } } } }';
    for (let started = 0; started < 5; started += 1) expect((await run(nothing)).userErrors).toEqual([]);
    expect((await run(nothing)).userErrors[0]?.message).toContain("already in progress");
    release();
    const last = shop.api.bulk.all().at(-1);
    await eventually(() => expect(last).toMatchObject({ status: "COMPLETED", url: null }));
  });
});
