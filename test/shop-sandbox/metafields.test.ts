import { describe, expect, it } from "vitest";
import { z } from "zod";
import { gid } from "#test/sandbox/shop/ids.ts";
import { appId } from "#test/sandbox/shop/metafields.ts";
import { admin, data, openShop, product } from "./client.ts";

const shop = await openShop();
const own = gid("AppInstallation", shop.state.installation?.id ?? "");
const aProduct = gid("Product", product(shop).id);

const result = z.object({
  metafieldsSet: z.object({
    metafields: z.array(
      z.object({
        id: z.string(),
        namespace: z.string(),
        key: z.string(),
        type: z.string(),
        value: z.string(),
        compareDigest: z.string(),
      }),
    ),
    userErrors: z.array(
      z.object({
        code: z.string(),
        field: z.array(z.string()),
        elementIndex: z.number().nullable(),
        message: z.string(),
      }),
    ),
  }),
});
const set = async (...metafields: unknown[]) =>
  (
    await data(
      shop,
      result,
      `mutation ($metafields: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $metafields) {
        metafields { id namespace key type value compareDigest } userErrors { code field elementIndex message } } }`,
      { metafields },
    )
  ).metafieldsSet;
const catalogue = (key: string, more: Record<string, unknown> = {}) => ({
  ownerId: own,
  namespace: "catalogue",
  key,
  type: "json",
  value: '{"v":1}',
  ...more,
});

