/** The state of a plan product in the shop, and the fields that every sync restores. */
import { z } from "zod";

export const productStatus = z.enum(["ACTIVE", "ARCHIVED", "DRAFT", "UNLISTED"]);
export type ProductStatus = z.infer<typeof productStatus>;

export interface ProductState {
  status: ProductStatus;
  /** in the online store */
  published: boolean;
}

export interface VariantValues {
  sku: string;
  priceMinor: number;
  taxable: boolean;
  requiresShipping: boolean;
  /** inventory is tracked with a stock of zero: it cannot be bought */
  tracked: boolean;
}

export const valueNames = ["sku", "priceMinor", "taxable", "requiresShipping", "tracked"] as const;

export interface FoundVariant extends VariantValues {
  variantId: string;
  /** the name of the first option: `Duration` */
  optionName: string;
  /** the option's value: `24 months` */
  name: string;
  /** the second option and its value; null if the product has none */
  formulaOptionName: string | null;
  formula: string | null;
}

export interface FoundProduct extends ProductState {
  productId: string;
  handle: string;
  tags: string[];
  /** ids of other publications than the online store's on which it is published or scheduled */
  otherPublications: string[];
  variants: FoundVariant[];
}

/** Whether shoppers can buy any variant of a product. */
export function isSellable({ status, published }: ProductState): boolean {
  return published && (status === "ACTIVE" || status === "UNLISTED");
}

/**
 * Variants by reference. The app's record decides, because a merchant can change a SKU. If the record was lost, the
 * SKU decides.
 */
export function variantsByReference(
  variants: readonly FoundVariant[],
  recorded: ReadonlyMap<string, { referenceId: string }>,
): Map<string, FoundVariant> {
  const byReference = new Map<string, FoundVariant>();
  for (const variant of variants) {
    const referenceId = recorded.get(variant.variantId)?.referenceId;
    if (referenceId !== undefined) byReference.set(referenceId, variant);
    else if (!byReference.has(variant.sku)) byReference.set(variant.sku, variant);
  }
  return byReference;
}
