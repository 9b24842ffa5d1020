/** Mutations whose cost depends on their input, by the platform's published formulas. All others cost 10. */
import { z } from "zod";
import { parseGid } from "../../ids.ts";

const list = z
  .array(z.unknown())
  .nullish()
  .transform((items) => items?.length ?? 0);
const variants = z
  .array(z.object({ file: z.unknown().optional(), metafields: list.optional() }))
  .nullish()
  .transform((items) => items ?? []);
const productSetInput = z.object({ input: z.object({ variants, metafields: list, files: list }) });
const variantsUpdateInput = z.object({ variants, media: list });
const productUpdateInput = z.object({ product: z.object({ metafields: list }).nullish(), media: list });
const metafieldsSetInput = z.object({ metafields: z.array(z.object({ ownerId: z.string() })) });

const ownerWeights: Record<string, number> = {
  Order: 10,
  Product: 4,
  ProductVariant: 2,
  Collection: 1,
  Customer: 1,
  Shop: 1,
};

export const mutationCosts: Record<string, (args: unknown) => number> = {
  /** changelog 2025-10-01, "Dynamic complexity cost for productSet mutation" */
  productSet: (args) => {
    const { input } = productSetInput.parse(args);
    const files = input.variants.filter((variant) => variant.file != null).length;
    const metafields = input.variants.reduce((sum, variant) => sum + (variant.metafields ?? 0), 0);
    return (
      10 +
      input.variants.length * 0.2 +
      files * 0.6 +
      metafields * 0.4 +
      input.metafields * 0.4 +
      input.files * 1.9
    );
  },
  /** changelog 2025-10-01, for the bulk mutations of variants */
  productVariantsBulkUpdate: (args) => {
    const { variants: given, media } = variantsUpdateInput.parse(args);
    const metafields = given.reduce((sum, variant) => sum + (variant.metafields ?? 0), 0);
    return 10 + given.length * 0.2 + metafields * 0.4 + media * 1.9;
  },
  /** changelog 2025-10-01, for productCreate and productUpdate */
  productUpdate: (args) => {
    const { product, media } = productUpdateInput.parse(args);
    return 10 + (product?.metafields ?? 0) * 0.4 + media * 1.9;
  },
  /** changelog 2026-09-15: 10 and a weight per distinct owner */
  metafieldsSet: (args) => {
    const owners = new Set(metafieldsSetInput.parse(args).metafields.map(({ ownerId }) => ownerId));
    return [...owners].reduce((sum, owner) => sum + (ownerWeights[parseGid(owner)?.type ?? ""] ?? 0), 10);
  },
};
