/**
 * Compares a plan product in the shop with the expected one, and returns what a sync has to write.
 *
 * Texts and the picture are written once, when the product or the variant is created. After that they are the
 * merchant's. Every sync restores price, SKU, status, publication and tax.
 */
import { changedFields, type AuditValues } from "#app/audit/changes.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { namesAnotherTerm, PLAN_TAG, type WantedProduct, type WantedVariant } from "./plan-products.ts";
import {
  valueNames,
  variantsByReference,
  type FoundProduct,
  type FoundVariant,
  type ProductState,
  type VariantValues,
} from "./plan-product-state.ts";

/**
 * An expected variant. `variantId` null: to be created; `referenceId` null: the merchant's own variant, which stays.
 */
export interface VariantEntry extends VariantValues {
  variantId: string | null;
  referenceId: string | null;
  name: string;
  /** the value of the second option; null if the product has none */
  formula: string | null;
  change: "none" | "created" | "updated" | "retired";
}

/**
 * How a product's variants are written. `values`: only those that differ. `list`: the whole list, because variants
 * are created or renamed.
 */
export type VariantWrites = "none" | "values" | "list";

export interface ProductChange {
  categoryId: string;
  part: number;
  /** null: the product is to be created */
  productId: string | null;
  handle: string;
  state: ProductState;
  /** written when the product is created */
  texts: WantedProduct["texts"];
  tags: string[];
  optionName: string;
  /** the second option; null if the product has none */
  formulaOptionName: string | null;
  variants: VariantEntry[];
  /** which parts of the product differ */
  writes: { product: boolean; variants: VariantWrites; publish: boolean };
}

/** For the merchant's own variants if the product gets the second option. */
const NO_FORMULA = "–";

/** The app's record of a product's variants, by variant id. */
export type VariantRecord = ReadonlyMap<string, { referenceId: string; priceMinor: number }>;

export function diffPlanProduct(
  expected: WantedProduct,
  existingProduct: FoundProduct | null,
  recorded: VariantRecord,
): ProductChange {
  const state: ProductState = { status: expected.isSelling ? "UNLISTED" : "DRAFT", published: true };
  const formulaOptionName =
    existingProduct?.variants.find((variant) => variant.formulaOptionName !== null)?.formulaOptionName ??
    (expected.variants.some(({ formula }) => formula !== null) ? expected.texts.formulaOptionName : null);
  const variants = diffVariants(expected.variants, existingProduct?.variants ?? [], {
    recorded,
    hasFormulas: formulaOptionName !== null,
  });
  return {
    categoryId: expected.categoryId,
    part: expected.part,
    productId: existingProduct?.productId ?? null,
    handle: existingProduct?.handle ?? expected.handle,
    state,
    texts: expected.texts,
    tags: [...new Set([...(existingProduct?.tags ?? []), PLAN_TAG])],
    optionName: existingProduct?.variants[0]?.optionName ?? expected.texts.optionName,
    formulaOptionName,
    variants,
    writes: {
      product: !existingProduct?.tags.includes(PLAN_TAG) || existingProduct.status !== state.status,
      variants: variantWrites(variants, existingProduct?.variants ?? []),
      publish: !existingProduct?.published,
    },
  };
}

function diffVariants(
  expected: readonly WantedVariant[],
  existingVariants: readonly FoundVariant[],
  { recorded, hasFormulas }: { recorded: VariantRecord; hasFormulas: boolean },
): VariantEntry[] {
  const byReference = variantsByReference(existingVariants, recorded);
  const matched = new Set<string>();
  const pairs = expected.map((variant) => {
    const existing = byReference.get(variant.referenceId);
    if (existing) matched.add(existing.variantId);
    return { variant, existing };
  });
  const merchantVariants = existingVariants.filter(({ variantId }) => !matched.has(variantId));
  const keptName = ({ variant, existing }: (typeof pairs)[number]) =>
    existing && !namesAnotherTerm(existing.name, variant.termMonths) ? existing.name : undefined;
  const formulaOf = (existing: FoundVariant | undefined, formula: string | null) =>
    hasFormulas ? (existing?.formula ?? formula ?? NO_FORMULA) : null;
  const nameIn = (formula: string | null, name: string) => `${formula ?? ""}\n${name}`;
  const names = new Set([
    ...merchantVariants.map((variant) => nameIn(formulaOf(variant, null), variant.name)),
    ...pairs.flatMap((pair) => {
      const name = keptName(pair);
      return name === undefined ? [] : [nameIn(formulaOf(pair.existing, pair.variant.formula), name)];
    }),
  ]);
  return [
    ...pairs.map((pair): VariantEntry => {
      const { variant, existing } = pair;
      const formula = formulaOf(existing, variant.formula);
      const isTaken = names.has(nameIn(formula, variant.termName));
      const name = keptName(pair) ?? newName(variant, isTaken);
      names.add(nameIn(formula, name));
      return diffVariant(variant, existing, { name, formula });
    }),
    ...merchantVariants.map((variant): VariantEntry => {
      const formula = formulaOf(variant, null);
      return {
        ...variant,
        formula,
        referenceId: null,
        change: formula === variant.formula ? "none" : "updated",
      };
    }),
  ];
}

