/** Records what a sync wrote: the next one compares the shop with it. */
import { saveReferenceProblems } from "#app/catalogue/references/references.server.ts";
import type { AppliedCategory, AppliedProduct } from "./category-changes.ts";
import { recordManualEdits } from "./manual-edits.server.ts";
import { isSellable } from "./plan-product-state.ts";
import type { FoundProduct } from "./plan-product-state.ts";
import type { SyncContext } from "./sync-context.server.ts";
import { recordProduct, recordVariants } from "./synced-products.server.ts";

/**
 * Records a product at once after its change, so that a sync that is cut off finds it again. One that was not changed may
 * still be unknown to the record, and a merchant's edit of it may have been kept.
 */
export async function recordProductChange(
  { adminClient, environment, report, recordedProducts }: SyncContext,
  { change, productId, outcome }: AppliedProduct,
): Promise<void> {
  if (outcome === "refused") return;
  const isRecorded = recordedProducts.some((recorded) => recorded.productId === productId);
  if (outcome === "written" || !isRecorded) {
    await recordProduct(adminClient.shop, environment, productId, change);
  }
  const edits = await recordManualEdits(adminClient.shop, report.run.id, productId, change.edits);
  report.count("edits", edits);
}

/**
 * Records the variants of a category and what is wrong with its references.
 * @param created products with new variants, as they were read again for the variants' ids
 */
export async function recordCategory(
  { adminClient, environment, report, recordedVariants }: SyncContext,
  { stored, products, problems }: AppliedCategory,
  created: ReadonlyMap<string, FoundProduct>,
): Promise<void> {
  const { shop } = adminClient;
  for (const { change, productId, found } of products) {
    const product = created.get(productId) ?? found;
    if (!product) continue;
    const sellable = isSellable(change.fields);
    await recordVariants(shop, environment, product, change.variants, sellable, recordedVariants);
  }
  const categoryId = stored.category.id;
  await saveReferenceProblems(shop, environment, categoryId, problems);
  const refused = [...problems].filter(([, { problem }]) => problem !== "variant_limit");
  await report.problems(refused.map(([referenceId, problem]) => ({ categoryId, referenceId, ...problem })));
  report.count("problems", refused.length);
  // Nothing is wrong with these: they follow when the shop may create variants again.
  report.count("variants_waiting", problems.size - refused.length);
}
