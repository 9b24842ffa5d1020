/** Reads what the shop has of the app's plan products, before and after a sync writes them. */
import type { AppliedProduct } from "./category-changes.ts";
import type { FoundProduct } from "./plan-product-state.ts";
import { hasPlanProducts, readPlanProduct, readPlanProducts } from "./read-plan-products.server.ts";
import type { SyncContext } from "./sync-context.server.ts";

/**
 * The plan products of the shop by id, and the ids of those that were deleted there. A recorded product that the search
 * does not return is read by its id before it counts as deleted.
 */
export async function readShop({
  adminClient,
  publicationId,
  locale,
  signal,
  recordedProducts,
}: SyncContext): Promise<{ found: Map<string, FoundProduct>; deleted: string[] }> {
  // Before the first run there is nothing to read, unless the app's record of it was lost.
  const isReadNeeded = recordedProducts.length > 0 || (await hasPlanProducts(adminClient));
  const found = isReadNeeded
    ? await readPlanProducts(adminClient, publicationId, locale.currency, signal)
    : new Map<string, FoundProduct>();
  const deleted: string[] = [];
  for (const { productId } of recordedProducts) {
    if (found.has(productId)) continue;
    const product = await readPlanProduct(adminClient, publicationId, productId, locale.currency);
    if (product) found.set(productId, product);
    else deleted.push(productId);
  }
  return { found, deleted };
}

/** The platform does not return the ids of variants that it created: one bulk read finds them all. */
export async function readCreatedVariants(
  { adminClient, publicationId, locale, signal }: SyncContext,
  applied: readonly AppliedProduct[],
): Promise<Map<string, FoundProduct>> {
  const withCreated = applied.filter(({ change }) =>
    change.variants.some(({ variantId }) => variantId === null),
  );
  if (withCreated.length === 0) return new Map();
  const found = await readPlanProducts(adminClient, publicationId, locale.currency, signal);
  for (const { change, productId } of withCreated) {
    const skus = new Set(found.get(productId)?.variants.map(({ sku }) => sku));
    // The search index lags behind the writes at times.
    if (change.variants.every(({ sku }) => skus.has(sku))) continue;
    const product = await readPlanProduct(adminClient, publicationId, productId, locale.currency);
    if (product) found.set(productId, product);
  }
  return found;
}
