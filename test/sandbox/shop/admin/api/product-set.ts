/**
 * productSet: the whole product in one call. Lists that are given replace what was there; what they leave out is deleted;
 * lists that are not given stay. Variants keep their id when the input names it or has the same option values.
 */
import { GraphQLError } from "graphql";
import { z } from "zod";
import { gid, nextId } from "../../ids.ts";
import { NotImplemented } from "./errors.ts";
import { productView } from "./product-views.ts";
import type { Reader } from "./reader.ts";
import type { View } from "./view.ts";
import { setArguments } from "./product-set-input.ts";
import type { SetArguments } from "./product-set-input.ts";
import type { SetError } from "./product-set-rules.ts";
import { VariantLimitReached, writeProduct } from "./product-set-write.ts";

interface ProductSetOperation {
  id: string;
  status: "CREATED" | "ACTIVE" | "COMPLETE";
  productId: string | null;
  errors: SetError[];
}

/** The asynchronous runs of a shop, by numeric id. */
export type ProductSetOperations = Map<string, ProductSetOperation>;

export function productSet(read: Reader, args: unknown): View {
  const parsed = setArguments.safeParse(args);
  if (!parsed.success) throw new NotImplemented(`productSet input: ${z.prettifyError(parsed.error)}`);
  if (parsed.data.synchronous === false) {
    const operation: ProductSetOperation = {
      id: nextId(read.shop.state, "operation"),
      status: "CREATED",
      productId: null,
      errors: [],
    };
    read.productSets.set(operation.id, operation);
    // Seen as CREATED by this answer, done when the next call looks.
    setImmediate(() => {
      Object.assign(operation, { status: "COMPLETE", ...finished(read, parsed.data) });
    });
    return {
      __typename: "ProductSetPayload",
      product: null,
      productSetOperation: operationView(read, operation),
      userErrors: [],
    };
  }
  const { product, errors } = written(read, parsed.data);
  return {
    __typename: "ProductSetPayload",
    product: product === null ? null : productView(read, product),
    productSetOperation: null,
    userErrors: errorViews(errors),
  };
}

/** The limit of a day's variants is an error of the whole call. */
function written(read: Reader, input: SetArguments): ReturnType<typeof writeProduct> {
  try {
    return writeProduct(read, input);
  } catch (error) {
    if (!(error instanceof VariantLimitReached)) throw error;
    throw new GraphQLError(error.message, { extensions: { code: "VARIANT_THROTTLE_EXCEEDED" } });
  }
}

/** How an asynchronous run ends; there the limit can only be a user error, and the schema has this code for it. */
function finished(read: Reader, input: SetArguments): Pick<ProductSetOperation, "productId" | "errors"> {
  try {
    const { product, errors } = writeProduct(read, input);
    return { productId: product?.id ?? null, errors };
  } catch (error) {
    if (!(error instanceof VariantLimitReached)) throw error;
    const refusal = { code: "VARIANTS_OVER_LIMIT", field: ["input", "variants"], message: error.message };
    return { productId: null, errors: [refusal] };
  }
}

export function operationView(read: Reader, operation: ProductSetOperation): View {
  const product = read.shop.state.products.get(operation.productId ?? "");
  return {
    __typename: "ProductSetOperation",
    id: gid("ProductSetOperation", operation.id),
    status: operation.status,
    product: product === undefined ? null : productView(read, product),
    userErrors: errorViews(operation.errors),
  };
}

function errorViews(errors: SetError[]): View[] {
  return errors.map((error) => ({ __typename: "ProductSetUserError", ...error }));
}
