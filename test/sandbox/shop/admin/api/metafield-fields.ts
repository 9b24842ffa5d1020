/** Metafields in the Admin API: the fields that every owner has, metafieldsSet, metafieldsDelete. */
import { z } from "zod";
import { gid, parseGid } from "../../ids.ts";
import {
  compareDigest,
  findMetafield,
  isKnownType,
  metafieldsOf,
  putMetafield,
  removeMetafield,
  resolveNamespace,
  valueProblem,
} from "../../metafields.ts";
import type { ShopSandbox } from "../../sandbox.ts";
import type { Metafield } from "../../state.ts";
import { NotImplemented } from "./errors.ts";
import type { Reader } from "./reader.ts";
import { connection } from "./view.ts";
import type { View } from "./view.ts";

const one = z.object({ key: z.string(), namespace: z.string().nullish() });
const many = z.object({ namespace: z.string().nullish(), keys: z.array(z.string()).nullish() });

/** `metafield` and `metafields` of an owner. */
export function metafieldFields(read: Reader, ownerId: string): Record<string, unknown> {
  const { state } = read.shop;
  return {
    metafield: (args: unknown) => {
      const { key, namespace } = one.parse(args);
      const found = findMetafield(state, ownerId, namespace, key);
      return found === undefined ? null : metafieldView(read, found);
    },
    metafields: (args: unknown) => {
      const { namespace, keys } = many.parse(args);
      const wanted = keys?.map((key) =>
        key.includes(".")
          ? `${resolveNamespace(key.slice(0, key.lastIndexOf(".")))}.${key.slice(key.lastIndexOf(".") + 1)}`
          : `${resolveNamespace(namespace)}.${key}`,
      );
      const items = metafieldsOf(state, ownerId, wanted === undefined ? namespace : undefined).filter(
        (metafield) => wanted === undefined || wanted.includes(`${metafield.namespace}.${metafield.key}`),
      );
      return connection(
        "Metafield",
        { items, id: ({ id }) => id, view: (item) => metafieldView(read, item) },
        args,
      );
    },
  };
}

export function metafieldView(read: Reader, metafield: Metafield): View {
  return {
    __typename: "Metafield",
    id: gid("Metafield", metafield.id),
    legacyResourceId: metafield.id,
    namespace: metafield.namespace,
    key: metafield.key,
    type: metafield.type,
    value: metafield.value,
    jsonValue: () =>
      metafield.type === "json" ||
      metafield.type.startsWith("list.") ||
      ["boolean", "number_integer"].includes(metafield.type)
        ? (JSON.parse(metafield.value) as unknown)
        : metafield.value,
    compareDigest: compareDigest(metafield),
    createdAt: metafield.updatedAt,
    updatedAt: metafield.updatedAt,
    sizeInBytes: Buffer.byteLength(metafield.value),
    owner: () => read.node(metafield.ownerId),
    ownerType: () => ownerType(metafield.ownerId),
  };
}

const ownerTypes: Record<string, string> = {
  AppInstallation: "API_PERMISSION",
  Product: "PRODUCT",
  ProductVariant: "PRODUCTVARIANT",
  Collection: "COLLECTION",
  Order: "ORDER",
  Shop: "SHOP",
  Customer: "CUSTOMER",
};

function ownerType(ownerId: string): string {
  const type = ownerTypes[parseGid(ownerId)?.type ?? ""];
  if (type === undefined) throw new NotImplemented(`the owner type of ${ownerId}`);
  return type;
}

const setArguments = z.object({
  metafields: z.array(
    z.object({
      ownerId: z.string(),
      namespace: z.string().nullish(),
      key: z.string(),
      type: z.string().nullish(),
      value: z.string(),
      compareDigest: z.string().nullish(),
    }),
  ),
});
export type MetafieldInput = z.infer<typeof setArguments>["metafields"][number];

/** The most metafields that one metafieldsSet takes. */
const setLimit = 25;
/** The largest value of a json metafield, and of any other. */
const jsonLimit = 131_072;
const textLimit = 65_536;

interface SetError {
  code: string;
  elementIndex: number | null;
  field: string[];
  message: string;
}

/** All or none: with one user error nothing is written. */
export function metafieldsSet(read: Reader, args: unknown): View {
  const { metafields } = setArguments.parse(args);
  const { state } = read.shop;
  const errors: SetError[] =
    metafields.length > setLimit
      ? [
          {
            code: "LESS_THAN_OR_EQUAL_TO",
            elementIndex: null,
            field: ["metafields"],
            message: `Exceeded the maximum metafields input limit of ${setLimit}.`,
          },
        ]
      : metafields.flatMap((input, index) => {
          const problem = inputProblem(read, input);
          return problem === null
            ? []
            : [
                {
                  code: problem.code,
                  elementIndex: index,
                  field: ["metafields", `${index}`, problem.field],
                  message: problem.message,
                },
              ];
        });
  const written =
    errors.length > 0
      ? null
      : metafields.map((input) =>
          putMetafield(
            state,
            input.ownerId,
            input.namespace,
            input.key,
            metafieldType(read.shop, input) ?? "",
            input.value,
          ),
        );
  if (written !== null) read.touched(metafields.map(({ ownerId }) => ownerId));
  return {
    __typename: "MetafieldsSetPayload",
    metafields: () => written?.map((metafield) => metafieldView(read, metafield)) ?? [],
    userErrors: errors.map((error) => ({ __typename: "MetafieldsSetUserError", ...error })),
  };
}

