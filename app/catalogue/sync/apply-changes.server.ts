/** Applies the planned changes of a category to the shop, product by product. */
import type { ReferenceProblem } from "#app/catalogue/references/reference.ts";
import type { AppliedCategory, AppliedProduct, CategoryChanges, PlannedProduct } from "./category-changes.ts";
import { hasWrites, withoutReferences } from "./difference.ts";
import type { ProductChange } from "./difference.ts";
import { recordProductChange } from "./record-changes.server.ts";
import type { SyncContext } from "./sync-context.server.ts";
import { writePlanProduct } from "./write-plan-product.server.ts";

export async function applyCategoryChanges(
  context: SyncContext,
  changes: CategoryChanges,
): Promise<AppliedCategory> {
  const { adminClient, report, signal } = context;
  const problems = new Map(changes.problems);
  const products: AppliedProduct[] = [];
  for (const planned of changes.products) {
    signal.throwIfAborted();
    const applied = await applyProductChange(context, planned, problems);
    if (applied) {
      await recordProductChange(context, applied);
      products.push(applied);
    }
    report.recordCost({ adminCalls: adminClient.cost.requests, points: adminClient.cost.points });
    await report.advance();
  }
  return { ...changes, problems, products };
}

/**
 * Where the platform refuses single references, they are added to the problems and the others are written without them.
 * Null: the shop does not have the product.
 */
async function applyProductChange(
  { adminClient, publicationId, locale, signal, report }: SyncContext,
  { found, change: planned }: PlannedProduct,
  problems: Map<string, ReferenceProblem>,
): Promise<AppliedProduct | null> {
  if (!hasWrites(planned)) {
    const { productId } = planned;
    return productId === null ? null : { change: planned, productId, found, outcome: "unchanged" };
  }
  let change = planned;
  for (;;) {
    const result = await writePlanProduct(adminClient, publicationId, change, locale, signal);
    if (result.ok) {
      report.count("products_written");
      for (const { change: kind } of change.variants) if (kind !== "none") report.count(`variants_${kind}`);
      return { change, productId: result.productId, found, outcome: "written" };
    }
    const isWholeProduct = result.references.size === 0;
    const refused = isWholeProduct ? allReferences(planned, result.message) : result.references;
    for (const [referenceId, detail] of refused) {
      problems.set(referenceId, { problem: "not_written", detail });
    }
    const rest = withoutReferences(change, new Set(refused.keys()), found);
    if (isWholeProduct || rest.variants.length === 0) {
      if (!found) return null;
      return { change: { ...rest, fields: found }, productId: found.productId, found, outcome: "refused" };
    }
    change = rest;
  }
}

function allReferences({ variants }: ProductChange, message: string): Map<string, string> {
  return new Map(
    variants.flatMap(({ referenceId }) => (referenceId === null ? [] : [[referenceId, message] as const])),
  );
}
