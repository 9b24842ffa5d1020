/** What productSet takes: the part of the schema's input that the stand-in knows. */
import { z } from "zod";

export const metafield = z.strictObject({
  id: z.string().nullish(),
  namespace: z.string().nullish(),
  key: z.string(),
  type: z.string().nullish(),
  value: z.string(),
});

const amount = z.union([z.string(), z.number()]).transform(String);

const variantInput = z.strictObject({
  id: z.string().nullish(),
  optionValues: z.array(
    z.strictObject({
      optionName: z.string().nullish(),
      optionId: z.string().nullish(),
      name: z.string().nullish(),
      id: z.string().nullish(),
    }),
  ),
  sku: z.string().nullish(),
  barcode: z.string().nullish(),
  price: amount.nullish(),
  compareAtPrice: amount.nullish(),
  position: z.number().nullish(),
  taxable: z.boolean().nullish(),
  taxCode: z.string().nullish(),
  inventoryPolicy: z.enum(["DENY", "CONTINUE"]).nullish(),
  inventoryItem: z
    .strictObject({
      sku: z.string().nullish(),
      tracked: z.boolean().nullish(),
      requiresShipping: z.boolean().nullish(),
      cost: amount.nullish(),
    })
    .nullish(),
  metafields: z.array(metafield).nullish(),
});

export type VariantInput = z.infer<typeof variantInput>;

/** Input that the schema allows and the stand-in does not know stops here, instead of being dropped. */
export const setArguments = z.object({
  synchronous: z.boolean().nullish(),
  identifier: z
    .strictObject({
      id: z.string().optional(),
      handle: z.string().optional(),
      customId: z
        .strictObject({ namespace: z.string().nullish(), key: z.string(), value: z.string() })
        .optional(),
    })
    .nullish(),
  input: z.strictObject({
    id: z.string().nullish(),
    handle: z.string().nullish(),
    title: z.string().nullish(),
    descriptionHtml: z.string().nullish(),
    vendor: z.string().nullish(),
    productType: z.string().nullish(),
    tags: z.array(z.string()).nullish(),
    status: z.enum(["ACTIVE", "ARCHIVED", "DRAFT", "UNLISTED"]).nullish(),
    collections: z.array(z.string()).nullish(),
    metafields: z.array(metafield).nullish(),
    productOptions: z
      .array(
        z.strictObject({
          id: z.string().nullish(),
          name: z.string(),
          position: z.number().nullish(),
          values: z.array(z.strictObject({ id: z.string().nullish(), name: z.string() })).nullish(),
        }),
      )
      .nullish(),
    variants: z.array(variantInput).nullish(),
    files: z
      .array(
        z.strictObject({
          id: z.string().nullish(),
          originalSource: z.string().nullish(),
          alt: z.string().nullish(),
          contentType: z.string().nullish(),
          filename: z.string().nullish(),
          duplicateResolutionMode: z.string().nullish(),
        }),
      )
      .nullish(),
    giftCard: z.boolean().nullish(),
    requiresSellingPlan: z.literal(false).nullish(),
    seo: z.strictObject({ title: z.string().nullish(), description: z.string().nullish() }).nullish(),
    templateSuffix: z.string().nullish(),
    redirectNewHandle: z.boolean().nullish(),
  }),
});

export type SetArguments = z.infer<typeof setArguments>;
