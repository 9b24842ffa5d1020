/** Plans a sync: what has to change in the shop for one category. Nothing is written. */
import type { StoredCategory } from "#app/catalogue/references/categories.server.ts";
import { formulaNames } from "#app/catalogue/references/formula.ts";
import { findReferenceProblems, isLink } from "#app/catalogue/references/reference.ts";
import { listReferences, listReferencesById } from "#app/catalogue/references/references.server.ts";
import type { CategoryChanges } from "./category-changes.ts";
import { env } from "#app/platform/env.server.ts";
import { diffPlanProduct } from "./difference.ts";
import { variantsByReference, type FoundProduct } from "./plan-product-state.ts";
import { handleOf, wantedProducts } from "./plan-products.ts";
import type { ReferenceOnSale } from "./plan-products.ts";
import type { SyncContext } from "./sync-context.server.ts";

/** A neutral shield, without words: a line of the cart without a picture looks broken. */
const PICTURE = new URL("/insurance.png", env.SHOPIFY_APP_URL).href;

export async function planCategoryChanges(
  context: SyncContext,
  stored: StoredCategory,
  found: ReadonlyMap<string, FoundProduct>,
): Promise<CategoryChanges> {
  const { adminClient, environment, isSelling, rule, settings, locale } = context;
  const { category } = stored;
  const references = await listReferences(adminClient.shop, environment, category.id);
  const { conditionsUrl: conditions, ipidUrl: ipid } = category.legal;
  const offered = references.filter(({ vanished }) => !vanished);
  const problems = findReferenceProblems(
    offered.filter(({ isConfirmed }) => isConfirmed),
    { currency: locale.currency, rule, hasDocuments: isLink(conditions) && isLink(ipid) },
  );
  for (const { referenceId, isConfirmed } of offered) {
    if (!isConfirmed) problems.set(referenceId, { problem: "not_confirmed", detail: "" });
  }
  // What is on sale decides which formulas there are; a withdrawn reference is called as its like.
  const formulas = formulaNames(offered.filter(({ referenceId }) => !problems.has(referenceId)));
  const byPart = productsByPart(context, category.id, found);
  const parts = partsByReference(context, byPart);
  const own = new Set(references.map(({ referenceId }) => referenceId));
  const elsewhere = [...parts.keys()].filter((referenceId) => !own.has(referenceId));
  const moved = await listReferencesById(adminClient.shop, environment, elsewhere);
  // A withdrawn reference stays in the shop where it was sold: carts and orders may hold it.
  const kept = references
    .map((reference): ReferenceOnSale => {
      return {
        ...reference,
        onSale: !reference.vanished && !problems.has(reference.referenceId),
        formula: formulas.get(reference.referenceId) ?? null,
      };
    })
    .filter(({ onSale, referenceId }) => onSale || parts.has(referenceId));
  // One that the service has moved to another category is sold there.
  const members = [...kept, ...moved.map((reference) => ({ ...reference, onSale: false, formula: null }))];
  const wanted = wantedProducts(category, members, parts, {
    environment,
    isSelling,
    image: PICTURE,
    ...settings,
  });
  return {
    stored,
    references: new Map(references.map((reference) => [reference.referenceId, reference])),
    formulas,
    problems,
    products: wanted.map((product) => {
      const existing = byPart.get(product.part) ?? null;
      return { found: existing, change: diffPlanProduct(product, existing, context.recordedVariants) };
    }),
  };
}

function productsByPart(
  context: SyncContext,
  categoryId: string,
  found: ReadonlyMap<string, FoundProduct>,
): Map<number, FoundProduct> {
  const byPart = new Map<number, FoundProduct>();
  for (const product of found.values()) {
    const part = partOf(context, product, categoryId);
    if (part !== null) byPart.set(part, product);
  }
  return byPart;
}

/** Which part of the category a product is: by the app's record, or by its handle where the record was lost. */
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
