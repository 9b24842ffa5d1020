import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Bucket } from "#test/sandbox/shop/admin/api/throttle.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import { admin, codes, data, messages, offlineToken, openShop, product } from "./client.ts";

const shop = await openShop({
  shops: [{ domain: "one.myshopify.com" }, { domain: "two.myshopify.com", seed: "empty" as const }],
});
const other = [...shop.shops.values()][1] ?? shop;
const productList = z.object({
  products: z.object({
    nodes: z.array(z.object({ title: z.string() })),
    pageInfo: z.object({
      hasNextPage: z.boolean(),
      hasPreviousPage: z.boolean(),
      endCursor: z.string().nullable(),
      startCursor: z.string().nullable(),
    }),
  }),
});
const listQuery = `query ($first: Int, $last: Int, $after: String, $before: String, $query: String, $sortKey: ProductSortKeys, $reverse: Boolean) {
  products(first: $first, last: $last, after: $after, before: $before, query: $query, sortKey: $sortKey, reverse: $reverse) {
    nodes { title } pageInfo { hasNextPage hasPreviousPage endCursor startCursor }
  }
}`;
const titles = async (variables: Record<string, unknown>): Promise<string[]> =>
  (await data(shop, productList, listQuery, variables)).products.nodes.map(({ title }) => title);

describe("authentication", () => {
  it("answers 401 to an unknown token and to none", async () => {
    expect((await admin(shop, "{ shop { name } }", {}, { token: "shpat_unknown" })).status).toBe(401);
    expect((await admin(shop, "{ shop { name } }", {}, { token: "" })).status).toBe(401);
  });

  it("answers 404 to another version", async () => {
    const answer = await admin(shop, "{ shop { name } }", {}, { version: "2024-01" });
    expect(answer).toMatchObject({ status: 404, errors: "Not Found" });
  });

  it("serves each shop by its token", async () => {
    const name = z.object({
      shop: z.object({ myshopifyDomain: z.string() }),
      productsCount: z.object({ count: z.number() }),
    });
    const query = "{ shop { myshopifyDomain } productsCount { count } }";
    expect(await data(shop, name, query)).toEqual({
      shop: { myshopifyDomain: "one.myshopify.com" },
      productsCount: { count: 48 },
    });
    expect(await data(other, name, query)).toEqual({
      shop: { myshopifyDomain: "two.myshopify.com" },
      productsCount: { count: 0 },
    });
  });

  it("refuses one shop's token at another shop's domain", async () => {
    const response = await fetch(`${shop.origin}/admin/api/2026-10/graphql.json`, {
      method: "POST",
      headers: {
        "x-shopify-access-token": offlineToken(shop),
        "x-sandbox-shop": other.shopDomain,
        "content-type": "application/json",
      },
      body: JSON.stringify({ query: "{ shop { name } }" }),
    });
    expect(response.status).toBe(401);
  });

  it("refuses tokens of an app that was uninstalled", async () => {
    const token = offlineToken(other);
    other.uninstall();
    expect((await admin(other, "{ shop { name } }", {}, { token })).status).toBe(401);
    other.install();
  });

  it("fails as set, the set number of times, then works again", async () => {
    shop.faults.failNext = { status: 500, times: 2 };
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await admin(shop, "{ shop { name } }")).status);
    expect(statuses).toEqual([500, 500, 200]);
  });
});

