/**
 * productSet: the whole product in one call. A list in the input replaces the existing one; a missing list changes
 * nothing. A variant keeps its id if the input names it or has the same option values.
 */
import { GraphQLError } from "graphql";
import type {
  MutationProductSetArgs,
  ProductSetInput,
  ProductVariantSetInput,
} from "#app/shopify/types/admin.types.d.ts";
import { emitShopEvent } from "../events.ts";
import { gid, nextId, parseGid } from "../ids.ts";
import { metafieldsOf, removeMetafield } from "../metafields.ts";
import { findByHandle, putProduct, uniqueHandle } from "../products.ts";
import type { Product, ShopState, Variant } from "../state.ts";
import { variantValues } from "./products.ts";
import { requireId, requireKnown, typed, userError } from "./resolver.ts";
import type { Call, Resolvers, UserError } from "./resolver.ts";

/** An asynchronous run; a shop keeps its runs by their id. */
export interface ProductSetOperation {
  id: string;
  status: "CREATED" | "COMPLETE";
  product: Product | null;
  userErrors: UserError[];
}

const LIMITS = { options: 3, variants: 2048 };
const KNOWN_INPUT = [
  ...["title", "handle", "descriptionHtml", "vendor", "productType", "category", "tags", "status"],
  ...["productOptions", "variants", "files"],
];
const KNOWN_VARIANT = [
  "id",
  "optionValues",
  "position",
  "price",
  "taxable",
  "inventoryPolicy",
  "inventoryItem",
];

export const productSetTypes: Resolvers = {
  QueryRoot: {
    productOperation: (_, { id }: { id: string }, { shop }) =>
      typed("ProductSetOperation", shop.api.productSets.get(requireId("ProductSetOperation", id))),
  },
  Mutation: {
    productSet: (_, args: MutationProductSetArgs, call) => productSet(call, args),
  },
};

function productSet(call: Call, args: MutationProductSetArgs) {
  if (args.synchronous !== false) return { productSetOperation: null, ...writeProduct(call, args) };
  const operation: ProductSetOperation = {
    id: nextId(call.shop.state, "operation"),
    status: "CREATED",
    product: null,
    userErrors: [],
  };
  call.shop.api.productSets.set(operation.id, operation);
  // The response shows it as CREATED; the next query returns it as complete.
  setImmediate(() => Object.assign(operation, { status: "COMPLETE" }, writeLater(call, args)));
  return {
    product: null,
    productSetOperation: typed("ProductSetOperation", operation),
    userErrors: [],
  };
}

type Written = Pick<ProductSetOperation, "product" | "userErrors">;

/** The daily limit of variants is an error of the whole call; an asynchronous run can only report a user error. */
function writeLater(call: Call, args: MutationProductSetArgs): Written {
  try {
    return writeProduct(call, args);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return {
      product: null,
      userErrors: [userError("VARIANTS_OVER_LIMIT", ["input", "variants"], error.message)],
    };
  }
}

function writeProduct(call: Call, { identifier, input }: MutationProductSetArgs): Written {
  requireKnown("ProductSetInput", input, KNOWN_INPUT);
  requireKnown("ProductSetIdentifiers", identifier ?? {}, ["id", "handle"]);
  const { state, api } = call.shop;
  const target = targetOf(state, identifier);
  if (target === undefined)
    return {
      product: null,
      userErrors: [userError("PRODUCT_DOES_NOT_EXIST", ["input"], "Product does not exist")],
    };
  for (const variant of input.variants ?? []) requireKnown("ProductVariantSetInput", variant, KNOWN_VARIANT);
  const userErrors = [
    ...productErrors(state, target, input),
    ...optionErrors(target, input),
    ...variantErrors(target, input),
  ];
  if (userErrors.length > 0) return { product: null, userErrors };

  const options = input.productOptions?.map(({ name, values }, index) => ({
    id: target?.options[index]?.id ?? nextId(state, "option"),
    name: name ?? "",
    values: values?.map((value) => value.name ?? "") ?? [],
  })) ??
    target?.options ?? [{ id: nextId(state, "option"), name: "Title", values: ["Default Title"] }];
  const previous = existingVariants(target, options);
  const created = input.variants?.filter((each) => previous(each) === undefined).length ?? (target ? 0 : 1);
  if (!api.variantThrottle.take(created))
    throw new GraphQLError("Daily variant creation limit reached. Please try again later.", {
      extensions: { code: "VARIANT_THROTTLE_EXCEEDED" },
    });

  const now = new Date().toISOString();
  const title = input.title ?? target?.title ?? "";
  const product: Product = {
    ...(target ?? newProduct(state)),
    title,
    handle: input.handle ?? target?.handle ?? identifier?.handle ?? uniqueHandle(state, title),
    descriptionHtml: input.descriptionHtml ?? target?.descriptionHtml ?? "",
    vendor: input.vendor ?? target?.vendor ?? state.name,
    productType: input.productType ?? target?.productType ?? "",
    category: input.category ?? target?.category ?? null,
    tags: input.tags ?? target?.tags ?? [],
    status: input.status ?? target?.status ?? "ACTIVE",
    options,
    variants: input.variants?.map((each, index) => {
      const values = optionValues(options, each);
      const base = previous(each) ?? defaultVariant(state);
      const position = each.position ?? index + 1;
      return {
        ...base,
        ...variantValues(state, base, each),
        title: values.join(" / "),
        optionValues: values,
        position,
      };
    }) ??
      target?.variants ?? [defaultVariant(state)],
    images:
      input.files?.map(({ originalSource, alt }) => ({
        id: nextId(state, "image"),
        url: originalSource ?? "",
        alt: alt ?? "",
      })) ??
      target?.images ??
      [],
    createdAt: target?.createdAt ?? now,
    updatedAt: now,
  };
  for (const { id } of target?.variants ?? [])
    if (!product.variants.some((each) => each.id === id))
      for (const each of metafieldsOf(state, gid("ProductVariant", id)))
        removeMetafield(state, each.ownerId, each.namespace, each.key);
  putProduct(state, product);
  emitShopEvent(state, { topic: target === null ? "products/create" : "products/update", product });
  return { product, userErrors };
}

