/**
 * What has to be written so that the shop stands as it should: nothing where it does.
 *
 * Three states are compared per field: what is wanted, what the shop has, and what was written last. Where the shop has
 * something else than was written, a merchant changed it, and the merchant chooses whether that is put back or kept.
 */
import { z } from "zod";
import { PLAN_TAG } from "./plan-products.ts";
import type { WantedProduct, WantedVariant } from "./plan-products.ts";

/** The fields of a variant that the app writes and a merchant may change. */
export const variantFields = z.object({
  priceMinor: z.number().int(),
  duration: z.string(),
  band: z.string(),
  taxable: z.boolean(),
  requiresShipping: z.boolean(),
});
export type VariantFields = z.infer<typeof variantFields>;

/** The same of a product. */
export const productFields = z.object({
  title: z.string(),
  descriptionHtml: z.string(),
  productType: z.string(),
  status: z.enum(["ACTIVE", "ARCHIVED", "DRAFT", "UNLISTED"]),
  published: z.boolean(),
});
export type ProductFields = z.infer<typeof productFields>;
/** A product as it was written last; the address of its image cannot be read back. */
export const writtenProduct = productFields.extend({ image: z.string().nullable() });
export type WrittenProduct = z.infer<typeof writtenProduct>;

export interface FoundVariant extends VariantFields {
  variantId: string;
  sku: string;
  /** counted stock of none: cannot be bought */
  tracked: boolean;
}

export interface FoundProduct extends ProductFields {
  productId: string;
  handle: string;
  tags: string[];
  hasImage: boolean;
  variants: FoundVariant[];
}

/** What was written last, by platform id; null where the app has no record of it. */
export interface LastWritten {
  product: WrittenProduct | null;
  variants: ReadonlyMap<string, VariantFields>;
}

export type OnManualEdit = "restore" | "keep";

export interface ManualEdit {
  variantId: string | null;
  field: string;
  ours: string;
  theirs: string;
  outcome: "restored" | "kept";
}

/** A variant as it shall be; `variantId` null: to be made; `referenceId` null: the merchant's own, left alone. */
export interface VariantEntry extends VariantFields {
  variantId: string | null;
  referenceId: string | null;
  sku: string;
  tracked: boolean;
  change: "none" | "created" | "updated" | "withdrawn";
}

export interface ProductChange {
  categoryId: string;
  part: number;
  /** null: the product is to be made */
  productId: string | null;
  handle: string;
  fields: ProductFields;
  image: string | null;
  tags: string[];
  variants: VariantEntry[];
  /** which parts of the product differ: nothing to write where all are false */
  writes: { product: boolean; image: boolean; variants: boolean; publish: boolean };
  edits: ManualEdit[];
}

export function diffPlanProduct(
  wanted: WantedProduct,
  found: FoundProduct | null,
  written: LastWritten,
  onManualEdit: OnManualEdit,
): ProductChange {
  const edits: ManualEdit[] = [];
  const settle = createFieldResolver(onManualEdit, edits);
  const fields: ProductFields = {
    title: wanted.title,
    descriptionHtml: wanted.descriptionHtml,
    productType: wanted.productType,
    status: "UNLISTED",
    published: true,
  };
  const settled = found
    ? settle<(typeof productKeys)[number], ProductFields>(null, productKeys, fields, found, written.product)
    : fields;
  const variants = wantedEntries(wanted.variants, found?.variants ?? [], written.variants, settle);
  return {
    categoryId: wanted.categoryId,
    part: wanted.part,
    productId: found?.productId ?? null,
    handle: found?.handle ?? wanted.handle,
    fields: settled,
    image: wanted.image,
    tags: [...new Set([...(found?.tags ?? []), PLAN_TAG])],
    variants,
    writes: {
      product:
        !found?.tags.includes(PLAN_TAG) ||
        productKeys.some((key) => key !== "published" && !isSameText(settled[key], found[key])),
      image: wanted.image !== null && !hasImage(wanted.image, found, written),
      variants: variants.some(({ change }) => change !== "none"),
      publish: settled.published && !found?.published,
    },
    edits,
  };
}