describe("the published schema", () => {
  it("refuses a field that is not in it, in the platform's shape and with status 200", async () => {
    const answer = await admin(shop, "{ products(first: 1) { nodes { insurance } } }");
    expect(answer.status).toBe(200);
    expect(answer.data).toBeUndefined();
    expect(answer.errors).toMatchObject([
      {
        message: "Field 'insurance' doesn't exist on type 'Product'",
        extensions: { code: "undefinedField", typeName: "Product", fieldName: "insurance" },
      },
    ]);
  });

  it.each([
    [
      "an argument that is not in it",
      "{ products(first: 1, colour: 2) { nodes { id } } }",
      {},
      "argumentNotAccepted",
    ],
    ["a required argument that is missing", "{ product { id } }", {}, "missingRequiredArguments"],
    [
      "a variable of the wrong type",
      "query ($n: Int!) { products(first: $n) { nodes { id } } }",
      { n: "ten" },
      "INVALID_VARIABLE",
    ],
    [
      "an input field that is not in it",
      "mutation ($i: ProductSetInput!) { productSet(input: $i) { userErrors { message } } }",
      { i: { title: "x", insured: true } },
      "INVALID_VARIABLE",
    ],
    [
      "money that is no number",
      "mutation ($i: ProductSetInput!) { productSet(input: $i) { userErrors { message } } }",
      { i: { variants: [{ optionValues: [], price: "cheap" }] } },
      "INVALID_VARIABLE",
    ],
    [
      "a status that is not in it",
      "mutation ($i: ProductSetInput!) { productSet(input: $i) { userErrors { message } } }",
      { i: { status: "SECRET" } },
      "INVALID_VARIABLE",
    ],
    ["what is no GraphQL", "{ products(first: 1) { nodes { id }", {}, "PARSE_ERROR"],
  ])("refuses %s", async (_what, query, variables, code) => {
    expect(codes(await admin(shop, query, variables))).toEqual([code]);
  });

  it("fails loudly where the stand-in has no answer of its own", async () => {
    const answer = await admin(shop, "{ products(first: 1) { nodes { id category { name } } } }");
    expect(codes(answer)).toEqual(["NOT_IMPLEMENTED_IN_STAND_IN"]);
    expect(messages(answer)[0]).toContain("Product.category is not implemented");
  });

  it("refuses a search field that it does not know", async () => {
    expect(codes(await admin(shop, listQuery, { first: 1, query: "barcode:1" }))).toEqual([
      "NOT_IMPLEMENTED_IN_STAND_IN",
    ]);
  });
});

describe("access scopes", () => {
  const limited = (scopes: string[]): string => shop.tokens.offline(scopes).token;

  it("denies what the token's scopes do not cover, as the platform does", async () => {
    const answer = await admin(
      shop,
      "{ shop { name } orders(first: 1) { nodes { id } } }",
      {},
      { token: limited(["read_products"]) },
    );
    expect(answer.status).toBe(200);
    expect(answer.data).toBeNull();
    expect(answer.errors).toMatchObject([
      {
        path: ["orders"],
        extensions: { code: "ACCESS_DENIED", documentation: "https://shopify.dev/api/usage/access-scopes" },
      },
    ]);
    expect(messages(answer)[0]).toMatch(
      /^Access denied for orders field\. Required access: `read_orders` access scope/,
    );
  });

  it("lets a scope that writes read, too", async () => {
    const answer = await admin(
      shop,
      "{ products(first: 1) { nodes { id } } }",
      {},
      { token: limited(["write_products"]) },
    );
    expect(answer.errors).toBeUndefined();
  });

  it("does not let a scope that reads write", async () => {
    const query = `mutation { productSet(input: { title: "x" }) { userErrors { message } } }`;
    expect(codes(await admin(shop, query, {}, { token: limited(["read_products"]) }))).toEqual([
      "ACCESS_DENIED",
    ]);
  });

  it.each([
    ["node", "query ($id: ID!) { node(id: $id) { id } }", "id"],
    ["nodes", "query ($id: [ID!]!) { nodes(ids: $id) { id } }", "ids"],
  ])("checks the object behind an id: %s", async (field, query) => {
    const id = `gid://shopify/Product/${product(shop).id}`;
    const variables = { id: field === "node" ? id : [id] };
    const answer = await admin(shop, query, variables, { token: limited(["read_orders"]) });
    expect(codes(answer)).toEqual(["ACCESS_DENIED"]);
  });

  it("denies the customer of an order without read_customers", async () => {
    const query = "{ orders(first: 1) { nodes { id customer { id } } } }";
    shop.state.orders.clear();
    createPaidOrder(shop.state, {
      lines: [{ variantId: product(shop).variants[0]?.id ?? "", quantity: 1 }],
      email: "a@b.fr",
    });
    expect(codes(await admin(shop, query))).toEqual(["ACCESS_DENIED"]);
    expect(
      (await admin(shop, query, {}, { token: limited(["read_orders", "read_customers"]) })).errors,
    ).toBeUndefined();
  });
});

