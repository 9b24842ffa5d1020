/**
 * What has to be written so that the shop stands as it should: nothing where it does.
 *
 * Three states are compared per field: what is wanted, what the shop has, and what was written last. Where the shop has
 * something else than was written, a merchant changed it, and the merchant chooses whether that is put back or kept.
 */
import { createFieldResolver, isSameText } from "./manual-edits.ts";
import type { ManualEdit, OnManualEdit, ResolveFields } from "./manual-edits.ts";
import { productKeys, variantKeys } from "./plan-product-state.ts";
import type {
  FoundProduct,
  FoundVariant,
  LastWritten,
  ProductFields,
  VariantFields,
} from "./plan-product-state.ts";
import { PLAN_TAG } from "./plan-products.ts";
import type { WantedProduct, WantedVariant } from "./plan-products.ts";

/** A variant as it shall be; `variantId` null: to be made; `referenceId` null: the merchant's own, left alone. */
export interface VariantEntry extends VariantFields {
  variantId: string | null;
  referenceId: string | null;
  sku: string;
  tracked: boolean;
  change: "none" | "created" | "updated" | "withdrawn";
}

/**
 * How a product's variants are written: `values`: those that differ, each with new values of its own; `list`: the whole
 * list, because variants are made or have other option values.
 */
export type VariantWrites = "none" | "values" | "list";

export interface ProductChange {
  categoryId: string;
  part: number;
  /** null: the product is to be made */
  productId: string | null;
  handle: string;
  fields: ProductFields;
  image: string;
  tags: string[];
  variants: VariantEntry[];
  /** which parts of the product differ */
  writes: { product: boolean; image: boolean; variants: VariantWrites; publish: boolean };
  edits: ManualEdit[];
}

export function diffPlanProduct(
  wanted: WantedProduct,
  found: FoundProduct | null,
  written: LastWritten,
  onManualEdit: OnManualEdit,
): ProductChange {
  const edits: ManualEdit[] = [];
  const resolveFields = createFieldResolver(onManualEdit, edits);
  const fields: ProductFields = {
    title: wanted.title,
    descriptionHtml: wanted.descriptionHtml,
    productType: wanted.productType,
    status: wanted.isSelling ? "UNLISTED" : "DRAFT",
    published: true,
  };
  const merged = found
    ? resolveFields<(typeof productKeys)[number], ProductFields>(
        null,
        productKeys,
        fields,
        found,
        written.product ? [written.product] : [],
      )
    : fields;
  // Whatever a merchant has changed of a product: nothing is sold that cannot become a contract.
  const resolved: ProductFields = wanted.isSelling ? merged : { ...merged, status: "DRAFT" };
  const variants = diffVariants(wanted.variants, found?.variants ?? [], written.variants, resolveFields);
  return {
    categoryId: wanted.categoryId,
    part: wanted.part,
    productId: found?.productId ?? null,
    handle: found?.handle ?? wanted.handle,
    fields: resolved,
    image: wanted.image,
    tags: [...new Set([...(found?.tags ?? []), PLAN_TAG])],
    variants,
    writes: {
      product:
        !found?.tags.includes(PLAN_TAG) ||
        productKeys.some((key) => key !== "published" && !isSameText(resolved[key], found[key])),
      image: !hasImage(wanted.image, found, written),
      variants: variantWrites(variants, found?.variants ?? []),
      publish: resolved.published && !found?.published,
    },
    edits,
  };
}

/** An image's address cannot be read back: where our record of it was lost, any image will be the one. */
export function hasImage(image: string, found: FoundProduct | null, { product }: LastWritten): boolean {
  return found !== null && (product ? product.image === image : found.hasImage);
}

function diffVariants(
  wanted: readonly WantedVariant[],
  found: readonly FoundVariant[],
  written: LastWritten["variants"],
  resolveFields: ResolveFields,
): VariantEntry[] {
  const bySku = new Map(found.map((variant) => [variant.sku, variant]));
  const matched = new Set<string>();
  const entries = wanted.map((variant): VariantEntry => {
    const there = bySku.get(variant.referenceId);
    if (there) matched.add(there.variantId);
    return diffVariant(variant, there, written, resolveFields);
  });
  const own = found.filter(({ variantId }) => !matched.has(variantId));
  return [
    ...entries,
    ...own.map((variant): VariantEntry => ({ ...variant, referenceId: null, change: "none" })),
  ];
}

function diffVariant(
  variant: WantedVariant,
  there: FoundVariant | undefined,
  written: LastWritten["variants"],
  resolveFields: ResolveFields,
): VariantEntry {
  const { priceMinor, duration, taxable } = variant;
  const fields: VariantFields = { priceMinor, duration, taxable, requiresShipping: false };
  const base = { referenceId: variant.referenceId, sku: variant.referenceId, tracked: !variant.onSale };
  if (!there) return { ...base, ...fields, variantId: null, change: "created" };
  const resolved = resolveFields<(typeof variantKeys)[number], VariantFields>(
    there.variantId,
    variantKeys,
    fields,
    there,
    written.get(there.variantId) ?? [],
  );
  const withdrawn = base.tracked && !there.tracked;
  const changed = variantKeys.some((key) => resolved[key] !== there[key]) || base.tracked !== there.tracked;
  return {
    ...base,
    ...resolved,
    variantId: there.variantId,
    change: withdrawn ? "withdrawn" : changed ? "updated" : "none",
  };
}

function variantWrites(entries: readonly VariantEntry[], found: readonly FoundVariant[]): VariantWrites {
  const changed = entries.filter(({ change }) => change !== "none");
  if (changed.length === 0) return "none";
  const before = new Map(found.map((variant) => [variant.variantId, variant]));
  const haveTheirOptions = changed.every(
    ({ variantId, duration }) => before.get(variantId ?? "")?.duration === duration,
  );
  return haveTheirOptions ? "values" : "list";
}

/** Whether a change writes anything at all. */
export function hasWrites({ writes }: ProductChange): boolean {
  return writes.product || writes.image || writes.variants !== "none" || writes.publish;
}

/** What is left of a change whose variants are written. */
export function withoutVariantWrites(change: ProductChange): ProductChange {
  return { ...change, writes: { ...change.writes, variants: "none" } };
}

/** The references whose variants are to be made, in the order of the product's list. */
export function createdReferences({ variants }: ProductChange): string[] {
  return variants.flatMap(({ change, referenceId }) =>
    change === "created" && referenceId !== null ? [referenceId] : [],
  );
}

/** The change without what the platform refused: those references stay as they were found. */
export function withoutReferences(
  change: ProductChange,
  refused: ReadonlySet<string>,
  found: FoundProduct | null,
): ProductChange {
  const there = new Map(found?.variants.map((variant) => [variant.variantId, variant]));
  const variants = change.variants.flatMap((entry): VariantEntry[] => {
    if (entry.referenceId === null || !refused.has(entry.referenceId)) return [entry];
    const before = entry.variantId === null ? undefined : there.get(entry.variantId);
    return before ? [{ ...before, referenceId: entry.referenceId, change: "none" }] : [];
  });
  const writes = { ...change.writes, variants: variantWrites(variants, found?.variants ?? []) };
  return { ...change, variants, writes };
}
