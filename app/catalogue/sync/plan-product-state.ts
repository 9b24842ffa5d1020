/** A plan product as it is in the shop, and what every sync restores of it. */
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
  /** counted stock of none: cannot be bought */
  tracked: boolean;
}

export const valueNames = ["sku", "priceMinor", "taxable", "requiresShipping", "tracked"] as const;

export interface FoundVariant extends VariantValues {
  variantId: string;
  /** what the option of its name is called: `Duration` */
  optionName: string;
  /** the option's value: `24 months` */
  name: string;
  /** the second option and its value; null where the product has none */
  formulaOptionName: string | null;
  formula: string | null;
}

export interface FoundProduct extends ProductState {
  productId: string;
  handle: string;
  tags: string[];
  /** ids of the channels that it is on, or is scheduled for, besides the online store */
  otherPublications: string[];
  variants: FoundVariant[];
}

/** Whether shoppers can buy of a product at all. */
export function isSellable({ status, published }: ProductState): boolean {
  return published && (status === "ACTIVE" || status === "UNLISTED");
}

/**
 * Variants by their reference: the one that the app recorded for it, because a merchant can change a SKU; where the
 * record was lost, the one with its SKU.
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