/** An image's address cannot be read back: where our record of it was lost, any image will be the one. */
function hasImage(image: string, found: FoundProduct | null, { product }: LastWritten): boolean {
  return found !== null && (product ? product.image === image : found.hasImage);
}

/** Whether a change writes anything at all. */
export function hasWrites({ writes }: ProductChange): boolean {
  return writes.product || writes.image || writes.variants || writes.publish;
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
  const writes = { ...change.writes, variants: variants.some((entry) => entry.change !== "none") };
  return { ...change, variants, writes };
}

/** Whether shoppers can buy of a product at all. */
export function isSellable({ status, published }: ProductFields): boolean {
  return published && (status === "ACTIVE" || status === "UNLISTED");
}

const productKeys = ["title", "descriptionHtml", "productType", "status", "published"] as const;
const variantKeys = ["priceMinor", "duration", "band", "taxable", "requiresShipping"] as const;

type ResolveFields = <Key extends string, T extends Record<Key, unknown>>(
  variantId: string | null,
  keys: readonly Key[],
  wanted: T,
  found: T,
  written: T | null,
) => T;

/** Decides field by field, and notes where a merchant's hand was at work. */
function createFieldResolver(onManualEdit: OnManualEdit, edits: ManualEdit[]): ResolveFields {
  return (variantId, keys, wanted, found, written) => {
    const result = { ...wanted };
    for (const key of keys) {
      const edited =
        written !== null && !isSameText(found[key], written[key]) && !isSameText(found[key], wanted[key]);
      if (!edited) continue;
      if (onManualEdit === "keep") result[key] = found[key];
      edits.push({
        variantId,
        field: key,
        ours: String(wanted[key]),
        theirs: String(found[key]),
        outcome: onManualEdit === "keep" ? "kept" : "restored",
      });
    }
    return result;
  };
}

/** The platform rewrites the HTML that it is given: entities, spaces between tags, attributes. That is nobody's edit. */
function isSameText(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "string" && typeof b === "string" && normaliseHtml(a) === normaliseHtml(b));
}

function normaliseHtml(html: string): string {
  if (!html.includes("<")) return html;
  return html
    .replace(/&(?:#39|apos);/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&nbsp;|\s/g, " ")
    .replace(/ +/g, " ")
    .replace(/ ?(<[^>]*>) ?/g, "$1")
    .trim();
}

function wantedEntries(
  wanted: readonly WantedVariant[],
  found: readonly FoundVariant[],
  written: ReadonlyMap<string, VariantFields>,
  settle: ResolveFields,
): VariantEntry[] {
  const bySku = new Map(found.map((variant) => [variant.sku, variant]));
  const matched = new Set<string>();
  const entries = wanted.map((variant): VariantEntry => {
    const there = bySku.get(variant.referenceId);
    if (there) matched.add(there.variantId);
    return entryFor(variant, there, written, settle);
  });
  const own = found.filter(({ variantId }) => !matched.has(variantId));
  return [
    ...entries,
    ...own.map((variant): VariantEntry => ({ ...variant, referenceId: null, change: "none" })),
  ];
}

function entryFor(
  variant: WantedVariant,
  there: FoundVariant | undefined,
  written: ReadonlyMap<string, VariantFields>,
  settle: ResolveFields,
): VariantEntry {
  const { priceMinor, duration, band, taxable } = variant;
  const fields: VariantFields = { priceMinor, duration, band, taxable, requiresShipping: false };
  const base = { referenceId: variant.referenceId, sku: variant.referenceId, tracked: !variant.onSale };
  if (!there) return { ...base, ...fields, variantId: null, change: "created" };
  const settled = settle<(typeof variantKeys)[number], VariantFields>(
    there.variantId,
    variantKeys,
    fields,
    there,
    written.get(there.variantId) ?? null,
  );
  const withdrawn = base.tracked && !there.tracked;
  const changed = variantKeys.some((key) => settled[key] !== there[key]) || base.tracked !== there.tracked;
  return {
    ...base,
    ...settled,
    variantId: there.variantId,
    change: withdrawn ? "withdrawn" : changed ? "updated" : "none",
  };
}