/** Shopify requires unique combinations of option values in a product. */
function newName({ termName, referenceId }: WantedVariant, isTaken: boolean): string {
  return isTaken ? cutText(`${termName} · ${referenceId}`, 255) : termName;
}

function diffVariant(
  variant: WantedVariant,
  existing: FoundVariant | undefined,
  texts: Pick<VariantEntry, "name" | "formula">,
): VariantEntry {
  const entry = {
    referenceId: variant.referenceId,
    ...texts,
    sku: variant.referenceId,
    priceMinor: variant.priceMinor,
    taxable: variant.taxable,
    requiresShipping: false,
    tracked: !variant.onSale,
  };
  if (!existing) return { ...entry, variantId: null, change: "created" };
  const isChanged =
    texts.name !== existing.name ||
    texts.formula !== existing.formula ||
    valueNames.some((value) => entry[value] !== existing[value]);
  const isRetired = entry.tracked && !existing.tracked;
  return {
    ...entry,
    variantId: existing.variantId,
    change: isRetired ? "retired" : isChanged ? "updated" : "none",
  };
}

function variantWrites(
  entries: readonly VariantEntry[],
  existingVariants: readonly FoundVariant[],
): VariantWrites {
  const changed = entries.filter(({ change }) => change !== "none");
  if (changed.length === 0) return "none";
  const names = new Map(existingVariants.map((variant) => [variant.variantId, variant]));
  const haveTheirNames = changed.every(({ variantId, name, formula }) => {
    const existing = names.get(variantId ?? "");
    return existing?.name === name && existing.formula === formula;
  });
  return haveTheirNames ? "values" : "list";
}

/** Whether a change writes anything. */
export function hasWrites({ writes }: ProductChange): boolean {
  return writes.product || writes.variants !== "none" || writes.publish;
}

/** The rest of a change after its variants are written. */
export function withoutVariantWrites(change: ProductChange): ProductChange {
  return { ...change, writes: { ...change.writes, variants: "none" } };
}

/** The references whose variants are to be created, in the order of the product's list. */
export function createdReferences({ variants }: ProductChange): string[] {
  return variants.flatMap(({ change, referenceId }) =>
    change === "created" && referenceId !== null ? [referenceId] : [],
  );
}

/** The ids of the existing variants that change. */
export function changedVariants({ variants }: ProductChange): string[] {
  return variants.flatMap(({ change, variantId }) => (change === "none" ? [] : (variantId ?? [])));
}

/** The change without the references that Shopify refused: those stay unchanged. */
export function withoutReferences(
  change: ProductChange,
  refused: ReadonlySet<string>,
  existingProduct: FoundProduct | null,
): ProductChange {
  const existing = new Map(existingProduct?.variants.map((variant) => [variant.variantId, variant]));
  const variants = change.variants.flatMap((entry): VariantEntry[] => {
    if (entry.referenceId === null || !refused.has(entry.referenceId)) return [entry];
    const variant = entry.variantId === null ? undefined : existing.get(entry.variantId);
    return variant ? [{ ...variant, referenceId: entry.referenceId, change: "none" }] : [];
  });
  const writes = { ...change.writes, variants: variantWrites(variants, existingProduct?.variants ?? []) };
  return { ...change, variants, writes };
}

/**
 * The merchant's edits that a change restores: status, publication, and prices and SKUs by reference. A price that
 * only the insurer has changed is no edit. Null: no edits.
 */
export function restoredValues(
  { state, variants }: ProductChange,
  existingProduct: FoundProduct | null,
  recorded: { status: string | undefined; variants: VariantRecord },
): { before: AuditValues; after: AuditValues } | null {
  if (existingProduct === null || recorded.status === undefined) return null;
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  if (existingProduct.status !== recorded.status && existingProduct.status !== state.status) {
    before["status"] = existingProduct.status;
    after["status"] = state.status;
  }
  before["published"] = existingProduct.published;
  after["published"] = state.published;
  const entries = new Map(variants.map((entry) => [entry.variantId, entry]));
  for (const { variantId, sku, priceMinor } of existingProduct.variants) {
    const record = recorded.variants.get(variantId);
    const entry = entries.get(variantId);
    if (record === undefined || entry === undefined) continue;
    const isPriceEdited = priceMinor !== record.priceMinor;
    before[record.referenceId] = { sku, ...(isPriceEdited ? { priceMinor } : {}) };
    after[record.referenceId] = {
      sku: entry.sku,
      ...(isPriceEdited ? { priceMinor: entry.priceMinor } : {}),
    };
  }
  const changed = changedFields(before, after);
  return Object.keys(changed.before).length > 0 ? changed : null;
}
