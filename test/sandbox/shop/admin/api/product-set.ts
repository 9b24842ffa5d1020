/**
 * productSet: the whole product in one call. Lists that are given replace what was there; what they leave out is deleted;
 * lists that are not given stay. Variants keep their id when the input names it or has the same option values.
 */
import { z } from "zod";
import { emit } from "../../events.ts";
import { gid, nextId, parseGid } from "../../ids.ts";
import {
  findMetafield,
  metafieldsOf,
  putMetafield,
  removeMetafield,
  resolveNamespace,
} from "../../metafields.ts";
import { decimals, minorUnits } from "../../money.ts";
import { findByHandle, findVariant, freeHandle, putProduct } from "../../products.ts";
import type { Product, Variant } from "../../state.ts";
import { NotImplemented } from "./errors.ts";
import { inputProblem, typeOf } from "./metafield-fields.ts";
import { productView } from "./product-views.ts";
import type { Reader } from "./reader.ts";
import type { View } from "./view.ts";

const metafield = z.strictObject({
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
type VariantInput = z.infer<typeof variantInput>;
/** Input that the schema allows and the stand-in does not know stops here, instead of being dropped. */
const setArguments = z.object({
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
type SetArguments = z.infer<typeof setArguments>;

export interface SetError {
  code: string;
  field: string[];
  message: string;
}

const limits = { options: 3, variants: 2048, optionValues: 2048, inventoryQuantities: 50_000 };

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
      const done = write(read, parsed.data);
      Object.assign(operation, {
        status: "COMPLETE",
        productId: done.product?.id ?? null,
        errors: done.errors,
      } satisfies Partial<ProductSetOperation>);
    });
    return {
      __typename: "ProductSetPayload",
      product: null,
      productSetOperation: operationView(read, operation),
      userErrors: [],
    };
  }
  const { product, errors } = write(read, parsed.data);
  return {
    __typename: "ProductSetPayload",
    product: product === null ? null : productView(read, product),
    productSetOperation: null,
    userErrors: errorViews(errors),
  };
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

function write(
  read: Reader,
  { identifier, input }: SetArguments,
): { product: Product | null; errors: SetError[] } {
  const { state } = read.shop;
  const target = find(read, identifier ?? null, input.id ?? null);
  if (target instanceof Array) return { product: null, errors: target };
  const errors = [
    ...handleErrors(read, target, input),
    ...optionErrors(target, input),
    ...variantErrors(target, input),
    ...metafieldErrors(read, target, input),
  ];
  if (errors.length > 0) return { product: null, errors };

  const now = new Date().toISOString();
  const options = input.productOptions?.map((option, index) => ({
    id: target?.options[index]?.id ?? nextId(state, "option"),
    name: option.name,
    values: option.values?.map(({ name }) => name) ?? [],
  })) ??
    target?.options ?? [{ id: nextId(state, "option"), name: "Title", values: ["Default Title"] }];
  const title = input.title ?? target?.title ?? "";
  const product: Product = {
    id: target?.id ?? nextId(state, "product"),
    handle: input.handle ?? target?.handle ?? identifier?.handle ?? freeHandle(state, title),
    title,
    descriptionHtml: input.descriptionHtml ?? target?.descriptionHtml ?? "",
    vendor: input.vendor ?? target?.vendor ?? state.name,
    productType: input.productType ?? target?.productType ?? "",
    tags: input.tags ?? target?.tags ?? [],
    status: input.status ?? target?.status ?? "ACTIVE",
    options,
    variants:
      input.variants == null
        ? (target?.variants ?? [defaultVariant(read)])
        : input.variants.map((each, index) => newVariant(read, target, options, each, index)),
    images:
      input.files?.map(
        (file) =>
          target?.images.find(({ id }) => file.id === gid("MediaImage", id)) ?? {
            id: nextId(state, "image"),
            url: file.originalSource ?? "",
            alt: file.alt ?? "",
          },
      ) ??
      target?.images ??
      [],
    publishedOn: target?.publishedOn ?? new Set(),
    giftCard: input.giftCard ?? target?.giftCard ?? false,
    createdAt: target?.createdAt ?? now,
    updatedAt: now,
  };
  const kept = new Set(product.variants.map(({ id }) => id));
  for (const gone of target?.variants.filter(({ id }) => !kept.has(id)) ?? [])
    for (const each of metafieldsOf(state, gid("ProductVariant", gone.id)))
      removeMetafield(state, each.ownerId, each.namespace, each.key);
  putProduct(state, product);
  writeMetafields(read, gid("Product", product.id), input.metafields);
  input.variants?.forEach((each, index) =>
    writeMetafields(read, gid("ProductVariant", product.variants[index]?.id ?? ""), each.metafields),
  );
  if (identifier?.customId !== undefined)
    putMetafield(
      state,
      gid("Product", product.id),
      identifier.customId.namespace,
      identifier.customId.key,
      "id",
      identifier.customId.value,
    );
  if (input.collections != null) {
    const wanted = new Set(input.collections.map((id) => parseGid(id)?.id));
    for (const collection of state.collections.values()) {
      const others = collection.productIds.filter((id) => id !== product.id);
      collection.productIds = wanted.has(collection.id) ? [...others, product.id] : others;
    }
  }
  emit(state, { topic: target === null ? "products/create" : "products/update", product });
  return { product, errors: [] };
}

/** The product to change, null for a new one, or why neither. */
function find(
  read: Reader,
  identifier: SetArguments["identifier"] | null,
  inputId: string | null,
): Product | null | SetError[] {
  const { state } = read.shop;
  const id = identifier?.id ?? inputId;
  if (id != null) {
    const product = state.products.get(parseGid(id)?.id ?? "");
    return (
      product ?? [{ code: "PRODUCT_DOES_NOT_EXIST", field: ["input"], message: "Product does not exist" }]
    );
  }
  if (identifier?.handle !== undefined) return findByHandle(state, identifier.handle) ?? null;
  const custom = identifier?.customId;
  if (custom === undefined) return null;
  for (const product of state.products.values())
    if (
      findMetafield(state, gid("Product", product.id), custom.namespace, custom.key)?.value === custom.value
    )
      return product;
  return null;
}

function handleErrors(read: Reader, target: Product | null, input: SetArguments["input"]): SetError[] {
  const errors: SetError[] = [];
  if (target === null && (input.title ?? "").trim() === "")
    errors.push({ code: "INVALID_PRODUCT", field: ["input", "title"], message: "Title can't be blank" });
  if ((input.title ?? "").length > 255)
    errors.push({
      code: "INVALID_PRODUCT",
      field: ["input", "title"],
      message: "Title is too long (maximum is 255 characters)",
    });
  const other = input.handle == null ? undefined : findByHandle(read.shop.state, input.handle);
  if (other !== undefined && other.id !== target?.id)
    errors.push({
      code: "HANDLE_NOT_UNIQUE",
      field: ["input", "handle"],
      message: `Handle '${other.handle}' already in use. Please provide a new handle.`,
    });
  const missing = input.collections?.find((id) => !read.shop.state.collections.has(parseGid(id)?.id ?? ""));
  if (missing !== undefined)
    errors.push({ code: "NOT_FOUND", field: ["input", "collections"], message: "Collection does not exist" });
  return errors;
}

function optionErrors(
  target: Product | null,
  { productOptions, variants }: SetArguments["input"],
): SetError[] {
  const errors: SetError[] = [];
  if (productOptions == null) {
    if (variants != null && target === null)
      errors.push({
        code: "PRODUCT_OPTIONS_INPUT_MISSING",
        field: ["input", "productOptions"],
        message: "Product options input is required when updating variants",
      });
    return errors;
  }
  if (variants == null)
    errors.push({
      code: "VARIANTS_INPUT_MISSING",
      field: ["input", "variants"],
      message: "Variants input is required when updating product options",
    });
  if (productOptions.length > limits.options)
    errors.push({
      code: "OPTIONS_OVER_LIMIT",
      field: ["input", "productOptions"],
      message: `Can only specify a maximum of ${limits.options} options`,
    });
  const names = productOptions.map(({ name }) => name.toLowerCase());
  if (new Set(names).size < names.length)
    errors.push({
      code: "DUPLICATED_OPTION_NAME",
      field: ["input", "productOptions"],
      message: "Option names must be unique",
    });
  productOptions.forEach(({ values }, index) => {
    const field = ["input", "productOptions", `${index}`, "values"];
    const texts = (values ?? []).map(({ name }) => name.toLowerCase());
    if (texts.length === 0)
      errors.push({ code: "OPTION_VALUES_MISSING", field, message: "Option values must be specified" });
    if (texts.length > limits.optionValues)
      errors.push({
        code: "OPTION_VALUES_OVER_LIMIT",
        field,
        message: "Number of option values exceeded the limit",
      });
    if (new Set(texts).size < texts.length)
      errors.push({ code: "DUPLICATED_OPTION_VALUE", field, message: "Option values must be unique" });
  });
  return errors;
}

function variantErrors(
  target: Product | null,
  { variants, productOptions }: SetArguments["input"],
): SetError[] {
  if (variants == null) return [];
  const errors: SetError[] = [];
  if (variants.length > limits.variants)
    errors.push({
      code: "VARIANTS_OVER_LIMIT",
      field: ["input", "variants"],
      message: `Can only specify a maximum of ${limits.variants} variants`,
    });
  const options =
    productOptions?.map(({ name, values }) => ({ name, values: values?.map((value) => value.name) ?? [] })) ??
    target?.options ??
    [];
  const seen = new Set<string>();
  variants.forEach((variant, index) => {
    const field = (name: string): string[] => ["input", "variants", `${index}`, name];
    if (
      variant.id != null &&
      target?.variants.every(({ id }) => gid("ProductVariant", id) !== variant.id) !== false
    )
      errors.push({
        code: "PRODUCT_VARIANT_DOES_NOT_EXIST",
        field: field("id"),
        message: "Product variant does not exist",
      });
    for (const value of variant.optionValues) {
      const option = options.find(({ name }) => name === value.optionName);
      if (option === undefined)
        errors.push({
          code: "OPTION_DOES_NOT_EXIST",
          field: field("optionValues"),
          message: "Option does not exist",
        });
      else if (!option.values.includes(value.name ?? ""))
        errors.push({
          code: "OPTION_VALUE_DOES_NOT_EXIST",
          field: field("optionValues"),
          message: "Option value does not exist",
        });
    }
    const key = JSON.stringify(valuesOf(options, variant));
    if (variant.optionValues.length < options.length)
      errors.push({
        code: "INVALID_VARIANT",
        field: field("optionValues"),
        message: "Every option needs a value",
      });
    if (seen.has(key))
      errors.push({
        code: "INVALID_VARIANT",
        field: ["input", "variants"],
        message: `The variant '${valuesOf(options, variant).join(" / ")}' already exists.`,
      });
    seen.add(key);
    for (const name of ["price", "compareAtPrice"] as const) {
      const price = variant[name];
      if (price != null && (Number(price) < 0 || Number(price) > 999_999_999_999.99))
        errors.push({
          code: "INVALID_VARIANT",
          field: field(name),
          message: "Price must be greater than or equal to 0",
        });
    }
  });
  return errors;
}

function metafieldErrors(read: Reader, target: Product | null, input: SetArguments["input"]): SetError[] {
  const given = [
    ...(input.metafields ?? []).map((each) => ({ each, field: ["input", "metafields"] })),
    ...(input.variants ?? []).flatMap((variant, index) =>
      (variant.metafields ?? []).map((each) => ({
        each,
        field: ["input", "variants", `${index}`, "metafields"],
      })),
    ),
  ];
  return given.flatMap(({ each, field }) => {
    // A product that is still to be made has no id yet: any existing one stands for it.
    const owner = target ?? read.shop.state.products.values().next().value;
    if (owner === undefined) return [];
    const problem = inputProblem(read, { ...each, ownerId: gid("Product", owner.id) });
    return problem === null || problem.code === "STALE_OBJECT"
      ? []
      : [{ code: "INVALID_METAFIELD", field, message: problem.message }];
  });
}

/** Given metafields replace the app's own; those of others stay. */
function writeMetafields(
  read: Reader,
  ownerId: string,
  metafields: z.infer<typeof metafield>[] | null | undefined,
): void {
  if (metafields == null) return;
  const { state } = read.shop;
  const wanted = new Set(metafields.map(({ namespace, key }) => `${resolveNamespace(namespace)}.${key}`));
  for (const each of metafieldsOf(state, ownerId))
    if (!wanted.has(`${each.namespace}.${each.key}`))
      removeMetafield(state, ownerId, each.namespace, each.key);
  for (const each of metafields)
    putMetafield(
      state,
      ownerId,
      each.namespace,
      each.key,
      typeOf(read.shop, { ...each, ownerId }) ?? "",
      each.value,
    );
}

/** The values in the order of the options. */
function valuesOf(options: { name: string }[], variant: VariantInput): string[] {
  return options.map(
    ({ name }) => variant.optionValues.find(({ optionName }) => optionName === name)?.name ?? "",
  );
}

function newVariant(
  read: Reader,
  target: Product | null,
  options: Product["options"],
  input: VariantInput,
  index: number,
): Variant {
  const { state } = read.shop;
  const values = valuesOf(options, input);
  const known = input.id == null ? null : findVariant(state, parseGid(input.id)?.id ?? "")?.variant;
  const before =
    known ?? target?.variants.find((each) => JSON.stringify(each.optionValues) === JSON.stringify(values));
  const price = (given: string | null | undefined, otherwise: number): number =>
    given == null ? otherwise : minorUnits(Number(given).toFixed(decimals(state.currency)), state.currency);
  const base = before ?? defaultVariant(read);
  return {
    ...base,
    title: values.join(" / "),
    optionValues: values,
    sku: input.sku ?? input.inventoryItem?.sku ?? base.sku,
    price: price(input.price, base.price),
    compareAtPrice:
      input.compareAtPrice === undefined
        ? base.compareAtPrice
        : input.compareAtPrice === null
          ? null
          : price(input.compareAtPrice, 0),
    taxable: input.taxable ?? base.taxable,
    requiresShipping: input.inventoryItem?.requiresShipping ?? base.requiresShipping,
    tracked: input.inventoryItem?.tracked ?? base.tracked,
    inventoryPolicy: input.inventoryPolicy ?? base.inventoryPolicy,
    position: input.position ?? index + 1,
  };
}

function defaultVariant(read: Reader): Variant {
  const { state } = read.shop;
  return {
    id: nextId(state, "variant"),
    inventoryItemId: nextId(state, "inventoryItem"),
    title: "Default Title",
    optionValues: ["Default Title"],
    sku: null,
    price: 0,
    compareAtPrice: null,
    taxable: true,
    requiresShipping: true,
    tracked: false,
    inventoryPolicy: "DENY",
    inventoryQuantity: 0,
    position: 1,
  };
}
