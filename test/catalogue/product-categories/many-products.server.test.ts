/** A shop that is too large for single requests: the app reads and writes its products in bulk. */
import { beforeAll, expect, it } from "vitest";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { countProducts } from "#app/catalogue/product-categories/product-store.server.ts";
import { connectShop } from "#test/install.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { manyProducts } from "#test/sandbox/shop/seed/many.ts";
import { shop } from "#test/world.ts";
import { applyRules } from "#test/catalogue/world.ts";

const { shopDomain, state } = shop;

beforeAll(async () => {
  manyProducts(state, 6_000);
  await connectShop();
});

it("a shop of 6,000 products costs a few calls, and every product gets its category", async () => {
  const [first] = state.products.values();
  const productType = first?.productType ?? "";
  const run = await applyRules([
    { id: "one", categoryId: "Photo", conditions: [{ field: "product_type", value: productType }] },
  ]);
  expect(run).toMatchObject({ state: "done" });
  expect(await countProducts(shopDomain)).toBe(state.products.size);
  const written = [...state.products.values()].filter(
    ({ id }) =>
      findMetafield(state, gid("Product", id), "$app", "insurance_category")?.value === categoryKey("Photo"),
  );
  expect(written.map(({ id }) => id)).toEqual(
    [...state.products.values()].filter((product) => product.productType === productType).map(({ id }) => id),
  );
  expect(written.length).toBeGreaterThan(500);
  expect(run.adminCalls).toBeLessThan(60);
  expect(run.points).toBeLessThan(200);
});
