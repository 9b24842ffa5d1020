import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventually } from "#test/eventually.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { admin, codes, data, openShop, product } from "./client.ts";

const shop = await openShop();

const result = z.object({
  productSet: z.object({
    product: z
      .object({
        id: z.string(),
        handle: z.string(),
        title: z.string(),
        status: z.string(),
        tags: z.array(z.string()),
        variants: z.object({
          nodes: z.array(
            z.object({
              id: z.string(),
              title: z.string(),
              sku: z.string().nullable(),
              price: z.string(),
              taxable: z.boolean(),
              inventoryPolicy: z.string(),
              inventoryItem: z.object({ tracked: z.boolean(), requiresShipping: z.boolean() }),
            }),
          ),
        }),
        metafields: z.object({
          nodes: z.array(z.object({ namespace: z.string(), key: z.string(), value: z.string() })),
        }),
      })
      .nullable(),
    productSetOperation: z.object({ id: z.string(), status: z.string() }).nullable(),
    userErrors: z.array(z.object({ code: z.string(), field: z.array(z.string()), message: z.string() })),
  }),
});
const mutation = `mutation ($identifier: ProductSetIdentifiers, $input: ProductSetInput!, $synchronous: Boolean) {
  productSet(identifier: $identifier, input: $input, synchronous: $synchronous) {
    product {
      id handle title status tags
      variants(first: 250) { nodes { id title sku price taxable inventoryPolicy inventoryItem { tracked requiresShipping } } }
      metafields(first: 10) { nodes { namespace key value } }
    }
    productSetOperation { id status }
    userErrors { code field message }
  }
}`;
const set = async (input: unknown, identifier: unknown = null, synchronous = true) =>
  (await data(shop, result, mutation, { input, identifier, synchronous })).productSet;
const written = async (input: unknown, identifier: unknown = null) => {
  const { product: made, userErrors } = await set(input, identifier);
  if (made === null) throw new Error(JSON.stringify(userErrors));
  return made;
};

/** An insurance product: one option, a variant per value. */
const plan = (title: string, terms: string[], more: Record<string, unknown> = {}) => ({
  title,
  productOptions: [{ name: "Durée", values: terms.map((name) => ({ name })) }],
  variants: terms.map((name, index) => ({
    optionValues: [{ optionName: "Durée", name }],
    price: `${index + 9}.90`,
    sku: `${title}-${name}`,
    taxable: false,
    inventoryItem: { tracked: false, requiresShipping: false },
  })),
  ...more,
});

