/** Records what a sync wrote: the next one compares the shop with it. */
import { system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { saveReferenceStates } from "#app/catalogue/references/references.server.ts";
import type { AppliedCategory, AppliedProduct } from "./category-changes.ts";
import { restoredValues } from "./difference.ts";
import { isSellable } from "./plan-product-state.ts";
import type { FoundProduct } from "./plan-product-state.ts";
import type { SyncContext } from "./sync-context.server.ts";
import { recordProduct, recordVariants } from "./synced-products.server.ts";

/**
 * Records a product at once after its change, so that a sync that is cut off finds it again, and what the change restored
 * of a merchant's edits. A product that was not changed may still be unknown to the record.
 */
export async function recordProductChange(
  { adminClient, environment, report, recordedProducts, recordedVariants }: SyncContext,
  { change, productId, found, outcome }: AppliedProduct,
): Promise<void> {
  if (outcome === "refused") return;
  const { shop } = adminClient;
  const status = recordedProducts.find((recorded) => recorded.productId === productId)?.status;
  if (status !== change.state.status) await recordProduct(shop, environment, productId, change);
  const restored = restoredValues(change, found, { status, variants: recordedVariants });
  if (restored === null) return;
  const actor = system("catalogue_sync");
  await recordAudit({ shop, actor, action: "plan_product_restored", subject: productId, ...restored });
  report.count("products_restored");
}

/**
 * Records the variants of a category, the formulas of its references and what is wrong with them.
 * @param created products with new variants, as they were read again for the variants' ids
 */
export async function recordCategory(
  { adminClient, environment, report, recordedVariants }: SyncContext,
  { stored, products, formulas, problems }: AppliedCategory,
  created: ReadonlyMap<string, FoundProduct>,
): Promise<void> {
  const { shop } = adminClient;
  for (const { change, productId, found } of products) {
    const product = created.get(productId) ?? found;
    if (!product) continue;
    const sellable = isSellable(change.state);
    await recordVariants(shop, environment, product, change.variants, sellable, recordedVariants);
  }
  const categoryId = stored.category.id;
  await saveReferenceStates(shop, environment, categoryId, { formulas, problems });
  const refused = [...problems].filter(([, { problem }]) => problem !== "variant_limit");
  await report.problems(refused.map(([referenceId, problem]) => ({ categoryId, referenceId, ...problem })));
  report.count("problems", refused.length);
  // Nothing is wrong with these: they follow when the shop may create variants again.
  report.count("variants_waiting", problems.size - refused.length);
}
