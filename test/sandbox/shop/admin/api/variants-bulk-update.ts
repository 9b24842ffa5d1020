/** productVariantsBulkUpdate: new values for some variants of one product, all or none; the others stay as they are. */
import { z } from "zod";
import { emitShopEvent } from "../../events.ts";
import { gid, parseGid } from "../../ids.ts";
import { decimals, minorUnits } from "../../money.ts";
import { putProduct } from "../../products.ts";
import type { Variant } from "../../state.ts";
import { inputProblem, metafieldType } from "./metafield-fields.ts";
import { metafield } from "./product-set-input.ts";
import { putMetafield } from "../../metafields.ts";
import { NotImplemented } from "./errors.ts";
import { productView, variantView } from "./product-views.ts";
import type { Reader } from "./reader.ts";
import type { View } from "./view.ts";

const amount = z.union([z.string(), z.number()]).transform(Number);

const updateArguments = z.strictObject({
  productId: z.string(),
  allowPartialUpdates: z.literal(false).nullish(),
  media: z.null().optional(),
  variants: z.array(
    z.strictObject({
      id: z.string().nullish(),
      price: amount.nullish(),
      taxable: z.boolean().nullish(),
      inventoryPolicy: z.enum(["DENY", "CONTINUE"]).nullish(),
      inventoryItem: z
        .strictObject({
          sku: z.string().nullish(),
          tracked: z.boolean().nullish(),
          requiresShipping: z.boolean().nullish(),
        })
        .nullish(),
      metafields: z.array(metafield).nullish(),
    }),
  ),
});
type VariantValues = z.infer<typeof updateArguments>["variants"][number];

export function productVariantsBulkUpdate(read: Reader, args: unknown): View {
  const parsed = updateArguments.safeParse(args);
  if (!parsed.success)
    throw new NotImplemented(`productVariantsBulkUpdate input: ${z.prettifyError(parsed.error)}`);
  const { productId, variants } = parsed.data;
  const { state } = read.shop;
  const product = state.products.get(parseGid(productId)?.id ?? "");
  const refuse = (errors: { code: string; field: string[]; message: string }[]): View => ({
    __typename: "ProductVariantsBulkUpdatePayload",
    product: null,
    productVariants: null,
    userErrors: errors.map((error) => ({ __typename: "ProductVariantsBulkUpdateUserError", ...error })),
  });
  if (product === undefined)
    return refuse([
      { code: "PRODUCT_DOES_NOT_EXIST", field: ["productId"], message: "Product does not exist" },
    ]);
  const errors = variants.flatMap((given, index) => {
    const field = (name: string) => ["variants", `${index}`, name];
    if (given.id == null)
      return [
        {
          code: "PRODUCT_VARIANT_ID_MISSING",
          field: field("id"),
          message: "Product variant is missing ID attribute",
        },
      ];
    if (!product.variants.some(({ id }) => gid("ProductVariant", id) === given.id))
      return [
        {
          code: "PRODUCT_VARIANT_DOES_NOT_EXIST",
          field: field("id"),
          message: "Product variant does not exist",
        },
      ];
    const problems = (given.metafields ?? []).flatMap((each, at) => {
      const problem = inputProblem(read, { ...each, ownerId: given.id ?? "" });
      return problem === null
        ? []
        : [
            {
              code: "INVALID_VALUE",
              field: ["variants", `${index}`, "metafields", `${at}`, problem.field],
              message: problem.message,
            },
          ];
    });
    if (problems.length > 0) return problems;
    return given.price != null && given.price < 0
      ? [
          {
            code: "GREATER_THAN_OR_EQUAL_TO",
            field: field("price"),
            message: "Price must be greater than or equal to 0",
          },
        ]
      : [];
  });
  if (errors.length > 0) return refuse(errors);
  const changed = {
    ...product,
    variants: product.variants.map((variant) => {
      const given = variants.find(({ id }) => id === gid("ProductVariant", variant.id));
      return given === undefined ? variant : withValues(variant, given, state.currency);
    }),
    updatedAt: new Date().toISOString(),
  };
  putProduct(state, changed);
  for (const { id, metafields } of variants)
    for (const each of metafields ?? [])
      putMetafield(
        state,
        id ?? "",
        each.namespace,
        each.key,
        metafieldType(read.shop, { ...each, ownerId: id ?? "" }) ?? "",
        each.value,
      );
  emitShopEvent(state, { topic: "products/update", product: changed });
  return {
    __typename: "ProductVariantsBulkUpdatePayload",
    product: productView(read, changed),
    productVariants: () =>
      variants.flatMap(({ id }) => {
        const variant = changed.variants.find((each) => gid("ProductVariant", each.id) === id);
        return variant === undefined ? [] : [variantView(read, changed, variant)];
      }),
    userErrors: [],
  };
}

function withValues(variant: Variant, given: VariantValues, currency: string): Variant {
  return {
    ...variant,
    price:
      given.price == null ? variant.price : minorUnits(given.price.toFixed(decimals(currency)), currency),
    taxable: given.taxable ?? variant.taxable,
    inventoryPolicy: given.inventoryPolicy ?? variant.inventoryPolicy,
    sku: given.inventoryItem?.sku ?? variant.sku,
    tracked: given.inventoryItem?.tracked ?? variant.tracked,
    requiresShipping: given.inventoryItem?.requiresShipping ?? variant.requiresShipping,
  };
}
