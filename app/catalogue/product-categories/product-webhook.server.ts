/** Handles the webhooks `products/create`, `products/update` and `products/delete`. */
import { PLAN_TAG } from "#app/catalogue/sync/plan-products.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { databaseNow, db } from "#app/platform/db.server.ts";
import { toCappedMinorUnits } from "#app/platform/money.ts";
import type { ShopProduct } from "#app/platform/prisma/client.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { ProductPayload } from "#app/shopify/payloads/products.ts";
import { categoriseKnown } from "./categorise-products.server.ts";
import { recordedAmong } from "#app/catalogue/sync/synced-products.server.ts";
import { fetchProducts, PRODUCTS_PER_CALL } from "./product-query.server.ts";
import { deleteProducts, saveProducts } from "./product-store.server.ts";
import { listRules } from "./rules.server.ts";

/**
 * Finds the products to read again. A webhook does not suffice: it has no collections, may be stale, and leaves out
 * variants of large products. A webhook that changes no field of the rules costs no call: most are about stock. Plan
 * products are skipped, except in products/delete, which names no tags: whether the product is gone, Shopify says.
 */
export async function findProductsToRead(
  shop: string,
  payloads: readonly ProductPayload[],
): Promise<Set<string>> {
  const ours = payloads.filter(({ tags }) => tags.includes(PLAN_TAG)).map(({ id }) => id);
  await deleteProducts(shop, ours);
  const others = payloads.filter(({ id }) => !ours.includes(id));
  const rules = await listRules(shop);
  const looksAtCollections = rules.some(({ conditions }) =>
    conditions.some(({ field }) => field === "collection"),
  );
  const ids = new Set(others.map(({ id }) => id));
  if (looksAtCollections || ids.size === 0) return ids;
  const currency = (await findMerchant(shop))?.currency ?? "";
  const where = { shop, productId: { in: [...ids] } };
  const rows = new Map((await db.shopProduct.findMany({ where })).map((row) => [row.productId, row]));
  const variants = Map.groupBy(await db.shopVariant.findMany({ where }), ({ productId }) => productId);
  return new Set(
    others
      .filter((payload) => {
        const prices = new Map(
          (variants.get(payload.id) ?? []).map(({ variantId, priceMinor }) => [variantId, priceMinor]),
        );
        return !isUnchanged(payload, rows.get(payload.id), prices, currency);
      })
      .map(({ id }) => id),
  );
}

function isUnchanged(
  payload: ProductPayload,
  row: ShopProduct | undefined,
  prices: ReadonlyMap<string, number>,
  currency: string,
): boolean {
  const { variants } = payload;
  return (
    row !== undefined &&
    row.title === payload.title &&
    row.handle === payload.handle &&
    row.status === payload.status &&
    row.productType === payload.productType &&
    row.vendor === payload.vendor &&
    row.isBundle === (payload.isBundle ?? row.isBundle) &&
    row.tags.toSorted().join() === payload.tags.toSorted().join() &&
    variants.length === prices.size &&
    variants.every((variant) => prices.get(variant.id) === toCappedMinorUnits(variant.price, currency))
  );
}

/** A batch of products that were read and decided together. */
interface FollowedProducts {
  productIds: string[];
  /** a plan product is not in the shop any more: only the next sync writes it again */
  isPlanProductGone: boolean;
  /** Shopify's message for each product whose category it refused */
  refused: Map<string, string>;
}

/**
 * Reads these products again and decides their categories, one call at a time.
 * @throws AdminRefused, AdminUnavailable, NoAccess
 */
export async function* followProducts(
  adminClient: AdminClient,
  productIds: readonly string[],
): AsyncGenerator<FollowedProducts> {
  const { shop } = adminClient;
  const currency = (await findMerchant(shop))?.currency ?? "";
  for (let from = 0; from < productIds.length; from += PRODUCTS_PER_CALL) {
    const group = productIds.slice(from, from + PRODUCTS_PER_CALL);
    const asOf = await databaseNow();
    const read = await fetchProducts(adminClient, group, currency);
    await deleteProducts(
      shop,
      group.filter((id) => !read.has(id)),
    );
    const plans = await recordedAmong(shop, group);
    const isPlanProductGone = plans.some((id) => !read.has(id));
    for (const id of plans) read.delete(id);
    await saveProducts(shop, [...read.values()], asOf);
    const refused = await categoriseKnown(adminClient, [...read.keys()]);
    yield { productIds: group, isPlanProductGone, refused };
  }
}