describe("metafieldsSet", () => {
  it("writes app data, which the installation shows", async () => {
    const { userErrors } = await set(catalogue("phones"), {
      ownerId: own,
      namespace: "touchpoints",
      key: "cart",
      type: "boolean",
      value: "true",
    });
    expect(userErrors).toEqual([]);
    const query = `{ currentAppInstallation { id
      one: metafield(namespace: "catalogue", key: "phones") { jsonValue ownerType }
      metafields(first: 5, namespace: "touchpoints") { nodes { key value } } } }`;
    expect((await admin(shop, query)).data).toEqual({
      currentAppInstallation: {
        id: own,
        one: { jsonValue: { v: 1 }, ownerType: "API_PERMISSION" },
        metafields: { nodes: [{ key: "cart", value: "true" }] },
      },
    });
  });

  it("resolves the app-reserved namespace, which is also the default", async () => {
    const { metafields } = await set(
      { ownerId: aProduct, namespace: "$app", key: "insurance_category", value: "phones_1" },
      { ownerId: aProduct, key: "other", type: "id", value: "1" },
      { ownerId: aProduct, namespace: "$app:more", key: "kind", type: "id", value: "2" },
    );
    expect(metafields.map(({ namespace }) => namespace)).toEqual([
      `app--${appId}`,
      `app--${appId}`,
      `app--${appId}--more`,
    ]);
    expect(metafields[0]?.type).toBe("single_line_text_field");
    const query =
      'query ($id: ID!) { product(id: $id) { metafield(namespace: "$app", key: "insurance_category") { value } } }';
    expect((await admin(shop, query, { id: aProduct })).data).toEqual({
      product: { metafield: { value: "phones_1" } },
    });
  });

  it("keeps the id when it writes again, and changes the digest with the value", async () => {
    const [first] = (await set(catalogue("again"))).metafields;
    const [same] = (await set(catalogue("again"))).metafields;
    const [changed] = (await set(catalogue("again", { value: '{"v":2}' }))).metafields;
    expect([same?.id, changed?.id]).toEqual([first?.id, first?.id]);
    expect(same?.compareDigest).toBe(first?.compareDigest);
    expect(changed?.compareDigest).not.toBe(first?.compareDigest);
  });

  it("writes only over what the digest says, when one is given", async () => {
    const [first] = (await set(catalogue("compared", { compareDigest: null }))).metafields;
    expect((await set(catalogue("compared", { compareDigest: null }))).userErrors).toMatchObject([
      { code: "STALE_OBJECT" },
    ]);
    expect(
      (await set(catalogue("compared", { value: "[]", compareDigest: first?.compareDigest }))).userErrors,
    ).toEqual([]);
    expect(
      (await set(catalogue("compared", { value: "{}", compareDigest: first?.compareDigest }))).userErrors,
    ).toMatchObject([{ code: "STALE_OBJECT" }]);
  });

  it("writes all or nothing", async () => {
    const { metafields, userErrors } = await set(catalogue("good-one"), catalogue("bad-one", { value: "{" }));
    expect(metafields).toEqual([]);
    expect(userErrors).toMatchObject([
      { code: "INVALID_VALUE", elementIndex: 1, field: ["metafields", "1", "value"] },
    ]);
    const query = '{ currentAppInstallation { metafield(namespace: "catalogue", key: "good-one") { id } } }';
    expect((await admin(shop, query)).data).toEqual({ currentAppInstallation: { metafield: null } });
  });

  it("takes 25 and refuses 26", async () => {
    const many = Array.from({ length: 26 }, (_, index) => catalogue(`many-${index}`));
    expect((await set(...many)).userErrors).toMatchObject([{ code: "LESS_THAN_OR_EQUAL_TO" }]);
    expect((await set(...many.slice(0, 25))).metafields).toHaveLength(25);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a value that does not fit", catalogue("k1", { type: "boolean", value: "yes" }), "INVALID_VALUE"],
    [
      "two lines in a single-line text",
      catalogue("k2", { type: "single_line_text_field", value: "a\nb" }),
      "INVALID_VALUE",
    ],
    ["an empty value", catalogue("k3", { value: "" }), "BLANK"],
    ["no type where none is known", catalogue("k4", { type: null }), "BLANK"],
    ["an unknown type", catalogue("k5", { type: "colour_of_money" }), "INVALID_TYPE"],
    [
      "another type than the declared one",
      { ownerId: aProduct, namespace: "$app", key: "insurance_category", type: "json", value: "{}" },
      "INVALID_TYPE",
    ],
    ["a key of one character", catalogue("k"), "TOO_SHORT"],
    ["a key of 65 characters", catalogue("k".repeat(65)), "TOO_LONG"],
    ["a key with a dot", catalogue("a.b"), "INVALID"],
    ["an unknown owner", catalogue("k6", { ownerId: "gid://shopify/Product/1" }), "INVALID"],
    ["another app's namespace", catalogue("k7", { namespace: "app--1" }), "APP_NOT_AUTHORIZED"],
    [
      "a json of more than 128 kB",
      catalogue("k8", { value: JSON.stringify("x".repeat(131_072)) }),
      "TOO_LONG",
    ],
  ])("refuses %s", async (_what, metafield, code) => {
    expect((await set(metafield)).userErrors.map((error) => error.code)).toEqual([code]);
  });

  it("needs the scope that writes the owner", async () => {
    const token = shop.tokens.offline(["read_products"]).token;
    const query =
      "mutation ($m: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $m) { userErrors { code } } }";
    const onProduct = { ownerId: aProduct, namespace: "abc", key: "de", type: "id", value: "1" };
    expect((await admin(shop, query, { m: [onProduct] }, { token })).data).toEqual({
      metafieldsSet: { userErrors: [{ code: "APP_NOT_AUTHORIZED" }] },
    });
    expect((await admin(shop, query, { m: [catalogue("scope")] }, { token })).data).toEqual({
      metafieldsSet: { userErrors: [] },
    });
  });

  it("costs by its owners", async () => {
    const query =
      "mutation ($m: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $m) { userErrors { code } } }";
    const onProducts = [0, 1, 1].map((index, at) => ({
      ownerId: gid("Product", product(shop, index).id),
      namespace: "abc",
      key: `key-${at}`,
      type: "id",
      value: "1",
    }));
    const { extensions } = await admin(shop, query, { m: onProducts });
    // 10, two products at 4 each, and the list of errors
    expect(extensions?.cost.requestedQueryCost).toBe(10 + 2 * 4 + 1);
  });
});

describe("metafieldsDelete", () => {
  it("deletes what is there and answers null for what is not", async () => {
    await set(catalogue("to-go"));
    const query =
      "mutation ($m: [MetafieldIdentifierInput!]!) { metafieldsDelete(metafields: $m) { deletedMetafields { ownerId namespace key } userErrors { message } } }";
    const there = { ownerId: own, namespace: "catalogue", key: "to-go" };
    expect((await admin(shop, query, { m: [there, { ...there, key: "never" }] })).data).toEqual({
      metafieldsDelete: { deletedMetafields: [there, null], userErrors: [] },
    });
  });
});

it("app data goes with the installation", async () => {
  await set(catalogue("lost"));
  shop.uninstall();
  shop.install();
  const query = "{ currentAppInstallation { metafields(first: 10) { nodes { key } } } }";
  expect((await admin(shop, query)).data).toEqual({ currentAppInstallation: { metafields: { nodes: [] } } });
});