describe("lists", () => {
  it("pages through all products without a gap or a repetition", async () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: z.infer<typeof productList> = await data(shop, productList, listQuery, { first: 7, after });
      seen.push(...page.products.nodes.map(({ title }) => title));
      after = page.products.pageInfo.hasNextPage ? page.products.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual([...shop.state.products.values()].map(({ title }) => title));
  });

  it("pages backwards, too", async () => {
    const all = [...shop.state.products.values()].map(({ title }) => title);
    const last = await data(shop, productList, listQuery, { last: 5 });
    expect(last.products.nodes.map(({ title }) => title)).toEqual(all.slice(-5));
    const before = await data(shop, productList, listQuery, {
      last: 5,
      before: last.products.pageInfo.startCursor,
    });
    expect(before.products.nodes.map(({ title }) => title)).toEqual(all.slice(-10, -5));
    expect(before.products.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
  });

  it.each([
    [{}],
    [{ first: 1, last: 1 }],
    [{ first: 0 }],
    [{ first: 251 }],
    [{ first: 1, after: "bm90IGEgY3Vyc29y" }],
  ])("refuses a page of %o", async (variables) => {
    expect(codes(await admin(shop, listQuery, variables))).toEqual(["BAD_REQUEST"]);
  });

  it("refuses more than 250 ids", async () => {
    const ids = Array.from({ length: 251 }, (_, index) => `gid://shopify/Product/${index}`);
    expect(codes(await admin(shop, "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids }))).toEqual([
      "MAX_INPUT_SIZE_EXCEEDED",
    ]);
  });

  it("sorts", async () => {
    const sorted = await titles({ first: 250, sortKey: "TITLE" });
    expect(sorted).toEqual(sorted.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    expect((await titles({ first: 1, sortKey: "TITLE", reverse: true }))[0]).toBe(sorted.at(-1));
  });
});

describe("the search syntax", () => {
  const all = () => [...shop.state.products.values()];
  const matching = (keep: (item: ReturnType<typeof all>[number]) => boolean): string[] =>
    all()
      .filter(keep)
      .map(({ title }) => title);

  it.each<[string, (item: ReturnType<typeof all>[number]) => boolean]>([
    ["product_type:Smartphone", ({ productType }) => productType === "Smartphone"],
    ["product_type:'Ordinateur portable'", ({ productType }) => productType === "Ordinateur portable"],
    [
      'product_type:"ordinateur portable" AND vendor:Altair',
      ({ productType, vendor }) => productType === "Ordinateur portable" && vendor === "Altair",
    ],
    [
      "product_type:Console vendor:Arcade",
      ({ productType, vendor }) => productType === "Console" && vendor === "Arcade",
    ],
    [
      "product_type:Console OR product_type:Tablette",
      ({ productType }) => productType === "Console" || productType === "Tablette",
    ],
    [
      "tag:Jeu -product_type:Console",
      ({ productType, tags }) => tags.includes("Jeu") && productType !== "Console",
    ],
    [
      "tag:Jeu AND NOT (product_type:Console OR product_type:Accessoire)",
      ({ productType, tags }) =>
        tags.includes("Jeu") && productType !== "Console" && productType !== "Accessoire",
    ],
    ["title:Velin*", ({ title }) => title.startsWith("Velin")],
    ["vitrail", ({ vendor }) => vendor === "Vitrail"],
    ["status:active", () => true],
    ["status:draft", () => false],
    ["gift_card:true", ({ giftCard }) => giftCard === true],
  ])("%s", async (query, keep) => {
    expect(await titles({ first: 250, query })).toEqual(matching(keep));
  });

  it("compares ids", async () => {
    const { id, title } = product(shop, 3);
    expect(await titles({ first: 10, query: `id:${id}` })).toEqual([title]);
    expect(await titles({ first: 10, query: `id:<${id}` })).toHaveLength(3);
    expect(await titles({ first: 250, query: `id:>=${id}` })).toHaveLength(45);
  });

  it("compares dates", async () => {
    const { createdAt } = product(shop, 5);
    expect(await titles({ first: 250, query: `created_at:<'${createdAt}'` })).toHaveLength(5);
    expect(await titles({ first: 250, query: `created_at:>=${createdAt}` })).toHaveLength(43);
  });
});

describe("the price of a call", () => {
  it("is in each answer and taken from the bucket", async () => {
    const { extensions } = await admin(shop, "{ shop { name } }");
    expect(extensions?.cost).toMatchObject({
      requestedQueryCost: 1,
      actualQueryCost: 1,
      throttleStatus: { maximumAvailable: 2000, restoreRate: 100 },
    });
  });

  it("is 25 for a product's 250 variants with one object each, as the platform published", async () => {
    const query = `query ($id: ID!) { product(id: $id) { variants(first: 250) { nodes { inventoryItem { id tracked } } } } }`;
    const { extensions } = await admin(shop, query, { id: "gid://shopify/Product/1" });
    expect(extensions?.cost).toMatchObject({ requestedQueryCost: 25, actualQueryCost: 0 });
  });

  it("is given back where the answer is smaller than requested", async () => {
    const query = '{ products(first: 250, query: "vendor:Nobody") { nodes { id } } }';
    const before = shop.api.bucket.status().currentlyAvailable;
    const cost = (await admin(shop, query)).extensions?.cost;
    expect(cost?.requestedQueryCost).toBeGreaterThan(10);
    expect(cost?.actualQueryCost).toBe(2);
    expect(cost?.throttleStatus.currentlyAvailable).toBeGreaterThanOrEqual(before - 2);
  });

  it("of productSet grows with variants, metafields and files by the published formula", async () => {
    const values = Array.from({ length: 50 }, (_, index) => ({ name: `${index}` }));
    const input = {
      title: "priced",
      productOptions: [{ name: "n", values }],
      variants: values.map(({ name }) => ({ optionValues: [{ optionName: "n", name }], price: "1" })),
      metafields: [{ namespace: "abc", key: "de", type: "json", value: "{}" }],
      files: [{ originalSource: "https://example.com/a.png", contentType: "IMAGE" }],
    };
    const answer = await admin(
      shop,
      "mutation ($input: ProductSetInput!) { productSet(input: $input) { product { id } } }",
      { input },
    );
    // 10 + 50 × 0.2 + 0.4 + 1.9, and 1 for the product
    expect(answer.extensions?.cost.requestedQueryCost).toBe(Math.ceil(10 + 10 + 0.4 + 1.9 + 1));
  });

  it("is refused above 1,000 for one query, and nothing is taken", async () => {
    const query =
      "{ products(first: 250) { nodes { variants(first: 250) { nodes { product { variants(first: 250) { nodes { id } } } } } } } }";
    const answer = await admin(shop, query);
    expect(codes(answer)).toEqual(["MAX_COST_EXCEEDED"]);
    expect(answer.extensions).toBeUndefined();
    expect(answer.data).toBeUndefined();
  });

  it("throttles when the bucket is empty, and lets go as it fills", async () => {
    // So far below that no slow request gives it the time to fill.
    shop.api.bucket.drainTo(-10_000);
    const query = "{ products(first: 100) { nodes { id } } }";
    const refused = await admin(shop, query);
    expect(refused).toMatchObject({
      status: 200,
      errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
    });
    expect(refused.extensions?.cost.actualQueryCost).toBeNull();
    shop.api.bucket.drainTo(50);
    expect((await admin(shop, query)).errors).toBeUndefined();
  });

  it.each([
    ["Basic", 100],
    ["Advanced", 200],
    ["Shopify Plus", 1000],
    ["Enterprise", 2000],
  ] as const)("has a bucket by plan: %s restores %d points a second", (plan, rate) => {
    let now = 0;
    const bucket = new Bucket(plan, () => now);
    expect(bucket.take(bucket.maximum)).toBe(true);
    expect(bucket.take(1)).toBe(false);
    now = 1000;
    expect(bucket.status()).toEqual({
      maximumAvailable: rate * 20,
      currentlyAvailable: rate,
      restoreRate: rate,
    });
  });
});