describe("productSet", () => {
  it("makes a product with its variants", async () => {
    const made = await written(
      plan("Assurance casse", ["12", "24"], { status: "UNLISTED", tags: ["b", "a"] }),
    );
    expect(made).toMatchObject({ handle: "assurance-casse", status: "UNLISTED", tags: ["a", "b"] });
    expect(made.variants.nodes).toMatchObject([
      {
        title: "12",
        sku: "Assurance casse-12",
        price: "9.90",
        taxable: false,
        inventoryPolicy: "DENY",
        inventoryItem: { tracked: false, requiresShipping: false },
      },
      { title: "24", sku: "Assurance casse-24", price: "10.90" },
    ]);
  });

  it("keeps the ids of variants with the same option values, and deletes those that are left out", async () => {
    const before = await written(plan("Assurance vol", ["12", "24", "36"]));
    const after = await written(plan("Assurance vol", ["24", "48"]), { id: before.id });
    expect(after.id).toBe(before.id);
    expect(after.variants.nodes.map(({ title }) => title)).toEqual(["24", "48"]);
    expect(after.variants.nodes[0]?.id).toBe(before.variants.nodes[1]?.id);
    expect(before.variants.nodes.map(({ id }) => id)).not.toContain(after.variants.nodes[1]?.id);
  });

  it("leaves what is not given as it is", async () => {
    const before = await written(
      plan("Assurance panne", ["12"], {
        tags: ["keep"],
        metafields: [{ namespace: "$app", key: "insurance_category", value: "panne_1" }],
      }),
    );
    const after = await written({ title: "Assurance panne, nouveau nom" }, { id: before.id });
    expect(after).toMatchObject({
      title: "Assurance panne, nouveau nom",
      handle: before.handle,
      tags: ["keep"],
      variants: before.variants,
      metafields: before.metafields,
    });
  });

  it("replaces the metafields when they are given", async () => {
    const made = await written(
      plan("Avec champs", ["12"], {
        metafields: [{ namespace: "own", key: "one", type: "json", value: "{}" }],
      }),
    );
    const after = await written(
      { metafields: [{ namespace: "own", key: "two", type: "boolean", value: "true" }] },
      { id: made.id },
    );
    expect(after.metafields.nodes).toEqual([{ namespace: "own", key: "two", value: "true" }]);
  });

  it("finds a product by handle, and makes it with that handle where there is none", async () => {
    const made = await written(plan("Par adresse", ["12"]), { handle: "par-son-adresse" });
    expect(made.handle).toBe("par-son-adresse");
    const again = await written({ title: "Encore" }, { handle: "par-son-adresse" });
    expect(again.id).toBe(made.id);
  });

  it("finds a product by a custom id", async () => {
    const identifier = { customId: { namespace: "$app", key: "category", value: "c-1" } };
    const made = await written(plan("Par identifiant", ["12"]), identifier);
    expect((await written({ title: "Le même" }, identifier)).id).toBe(made.id);
  });

  it("puts the product into exactly the given collections", async () => {
    const [first, second] = [...shop.state.collections.values()];
    const made = await written(plan("Rangée", ["12"], { collections: [gid("Collection", first?.id ?? "")] }));
    const id = made.id.split("/").at(-1) ?? "";
    expect(first?.productIds).toContain(id);
    await written({ collections: [gid("Collection", second?.id ?? "")] }, { id: made.id });
    expect(first?.productIds).not.toContain(id);
    expect(second?.productIds).toContain(id);
  });

  it("gives another handle where a title is taken", async () => {
    const [one, two] = [await written(plan("Deux fois", ["12"])), await written(plan("Deux fois", ["12"]))];
    expect([one.handle, two.handle]).toEqual(["deux-fois", "deux-fois-1"]);
  });

  it("runs in the background on request, and the operation has the result", async () => {
    const answer = await set(plan("Plus tard", ["12"]), null, false);
    expect(answer).toMatchObject({
      product: null,
      productSetOperation: { status: "CREATED" },
      userErrors: [],
    });
    const operation = z.object({
      productOperation: z.object({
        status: z.string(),
        product: z.object({ title: z.string() }).nullable(),
        userErrors: z.array(z.object({ code: z.string() })),
      }),
    });
    const query =
      "query ($id: ID!) { productOperation(id: $id) { status product { title } ... on ProductSetOperation { userErrors { code } } } }";
    expect(await data(shop, operation, query, { id: answer.productSetOperation?.id })).toEqual({
      productOperation: { status: "COMPLETE", product: { title: "Plus tard" }, userErrors: [] },
    });
  });

  it("reports the errors of a background run through its operation", async () => {
    const { productSetOperation } = await set({ title: "" }, null, false);
    const query =
      "query ($id: ID!) { node(id: $id) { ... on ProductSetOperation { status userErrors { code } } } }";
    expect((await admin(shop, query, { id: productSetOperation?.id })).data).toEqual({
      node: { status: "COMPLETE", userErrors: [{ code: "INVALID_PRODUCT" }] },
    });
  });

  it("notifies the app: products/create, then products/update", async () => {
    const made = await written(plan("Bavarde", ["12"]));
    await written({ title: "Bavarde 2" }, { id: made.id });
    expect(shop.webhooks.log.slice(-2).map(({ topic }) => topic)).toEqual([
      "products/create",
      "products/update",
    ]);
  });

  const values = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}` }));
  it.each<[string, unknown, unknown, string]>([
    ["no title", { title: " " }, null, "INVALID_PRODUCT"],
    ["an unknown product", { title: "x" }, { id: "gid://shopify/Product/1" }, "PRODUCT_DOES_NOT_EXIST"],
    ["a handle of another product", { title: "x", handle: "velin-one" }, null, "HANDLE_NOT_UNIQUE"],
    [
      "variants without options",
      { title: "x", variants: [{ optionValues: [] }] },
      null,
      "PRODUCT_OPTIONS_INPUT_MISSING",
    ],
    [
      "options without variants",
      { title: "x", productOptions: [{ name: "a", values: values(1) }] },
      null,
      "VARIANTS_INPUT_MISSING",
    ],
    [
      "a fourth option",
      {
        title: "x",
        variants: [],
        productOptions: ["a", "b", "c", "d"].map((name) => ({ name, values: values(1) })),
      },
      null,
      "OPTIONS_OVER_LIMIT",
    ],
    [
      "two options of one name",
      { title: "x", variants: [], productOptions: ["a", "A"].map((name) => ({ name, values: values(1) })) },
      null,
      "DUPLICATED_OPTION_NAME",
    ],
    [
      "an option without values",
      { title: "x", variants: [], productOptions: [{ name: "a" }] },
      null,
      "OPTION_VALUES_MISSING",
    ],
    [
      "2,049 variants",
      {
        title: "x",
        productOptions: [{ name: "a", values: values(2049) }],
        variants: values(2049).map(({ name }) => ({ optionValues: [{ optionName: "a", name }] })),
      },
      null,
      "VARIANTS_OVER_LIMIT",
    ],
    [
      "a variant of an unknown option",
      {
        title: "x",
        productOptions: [{ name: "a", values: values(1) }],
        variants: [{ optionValues: [{ optionName: "b", name: "0" }] }],
      },
      null,
      "OPTION_DOES_NOT_EXIST",
    ],
    [
      "a variant of an unknown value",
      {
        title: "x",
        productOptions: [{ name: "a", values: values(1) }],
        variants: [{ optionValues: [{ optionName: "a", name: "7" }] }],
      },
      null,
      "OPTION_VALUE_DOES_NOT_EXIST",
    ],
    [
      "the same variant twice",
      {
        title: "x",
        productOptions: [{ name: "a", values: values(1) }],
        variants: [1, 2].map(() => ({ optionValues: [{ optionName: "a", name: "0" }] })),
      },
      null,
      "INVALID_VARIANT",
    ],
    [
      "a negative price",
      {
        title: "x",
        productOptions: [{ name: "a", values: values(1) }],
        variants: [{ price: "-1", optionValues: [{ optionName: "a", name: "0" }] }],
      },
      null,
      "INVALID_VARIANT",
    ],
    [
      "a metafield that does not fit its type",
      { title: "x", metafields: [{ namespace: "abc", key: "de", type: "json", value: "{" }] },
      null,
      "INVALID_METAFIELD",
    ],
    ["an unknown collection", { title: "x", collections: ["gid://shopify/Collection/1"] }, null, "NOT_FOUND"],
  ])("refuses %s, and writes nothing", async (_what, input, identifier, code) => {
    const before = shop.state.products.size;
    const { product: made, userErrors } = await set(input, identifier);
    expect(made).toBeNull();
    expect(userErrors.map((error) => error.code)).toContain(code);
    expect(shop.state.products.size).toBe(before);
  });

  it("takes 2,048 variants", async () => {
    const terms = Array.from({ length: 2048 }, (_, index) => `${index}`);
    const query =
      "mutation ($input: ProductSetInput!) { productSet(input: $input) { product { variantsCount { count } } userErrors { message } } }";
    expect((await admin(shop, query, { input: plan("Toutes", terms) })).data).toEqual({
      productSet: { product: { variantsCount: { count: 2048 } }, userErrors: [] },
    });
  });
});

describe("productUpdate and productDelete", () => {
  it("changes a product and nothing else of it", async () => {
    const { id } = product(shop, 2);
    const before = structuredClone(product(shop, 2).variants);
    const query = `mutation ($id: ID!) { productUpdate(product: { id: $id, tags: ["neuf"], status: DRAFT }) { product { tags status } userErrors { message } } }`;
    expect((await admin(shop, query, { id: gid("Product", id) })).data).toEqual({
      productUpdate: { product: { tags: ["neuf"], status: "DRAFT" }, userErrors: [] },
    });
    expect(product(shop, 2).variants).toEqual(before);
  });

  it("deletes a product once", async () => {
    const made = await written(plan("Éphémère", ["12"]));
    const query =
      "mutation ($id: ID!) { productDelete(input: { id: $id }) { deletedProductId userErrors { message } } }";
    expect((await admin(shop, query, { id: made.id })).data).toEqual({
      productDelete: { deletedProductId: made.id, userErrors: [] },
    });
    expect((await admin(shop, query, { id: made.id })).data).toEqual({
      productDelete: { deletedProductId: null, userErrors: [{ message: "Product does not exist" }] },
    });
    expect(
      (
        await admin(
          shop,
          "query ($id: ID!) { product(id: $id) { id } productVariant(id: $variant) { id } }".replace(
            "$id: ID!",
            "$id: ID!, $variant: ID!",
          ),
          { id: made.id, variant: made.variants.nodes[0]?.id },
        )
      ).data,
    ).toEqual({ product: null, productVariant: null });
  });
});

describe("publishablePublish", () => {
  const publications = [...shop.state.publications.values()];
  const online = publications.find(({ appHandle }) => appHandle === "online_store");
  const automatic = publications
    .filter(({ autoPublish }) => autoPublish)
    .map(({ id }) => ({ isPublished: true, publication: { id: gid("Publication", id) } }));
  const publication = gid("Publication", online?.id ?? "");
  const publish = `mutation ($id: ID!, $p: ID!) { publishablePublish(id: $id, input: [{ publicationId: $p }]) { publishable { publishedOnPublication(publicationId: $p) } userErrors { field message } } }`;

  it("publishes a new product, which was put on the channels that publish new ones by themselves", async () => {
    const made = await written(plan("À publier", ["12"], { status: "UNLISTED" }));
    const on =
      "query ($id: ID!, $p: ID!) { product(id: $id) { publishedOnPublication(publicationId: $p) resourcePublicationsV2(first: 5) { nodes { isPublished publication { id } } } } }";
    const variables = { id: made.id, p: publication };
    expect((await admin(shop, on, variables)).data).toEqual({
      product: { publishedOnPublication: false, resourcePublicationsV2: { nodes: automatic } },
    });
    expect((await admin(shop, publish, variables)).data).toEqual({
      publishablePublish: { publishable: { publishedOnPublication: true }, userErrors: [] },
    });
    expect((await admin(shop, on, variables)).data).toEqual({
      product: {
        publishedOnPublication: true,
        resourcePublicationsV2: {
          nodes: expect.arrayContaining([
            ...automatic,
            { isPublished: true, publication: { id: publication } },
          ]) as unknown,
        },
      },
    });
  });

  it("refuses an unknown channel", async () => {
    const answer = await admin(shop, publish, {
      id: gid("Product", product(shop).id),
      p: "gid://shopify/Publication/1",
    });
    expect(answer.data).toMatchObject({
      publishablePublish: { publishable: null, userErrors: [{ field: ["input", "0", "publicationId"] }] },
    });
  });
});

describe("productVariantsBulkUpdate", () => {
  const update = (productId: string, variants: unknown[]) =>
    admin(
      shop,
      `mutation ($id: ID!, $variants: [ProductVariantsBulkInput!]!) {
        productVariantsBulkUpdate(productId: $id, variants: $variants) { productVariants { price } userErrors { code field } }
      }`,
      { id: productId, variants },
    );
  const pricesOf = ({ id }: { id: string }) =>
    shop.state.products.get(id.split("/").at(-1) ?? "")?.variants.map(({ price }) => price);

  it("writes the variants that it names, for 10 points and 0.2 each", async () => {
    const made = await written(plan("Assurance prix", ["12", "24", "36"]));
    const [, second, third] = made.variants.nodes;
    const answer = await update(made.id, [
      { id: second?.id, price: "1.23" },
      { id: third?.id, price: "4.56", inventoryItem: { tracked: true } },
    ]);
    expect(answer.data).toEqual({
      productVariantsBulkUpdate: { productVariants: [{ price: "1.23" }, { price: "4.56" }], userErrors: [] },
    });
    expect(pricesOf(made)).toEqual([990, 123, 456]);
    // And one for each of the two variants that are returned.
    expect(answer.extensions?.cost.actualQueryCost).toBe(Math.ceil(10 + 0.4 + 2));
  });

  it("writes nothing where one of them is not the product's, or has a price below nothing", async () => {
    const made = await written(plan("Assurance prix faux", ["12", "24"]));
    const [first, second] = made.variants.nodes;
    const answer = await update(made.id, [
      { id: first?.id, price: "1.00" },
      { id: "gid://shopify/ProductVariant/1", price: "1.00" },
      { id: second?.id, price: "-1.00" },
    ]);
    expect(answer.data).toMatchObject({
      productVariantsBulkUpdate: {
        userErrors: [
          { code: "PRODUCT_VARIANT_DOES_NOT_EXIST", field: ["variants", "1", "id"] },
          { code: "GREATER_THAN_OR_EQUAL_TO", field: ["variants", "2", "price"] },
        ],
      },
    });
    expect(pricesOf(made)).toEqual([990, 1_090]);
  });

  it("takes 250 at a time", async () => {
    const answer = await update(
      "gid://shopify/Product/1",
      Array.from({ length: 251 }, () => ({ price: "1" })),
    );
    expect(codes(answer)).toEqual(["MAX_INPUT_SIZE_EXCEEDED"]);
  });
});

describe("a shop with more variants than 50,000", () => {
  it("makes 1,000 a day, and refuses a call that would make more as a whole", async () => {
    const { variantThrottle: throttle } = shop.api;
    Object.assign(throttle, { from: shop.state.variantProducts.size, perDay: 3 });
    const made = await written(plan("Assurance limitée", ["12", "24"]));
    const input = plan("Assurance de trop", ["12", "24"]);
    const answer = await admin(shop, mutation, { input, identifier: null, synchronous: true });
    expect(codes(answer)).toEqual(["VARIANT_THROTTLE_EXCEEDED"]);
    expect(answer.data).toEqual({ productSet: null });
    const later = await set(input, null, false);
    const finished = await eventually(async () => {
      const { productOperation } = await data(
        shop,
        z.object({
          productOperation: z.object({
            status: z.string(),
            userErrors: z.array(z.object({ code: z.string() })),
          }),
        }),
        "query ($id: ID!) { productOperation(id: $id) { status ... on ProductSetOperation { userErrors { code } } } }",
        { id: later.productSetOperation?.id },
      );
      return productOperation.status === "COMPLETE" && productOperation;
    });
    expect(finished.userErrors).toEqual([{ code: "VARIANTS_OVER_LIMIT" }]);
    // What exists may change, and one more may be made.
    await written(plan("Assurance limitée", ["12", "24", "36"]), { id: made.id });
    throttle.nextDay();
    await written(input);
    Object.assign(throttle, { from: 50_000, perDay: 1_000 });
  });
});
