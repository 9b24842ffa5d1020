/**
 * Plans the changes in the shop for one category and applies them: new values of variants in bulk, the rest product
 * by product. Records what was written, and the next sync compares the shop with that record.
 */
import { system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import type { StoredCategory } from "#app/catalogue/references/categories.server.ts";
import { formulaNames } from "#app/catalogue/references/formula.ts";
import {
  findReferenceProblems,
  type ReferenceProblem,
} from "#app/catalogue/references/reference-problems.ts";
import { isLink } from "#app/platform/web-address.ts";
import {
  listReferences,
  listReferencesById,
  saveReferenceStates,
} from "#app/catalogue/references/references.server.ts";
import { env } from "#app/platform/env.server.ts";
import type { AppliedCategory, AppliedProduct, CategoryChanges, PlannedProduct } from "./category-changes.ts";
import {
  changedVariants,
  createdReferences,
  diffPlanProduct,
  hasWrites,
  type ProductChange,
  restoredValues,
  withoutReferences,
  withoutVariantWrites,
} from "./difference.ts";
import { type FoundProduct, isSellable, variantsByReference } from "./plan-product-state.ts";
import { handleOf, type ReferenceOnSale, wantedProducts } from "./plan-products.ts";
import type { SyncContext } from "./sync-context.server.ts";
import { forgetBands, recordProduct, recordVariants } from "./synced-products.server.ts";
import { updateVariantsInBulk } from "./update-variants.server.ts";
import { writePlanProduct } from "./write-plan-product.server.ts";

/** A neutral shield without text: a cart line without a picture looks broken. */
const PICTURE = new URL("/insurance.png", env.SHOPIFY_APP_URL).href;

export async function planCategoryChanges(
  context: SyncContext,
  stored: StoredCategory,
  shopProducts: ReadonlyMap<string, FoundProduct>,
): Promise<CategoryChanges> {
  const { adminClient, environment, isSelling, rule, settings, locale } = context;
  const { category } = stored;
  const references = await listReferences(adminClient.shop, environment, category.id);
  const { conditionsUrl: conditions, ipidUrl: ipid } = category.legal;
  const offered = references.filter(({ vanished }) => !vanished);
  const problems = findReferenceProblems(offered, {
    currency: locale.currency,
    rule,
    hasDocuments: isLink(conditions) && isLink(ipid),
  });
  // The references on sale determine the formulas; a retired reference takes the name of a similar one.
  const formulas = formulaNames(offered.filter(({ referenceId }) => !problems.has(referenceId)));
  const byPart = productsByPart(context, category.id, shopProducts);
  const parts = partsByReference(context, byPart);
  const categoryReferenceIds = new Set(references.map(({ referenceId }) => referenceId));
  const elsewhere = [...parts.keys()].filter((referenceId) => !categoryReferenceIds.has(referenceId));
  const moved = await listReferencesById(adminClient.shop, environment, elsewhere);
  // A retired reference stays in the shop if it was sold: carts and orders may contain it.
  const kept = references
    .map((reference): ReferenceOnSale => {
      return {
        ...reference,
        onSale: !reference.vanished && !problems.has(reference.referenceId),
        formula: formulas.get(reference.referenceId) ?? null,
      };
    })
    .filter(({ onSale, referenceId }) => onSale || parts.has(referenceId));
  // A reference that the insurer moved to another category is sold in that category.
  const members = [...kept, ...moved.map((reference) => ({ ...reference, onSale: false, formula: null }))];
  const products = wantedProducts(category, members, parts, {
    environment,
    isSelling,
    image: PICTURE,
    insurer: context.insurer,
    ...settings,
  });
  return {
    stored,
    references: new Map(references.map((reference) => [reference.referenceId, reference])),
    formulas,
    problems,
    products: products.map((product) => {
      const existing = byPart.get(product.part) ?? null;
      return {
        existingProduct: existing,
        change: diffPlanProduct(product, existing, context.recordedVariants),
      };
    }),
  };
}

function productsByPart(
  context: SyncContext,
  categoryId: string,
  shopProducts: ReadonlyMap<string, FoundProduct>,
): Map<number, FoundProduct> {
  const byPart = new Map<number, FoundProduct>();
  for (const product of shopProducts.values()) {
    const part = partOf(context, product, categoryId);
    if (part !== null) byPart.set(part, product);
  }
  return byPart;
}

/** The part number of a product: from the app's record, or from its handle if the record was lost. */
function partOf(
  { environment, recordedProducts }: SyncContext,
  { productId, handle }: FoundProduct,
  categoryId: string,
): number | null {
  const recorded = recordedProducts.find((each) => each.productId === productId);
  if (recorded) {
    return recorded.categoryId === categoryId && recorded.environment === environment ? recorded.part : null;
  }
  const first = handleOf(categoryId, environment, 1);
  if (handle === first) return 1;
  const part = Number(handle.startsWith(`${first}-`) ? handle.slice(first.length + 1) : "");
  return Number.isInteger(part) && part > 1 ? part : null;
}

function partsByReference(
  { recordedVariants }: SyncContext,
  byPart: ReadonlyMap<number, FoundProduct>,
): Map<string, number> {
  return new Map(
    [...byPart].flatMap(([part, { variants }]) =>
      [...variantsByReference(variants, recordedVariants).keys()].map((referenceId) => [referenceId, part]),
    ),
  );
}

export async function applyChanges(
  context: SyncContext,
  changes: readonly CategoryChanges[],
): Promise<AppliedCategory[]> {
  const planned = changes.flatMap(({ products }) => products);
  const inBulk = await updateVariantsInBulk(
    context,
    planned.map(({ change }) => change),
  );
  const applied: AppliedCategory[] = [];
  for (const category of changes) applied.push(await applyCategoryChanges(context, category, inBulk));
  return applied;
}

/** @param inBulk the products with variants already written in bulk */
async function applyCategoryChanges(
  context: SyncContext,
  changes: CategoryChanges,
  inBulk: ReadonlySet<string>,
): Promise<AppliedCategory> {
  const { adminClient, report, signal } = context;
  const problems = new Map(changes.problems);
  const products: AppliedProduct[] = [];
  for (const planned of changes.products) {
    signal.throwIfAborted();
    const areValuesWritten = inBulk.has(planned.change.productId ?? "");
    const applied = await applyProductChange(context, planned, areValuesWritten, problems);
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
 * Writes a change. If Shopify refuses single references, or more variants today, they become problems and the others
 * are written without them. Null: the shop does not have the product.
 */
async function applyProductChange(
  context: SyncContext,
  { existingProduct: found, change: planned }: PlannedProduct,
  areValuesWritten: boolean,
  problems: Map<string, ReferenceProblem>,
): Promise<AppliedProduct | null> {
  const { adminClient, publications, locale, signal, report, allowance } = context;
  let change = planned;
  for (;;) {
    change = withinAllowance(context, change, found, problems);
    if (change.productId === null && change.variants.length === 0) return null;
    if (!hasWrites(change)) {
      const { productId } = change;
      return productId === null ? null : { change, productId, existingProduct: found, outcome: "unchanged" };
    }
    const remainingChange = areValuesWritten ? withoutVariantWrites(change) : change;
    // The list writes prices without the checkout's metafields, so an interrupted sync has to write these again.
    if (remainingChange.writes.variants === "list")
      await forgetBands(adminClient.shop, changedVariants(remainingChange));
    const result = await writePlanProduct(
      adminClient,
      publications.onlineStore,
      remainingChange,
      locale,
      signal,
    );
    const created = createdReferences(change).length;
    if (result.type === "written") {
      allowance.spend(created);
      report.count("products_written");
      for (const { change: kind } of change.variants) if (kind !== "none") report.count(`variants_${kind}`);
      return { change, productId: result.productId, existingProduct: found, outcome: "written" };
    }
    if (result.type === "variant_limit" && created > 0) {
      allowance.refuse(created);
      continue;
    }
    const { references, message } =
      result.type === "refused"
        ? result
        : { references: new Map<string, string>(), message: "The product has too many variants" };
    const isWholeProduct = references.size === 0;
    const refused = isWholeProduct ? allReferences(planned, message) : references;
    for (const [referenceId, detail] of refused) {
      problems.set(referenceId, { problem: "not_written", detail });
    }
    const acceptedChange = withoutReferences(change, new Set(refused.keys()), found);
    if (isWholeProduct || acceptedChange.variants.length === 0) {
      if (!found) return null;
      return {
        change: { ...acceptedChange, state: found },
        productId: found.productId,
        existingProduct: found,
        outcome: "refused",
      };
    }
    change = acceptedChange;
  }
}

/** The change without the new variants beyond the daily allowance; these become problems. */
function withinAllowance(
  { allowance }: SyncContext,
  change: ProductChange,
  existingProduct: FoundProduct | null,
  problems: Map<string, ReferenceProblem>,
): ProductChange {
  const waiting = createdReferences(change).slice(allowance.left);
  if (waiting.length === 0) return change;
  for (const referenceId of waiting) problems.set(referenceId, { problem: "variant_limit", detail: "" });
  return withoutReferences(change, new Set(waiting), existingProduct);
}

function allReferences({ variants }: ProductChange, message: string): Map<string, string> {
  return new Map(
    variants.flatMap(({ referenceId }) => (referenceId === null ? [] : [[referenceId, message] as const])),
  );
}

/**
 * Records a product directly after its change, so that an interrupted sync finds it again. Also records the
 * merchant's edits that the change restored. An unchanged product may still be missing from the record.
 */
async function recordProductChange(
  { adminClient, environment, report, recordedProducts, recordedVariants }: SyncContext,
  { change, productId, existingProduct: found, outcome }: AppliedProduct,
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
 * Records the variants of a category, its formula names and its problems.
 * @param created products with new variants, read again for the variants' ids
 */
export async function recordCategory(
  { adminClient, environment, report, recordedVariants }: SyncContext,
  { stored, products, formulas, problems }: AppliedCategory,
  created: ReadonlyMap<string, FoundProduct>,
): Promise<void> {
  const { shop } = adminClient;
  for (const { change, productId, existingProduct: found } of products) {
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
  // These variants wait for the shop's daily allowance and are not refused.
  report.count("variants_waiting", problems.size - refused.length);
}
