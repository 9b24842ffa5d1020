/** What productSet refuses, with the platform's codes. */
import { gid, parseGid } from "../../ids.ts";
import { findByHandle } from "../../products.ts";
import type { Product } from "../../state.ts";
import { inputProblem } from "./metafield-fields.ts";
import type { Reader } from "./reader.ts";
import type { VariantInput, SetArguments } from "./product-set-input.ts";

export interface SetError {
  code: string;
  field: string[];
  message: string;
}

const limits = { options: 3, variants: 2048, optionValues: 2048, inventoryQuantities: 50_000 };

export function handleErrors(read: Reader, target: Product | null, input: SetArguments["input"]): SetError[] {
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

export function optionErrors(
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

export function variantErrors(
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
    const key = JSON.stringify(optionValues(options, variant));
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
        message: `The variant '${optionValues(options, variant).join(" / ")}' already exists.`,
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

export function metafieldErrors(
  read: Reader,
  target: Product | null,
  input: SetArguments["input"],
): SetError[] {
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
    // A product that is still to be made has no id yet: any existing one takes its place.
    const owner = target ?? read.shop.state.products.values().next().value;
    if (owner === undefined) return [];
    const problem = inputProblem(read, { ...each, ownerId: gid("Product", owner.id) });
    return problem === null || problem.code === "STALE_OBJECT"
      ? []
      : [{ code: "INVALID_METAFIELD", field, message: problem.message }];
  });
}

/** The values in the order of the options. */
export function optionValues(options: { name: string }[], variant: VariantInput): string[] {
  return options.map(
    ({ name }) => variant.optionValues.find(({ optionName }) => optionName === name)?.name ?? "",
  );
}