/** What is wrong with one metafield of an input; null when it can be written. Also for the metafields of productSet. */
export function inputProblem(
  read: Reader,
  input: MetafieldInput,
): { code: string; field: string; message: string } | null {
  const namespace = resolveNamespace(input.namespace);
  if (!read.exists(input.ownerId))
    return { code: "INVALID", field: "ownerId", message: "Owner does not exist." };
  const write = writeScopes[parseGid(input.ownerId)?.type ?? ""];
  if (write !== undefined && !read.scopes.includes(write))
    return {
      code: "APP_NOT_AUTHORIZED",
      field: "namespace",
      message: "Access to this namespace and key on Metafields for this resource type is not allowed.",
    };
  if (namespace.length < 3)
    return {
      code: "TOO_SHORT",
      field: "namespace",
      message: "Namespace is too short (minimum is 3 characters)",
    };
  if (!/^[A-Za-z0-9_-]{3,255}$/.test(namespace))
    return {
      code: "INVALID",
      field: "namespace",
      message: "Namespace contains one or more invalid characters.",
    };
  if (
    namespace.startsWith("app--") &&
    input.namespace?.startsWith("app--") === true &&
    namespace !== resolveNamespace("$app") &&
    !namespace.startsWith(`${resolveNamespace("$app")}--`)
  )
    return {
      code: "APP_NOT_AUTHORIZED",
      field: "namespace",
      message: "Access to this namespace and key on Metafields for this resource type is not allowed.",
    };
  if (input.key.length < 2)
    return { code: "TOO_SHORT", field: "key", message: "Key is too short (minimum is 2 characters)" };
  if (input.key.length > 64)
    return { code: "TOO_LONG", field: "key", message: "Key is too long (maximum is 64 characters)" };
  if (!/^[A-Za-z0-9_-]+$/.test(input.key))
    return { code: "INVALID", field: "key", message: "Key contains one or more invalid characters." };
  const existing = findMetafield(read.shop.state, input.ownerId, input.namespace, input.key);
  const type = metafieldType(read.shop, input);
  if (type === null) return { code: "BLANK", field: "type", message: "Type can't be blank" };
  if (!isKnownType(type))
    return {
      code: "INVALID_TYPE",
      field: "type",
      message: `Type must be one of the platform's types; the stand-in does not know ${type}`,
    };
  const declared = declaredType(read.shop, input);
  if (declared !== null && input.type != null && input.type !== declared)
    return {
      code: "INVALID_TYPE",
      field: "type",
      message: `Type ${input.type} does not match the definition's type '${declared}'`,
    };
  if (input.value === "") return { code: "BLANK", field: "value", message: "Value can't be blank." };
  const limit = type === "json" ? jsonLimit : textLimit;
  if (Buffer.byteLength(input.value) > limit)
    return { code: "TOO_LONG", field: "value", message: `Value is too long (maximum is ${limit} bytes).` };
  const problem = valueProblem(type, input.value);
  if (problem !== null) return { code: "INVALID_VALUE", field: "value", message: `Value ${problem}.` };
  if (
    input.compareDigest !== undefined &&
    (existing === undefined ? null : compareDigest(existing)) !== input.compareDigest
  )
    return {
      code: "STALE_OBJECT",
      field: "compareDigest",
      message:
        "The resource has been updated since it was loaded. Try again with an updated `compareDigest` value.",
    };
  return null;
}

/** Metafields are written with the scope of their owner; an app's own installation needs none. */
const writeScopes: Record<string, string> = {
  Product: "write_products",
  ProductVariant: "write_products",
  Collection: "write_products",
  Order: "write_orders",
  Customer: "write_customers",
};

/** The declared type, else the input's, else the existing metafield's; null where there is none. */
export function metafieldType(shop: ShopSandbox, input: MetafieldInput): string | null {
  return (
    declaredType(shop, input) ??
    input.type ??
    findMetafield(shop.state, input.ownerId, input.namespace, input.key)?.type ??
    null
  );
}

function declaredType(shop: ShopSandbox, { ownerId, namespace, key }: MetafieldInput): string | null {
  const own = resolveNamespace(namespace) === resolveNamespace("$app");
  return own
    ? (shop.app.metafields.get(`${parseGid(ownerId)?.type.toLowerCase() ?? ""}.${key}`) ?? null)
    : null;
}

const deleteArguments = z.object({
  metafields: z.array(z.object({ ownerId: z.string(), namespace: z.string(), key: z.string() })),
});

export function metafieldsDelete(read: Reader, args: unknown): View {
  const { metafields } = deleteArguments.parse(args);
  const denied = metafields.findIndex(({ ownerId }) => {
    const write = writeScopes[parseGid(ownerId)?.type ?? ""];
    return write !== undefined && !read.scopes.includes(write);
  });
  const deleted =
    denied >= 0
      ? null
      : metafields.map(({ ownerId, namespace, key }) =>
          removeMetafield(read.shop.state, ownerId, namespace, key)
            ? { __typename: "MetafieldIdentifier", ownerId, namespace, key }
            : null,
        );
  if (deleted !== null) read.touched(metafields.map(({ ownerId }) => ownerId));
  return {
    __typename: "MetafieldsDeletePayload",
    deletedMetafields: deleted,
    userErrors:
      denied < 0
        ? []
        : [
            {
              __typename: "UserError",
              field: ["metafields", `${denied}`],
              message:
                "Access to this namespace and key on Metafields for this resource type is not allowed.",
            },
          ],
  };
}
