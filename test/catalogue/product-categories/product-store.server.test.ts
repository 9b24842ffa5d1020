/** Two concurrent reads of the shop's products write the same rows: each statement locks them in one order. */
import { beforeEach, expect, test } from "vitest";
import {
  deleteProducts,
  deleteUnread,
  recordWrittenKeys,
  saveDecisions,
  saveProducts,
  upsertChildren,
} from "#app/catalogue/product-categories/product-store.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { eventually } from "#test/eventually.ts";
import { shop } from "#test/world.ts";

const { shopDomain } = shop;
const [FIRST, SECOND] = ["1", "2"];
/** In the wrong order, as a read may return them and as the table may store them. */
const both = [SECOND, FIRST];

const later = () => new Date(Date.now() + 60_000);
const row = (productId: string) => ({
  productId,
  title: `Product ${productId}`,
  handle: `product-${productId}`,
  status: "ACTIVE",
  productType: "",
  vendor: "",
  tags: [],
  isBundle: false,
  writtenKey: null,
});

beforeEach(async () => {
  await db.shopProduct.deleteMany({ where: { shop: shopDomain } });
  for (const productId of both)
    await db.shopProduct.create({
      data: { ...row(productId), shop: shopDomain, collections: [], savedAt: new Date(0) },
    });
});

test.each([
  {
    what: "what was written to them",
    write: () =>
      recordWrittenKeys(
        shopDomain,
        both.map((productId) => ({ productId, key: "Photo" })),
      ),
  },
  {
    what: "what the rules decided",
    write: () =>
      saveDecisions(
        shopDomain,
        both.map((productId) => ({ productId, categoryId: "Photo", decidedBy: null })),
      ),
  },
  {
    what: "their collections",
    write: () =>
      upsertChildren(
        shopDomain,
        both.map((productId) => ({ productId, collectionId: "7" })),
        later(),
      ),
  },
  {
    what: "all of them",
    write: () =>
      saveProducts(
        shopDomain,
        both.map((productId) => ({ product: row(productId), children: [] })),
        later(),
      ),
  },
  { what: "that a read did not see them", write: () => deleteUnread(shopDomain, later()) },
  { what: "that they are gone", write: () => deleteProducts(shopDomain, both) },
])("who saves $what waits for the first and holds no other", async ({ write }) => {
  let writing: Promise<void> | undefined;
  const first = async (tx: Transaction) => {
    await tx.$queryRaw`
      SELECT 1 FROM "ShopProduct" WHERE shop = ${shopDomain} AND "productId" = ${FIRST} FOR UPDATE`;
    writing = write();
    await eventually(async () => {
      const waiting = await db.$queryRaw`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(1);
    });
    await tx.$queryRaw`
      SELECT 1 FROM "ShopProduct" WHERE shop = ${shopDomain} AND "productId" = ${SECOND} FOR UPDATE NOWAIT`;
  };
  await db.$transaction(first, { timeout: 180_000 });
  await writing;
});