/** The product to change; null: a new one; undefined: the named product does not exist. */
function targetOf(
  state: ShopState,
  identifier: MutationProductSetArgs["identifier"],
): Product | null | undefined {
  if (identifier?.id != null) return state.products.get(parseGid(identifier.id)?.id ?? "");
  return (identifier?.handle == null ? undefined : findByHandle(state, identifier.handle)) ?? null;
}

/** A new product is put on every channel that publishes new products by itself. */
function newProduct(state: ShopState) {
  const automatic = [...state.publications.values()].filter(({ autoPublish }) => autoPublish);
  return { id: nextId(state, "product"), publishedOn: new Set(automatic.map(({ id }) => id)) };
}

function defaultVariant(state: ShopState): Variant {
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

/** The values in the order of the options. */
function optionValues(options: { name: string }[], variant: ProductVariantSetInput): string[] {
  return options.map(
    ({ name }) => variant.optionValues.find(({ optionName }) => optionName === name)?.name ?? "",
  );
}

/** Finds the variant of an input by its id, else by its option values. */
function existingVariants(target: Product | null, options: { name: string }[]) {
  const variants = target?.variants ?? [];
  const byId = new Map(variants.map((each) => [gid("ProductVariant", each.id), each]));
  const byValues = new Map(variants.map((each) => [each.optionValues.join("\n"), each]));
  return (input: ProductVariantSetInput): Variant | undefined =>
    byId.get(input.id ?? "") ?? byValues.get(optionValues(options, input).join("\n"));
}

function productErrors(
  state: ShopState,
  target: Product | null,
  { title, handle }: ProductSetInput,
): UserError[] {
  const errors: UserError[] = [];
  const refuse = (code: string, name: string, message: string) =>
    errors.push(userError(code, ["input", name], message));
  if (target === null ? !title?.trim() : title === "")
    refuse("INVALID_PRODUCT", "title", "Title can't be blank");
  if ((title ?? "").length > 255)
    refuse("INVALID_PRODUCT", "title", "Title is too long (maximum is 255 characters)");
  const other = handle == null ? undefined : findByHandle(state, handle);
  if (other !== undefined && other.id !== target?.id)
    refuse(
      "HANDLE_NOT_UNIQUE",
      "handle",
      `Handle '${other.handle}' already in use. Please provide a new handle.`,
    );
  return errors;
}

function optionErrors(target: Product | null, { productOptions, variants }: ProductSetInput): UserError[] {
  const errors: UserError[] = [];
  const refuse = (code: string, message: string, name = "productOptions") =>
    errors.push(userError(code, ["input", name], message));
  if (productOptions == null && variants != null && target === null)
    refuse("PRODUCT_OPTIONS_INPUT_MISSING", "Product options input is required when updating variants");
  if (productOptions == null) return errors;
  if (variants == null)
    refuse("VARIANTS_INPUT_MISSING", "Variants input is required when updating product options", "variants");
  if (productOptions.length > LIMITS.options)
    refuse("OPTIONS_OVER_LIMIT", `Can only specify a maximum of ${LIMITS.options} options`);
  for (const { values } of productOptions) {
    const names = (values ?? []).map(({ name }) => name?.toLowerCase());
    if (names.length === 0) refuse("OPTION_VALUES_MISSING", "Option values must be specified");
    if (new Set(names).size < names.length) refuse("DUPLICATED_OPTION_VALUE", "Option values must be unique");
  }
  return errors;
}

function variantErrors(target: Product | null, input: ProductSetInput): UserError[] {
  const { variants, productOptions } = input;
  if (variants == null) return [];
  const errors: UserError[] = [];
  if (variants.length > LIMITS.variants) {
    const message = `Can only specify a maximum of ${LIMITS.variants} variants`;
    errors.push(userError("VARIANTS_OVER_LIMIT", ["input", "variants"], message));
  }
  const options =
    productOptions?.map(({ name, values }) => ({
      name: name ?? "",
      values: values?.map((value) => value.name) ?? [],
    })) ??
    target?.options ??
    [];
  const seen = new Set<string>();
  variants.forEach((variant, index) => {
    const refuse = (code: string, name: string, message: string): void => {
      errors.push(userError(code, ["input", "variants", `${index}`, name], message));
    };
    if (variant.id != null && !target?.variants.some(({ id }) => gid("ProductVariant", id) === variant.id))
      refuse("PRODUCT_VARIANT_DOES_NOT_EXIST", "id", "Product variant does not exist");
    for (const { optionName, name } of variant.optionValues) {
      const option = options.find((each) => each.name === optionName);
      if (option === undefined) refuse("OPTION_DOES_NOT_EXIST", "optionValues", "Option does not exist");
      else if (!option.values.includes(name ?? ""))
        refuse("OPTION_VALUE_DOES_NOT_EXIST", "optionValues", "Option value does not exist");
    }
    const values = optionValues(options, variant).join(" / ");
    if (variant.optionValues.length < options.length)
      refuse("INVALID_VARIANT", "optionValues", "Every option needs a value");
    if (seen.has(values))
      refuse("INVALID_VARIANT", "optionValues", `The variant '${values}' already exists.`);
    seen.add(values);
    if (Number(variant.price ?? 0) < 0)
      refuse("INVALID_VARIANT", "price", "Price must be greater than or equal to 0");
  });
  return errors;
}
