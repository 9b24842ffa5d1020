/** The webhooks `products/create` and `products/update`. */
import { PLAN_TAG } from "#app/catalogue/sync/plan-products.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { toMinorUnits } from "#app/platform/money.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { categoriseProduct } from "./categorise-products.server.ts";
import { fetchProduct } from "./product-query.server.ts";
import { deleteProduct, saveProduct } from "./product-store.server.ts";
import { listRules } from "./rules.server.ts";
import type { ProductPayload } from "#app/shopify/payloads/products.ts";

/**
 * Follows `products/create` and `products/update`: the product is read again and its category decided. It is read,
 * because an event has no collections, may be older than the last one, and leaves out variants of large products. An
 * event that says nothing new about what the rules look at (most are about stock) costs no call.
 * @returns false where it is a plan product
 */
export async function handleProductWebhook(shop: string, payload: ProductPayload): Promise<boolean> {
  if (payload.tags.includes(PLAN_TAG)) {
    await deleteProduct(shop, payload.id);
    return false;
  }
  const rules = await listRules(shop);
  const merchant = await findMerchant(shop);
  const currency = merchant?.currency ?? "";
  const looksAtCollections = rules.some(({ conditions }) =>
    conditions.some(({ field }) => field === "collection"),
  );
  if (!looksAtCollections && (await isUnchanged(shop, payload, currency))) return true;
  const adminClient = createAdminClient(shop);
  const read = await fetchProduct(adminClient, payload.id, currency);
  if (!read) await deleteProduct(shop, payload.id);
  else {
    await saveProduct(shop, read);
    await categoriseProduct(adminClient, payload.id, rules);
  }
  return true;
}

async function isUnchanged(shop: string, payload: ProductPayload, currency: string): Promise<boolean> {
  const row = await db.shopProduct.findUnique({ where: { shop_productId: { shop, productId: payload.id } } });
  const known = await db.shopVariant.findMany({ where: { shop, productId: payload.id } });
  const prices = new Map(known.map(({ variantId, priceMinor }) => [variantId, priceMinor]));
  const { variants } = payload;
  return (
    row !== null &&
    row.title === payload.title &&
    row.handle === payload.handle &&
    row.status === payload.status &&
    row.productType === payload.productType &&
    row.vendor === payload.vendor &&
    row.tags.toSorted().join() === payload.tags.toSorted().join() &&
    variants.length === known.length &&
    variants.every((variant) => prices.get(variant.id) === toMinorUnits(variant.price, currency))
  );
}
