/** productUpdate, productDelete, publishablePublish and publishableUnpublish. */
import { z } from "zod";
import { emitShopEvent } from "../../events.ts";
import { gid, parseGid } from "../../ids.ts";
import { putMetafield } from "../../metafields.ts";
import { findByHandle, putProduct, removeProduct } from "../../products.ts";
import type { Product } from "../../state.ts";
import { NotImplemented } from "./errors.ts";
import { inputProblem, metafieldType } from "./metafield-fields.ts";
import { productView } from "./product-views.ts";
import type { Reader } from "./reader.ts";
import { shopView } from "./shop-views.ts";
import type { View } from "./view.ts";

const updateArguments = z.strictObject({
  product: z.strictObject({
    id: z.string(),
    title: z.string().nullish(),
    handle: z.string().nullish(),
    descriptionHtml: z.string().nullish(),
    vendor: z.string().nullish(),
    productType: z.string().nullish(),
    tags: z.array(z.string()).nullish(),
    status: z.enum(["ACTIVE", "ARCHIVED", "DRAFT", "UNLISTED"]).nullish(),
    metafields: z
      .array(
        z.strictObject({
          namespace: z.string().nullish(),
          key: z.string(),
          type: z.string().nullish(),
          value: z.string(),
        }),
      )
      .nullish(),
    deleteConflictingConstrainedMetafields: z.boolean().nullish(),
  }),
});

function userError(field: string[], message: string): View {
  return { __typename: "UserError", field, message };
}

export function productUpdate(read: Reader, args: unknown): View {
  const parsed = updateArguments.safeParse(args);
  if (!parsed.success) throw new NotImplemented(`productUpdate input: ${z.prettifyError(parsed.error)}`);
  const { id, metafields, ...given } = parsed.data.product;
  const { state } = read.shop;
  const product = productOf(read, id);
  const refuse = (field: string[], message: string): View => ({
    __typename: "ProductUpdatePayload",
    product: null,
    userErrors: [userError(field, message)],
  });
  if (product === undefined) return refuse(["id"], "Product does not exist");
  if (given.title === "") return refuse(["title"], "Title can't be blank");
  const other = given.handle == null ? undefined : findByHandle(state, given.handle);
  if (other !== undefined && other.id !== product.id)
    return refuse(["handle"], `Handle '${other.handle}' already in use. Please provide a new handle.`);
  for (const metafield of metafields ?? []) {
    const problem = inputProblem(read, { ...metafield, ownerId: id });
    if (problem !== null) return refuse(["metafields", problem.field], problem.message);
  }
  const changed: Product = {
    ...product,
    title: given.title ?? product.title,
    handle: given.handle ?? product.handle,
    descriptionHtml: given.descriptionHtml ?? product.descriptionHtml,
    vendor: given.vendor ?? product.vendor,
    productType: given.productType ?? product.productType,
    tags: given.tags ?? product.tags,
    status: given.status ?? product.status,
    updatedAt: new Date().toISOString(),
  };
  putProduct(state, changed);
  for (const metafield of metafields ?? [])
    putMetafield(
      state,
      id,
      metafield.namespace,
      metafield.key,
      metafieldType(read.shop, { ...metafield, ownerId: id }) ?? "",
      metafield.value,
    );
  emitShopEvent(state, { topic: "products/update", product: changed });
  return { __typename: "ProductUpdatePayload", product: productView(read, changed), userErrors: [] };
}

const deleteArguments = z.object({ input: z.object({ id: z.string() }), synchronous: z.boolean().nullish() });

export function productDelete(read: Reader, args: unknown): View {
  const { input, synchronous } = deleteArguments.parse(args);
  if (synchronous === false) throw new NotImplemented("productDelete(synchronous: false)");
  const product = productOf(read, input.id);
  if (product !== undefined) {
    removeProduct(read.shop.state, product);
    emitShopEvent(read.shop.state, { topic: "products/delete", productId: product.id });
  }
  return {
    __typename: "ProductDeletePayload",
    deletedProductId: product === undefined ? null : gid("Product", product.id),
    productDeleteOperation: null,
    shop: shopView(read),
    userErrors: product === undefined ? [userError(["id"], "Product does not exist")] : [],
  };
}

const publishArguments = z.object({
  id: z.string(),
  input: z.array(z.object({ publicationId: z.string().nullish(), publishDate: z.string().nullish() })),
});

export function setPublished(read: Reader, args: unknown, on: boolean): View {
  const { id, input } = publishArguments.parse(args);
  const { state } = read.shop;
  const product = productOf(read, id);
  const publications = input.map(({ publicationId }) => parseGid(publicationId ?? "")?.id ?? "");
  const errors: View[] = [];
  if (product === undefined) errors.push(userError(["id"], "Resource does not exist"));
  publications.forEach((each, index) => {
    if (!state.publications.has(each))
      errors.push(
        userError(["input", `${index}`, "publicationId"], "Publication does not exist or is not publishable"),
      );
  });
  if (product !== undefined && errors.length === 0) {
    for (const each of publications) {
      if (on) product.publishedOn.add(each);
      else product.publishedOn.delete(each);
    }
  }
  return {
    __typename: on ? "PublishablePublishPayload" : "PublishableUnpublishPayload",
    publishable: product === undefined || errors.length > 0 ? null : productView(read, product),
    shop: shopView(read),
    userErrors: errors,
  };
}

function productOf(read: Reader, id: string): Product | undefined {
  const parsed = parseGid(id);
  return parsed?.type === "Product" ? read.shop.state.products.get(parsed.id) : undefined;
}
