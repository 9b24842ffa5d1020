/** A plan product in its states: as it was found in the shop, and as it was written last. */
import { z } from "zod";

/** The fields of a variant that the app writes and a merchant may change. */
export const variantFields = z.object({
  priceMinor: z.number().int(),
  duration: z.string(),
  taxable: z.boolean(),
  requiresShipping: z.boolean(),
});

export type VariantFields = z.infer<typeof variantFields>;

export const variantKeys = ["priceMinor", "duration", "taxable", "requiresShipping"] as const;

/** The same of a product. */
export const productFields = z.object({
  title: z.string(),
  descriptionHtml: z.string(),
  productType: z.string(),
  status: z.enum(["ACTIVE", "ARCHIVED", "DRAFT", "UNLISTED"]),
  published: z.boolean(),
});

export type ProductFields = z.infer<typeof productFields>;

export const productKeys = ["title", "descriptionHtml", "productType", "status", "published"] as const;

/** A product as it was written last; the address of its image cannot be read back. */
export const writtenProduct = productFields.extend({ image: z.string() });

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
  /** ids of the channels that it is on, or is scheduled for, besides the online store */
  otherPublications: string[];
  variants: FoundVariant[];
}

/** What was written last; null where the app has no record of it. */
export interface LastWritten {
  product: WrittenProduct | null;
  /** by variant id; two where a sync ended before it knew whether its write took place */
  variants: ReadonlyMap<string, readonly VariantFields[]>;
}

/** Whether shoppers can buy of a product at all. */
export function isSellable({ status, published }: ProductFields): boolean {
  return published && (status === "ACTIVE" || status === "UNLISTED");
}
