/** Metafields in the Admin API: the field that every owner has, metafieldsSet, metafieldsDelete. */
import type {
  MutationMetafieldsDeleteArgs,
  MutationMetafieldsSetArgs,
} from "#app/shopify/types/admin.types.d.ts";
import { emitShopEvent } from "../events.ts";
import { gid, parseGid } from "../ids.ts";
import {
  findMetafield,
  metafieldType,
  putMetafield,
  removeMetafield,
  resolveNamespace,
} from "../metafields.ts";
import { findVariant } from "../products.ts";
import type { ShopSandbox } from "../sandbox.ts";
import type { Product, ShopState } from "../state.ts";
import { requireKnown } from "./resolver.ts";
import type { Call, Resolvers } from "./resolver.ts";

export const metafieldTypes: Resolvers = {
  HasMetafields: {
    metafield: (
      { id }: { id: string },
      { namespace, key }: { namespace?: string | null; key: string },
      { shop },
      typename,
    ) => findMetafield(shop.state, gid(typename, id), namespace, key) ?? null,
  },
  Mutation: {
    metafieldsSet: (_, args: MutationMetafieldsSetArgs, call) => setMetafields(call, args),
    metafieldsDelete: (_, args: MutationMetafieldsDeleteArgs, call) => deleteMetafields(call, args),
  },
};

/** Limit of metafields in one metafieldsSet. */
const MOST_AT_ONCE = 25;
/** The largest value of a json metafield, and of any other. */
const MOST_JSON_BYTES = 131_072;
const MOST_TEXT_BYTES = 65_536;
/** Metafields are written with the scope of their owner; an app's own installation needs none. */
const writeScopes: Record<string, string> = {
  Product: "write_products",
  ProductVariant: "write_products",
  Collection: "write_products",
  Order: "write_orders",
};

interface Problem {
  code: string;
  field: string;
  message: string;
}

const NOT_ALLOWED = "Access to this namespace and key on Metafields for this resource type is not allowed.";

/** All or none: a user error prevents every write. */
function setMetafields(call: Call, { metafields }: MutationMetafieldsSetArgs) {
  const userErrors = metafields.flatMap((input, index) => {
    const problem = metafieldProblem(call, input);
    return problem === null ? [] : [{ ...problem, field: ["metafields", `${index}`, problem.field] }];
  });
  if (metafields.length > MOST_AT_ONCE)
    userErrors.push({
      code: "LESS_THAN_OR_EQUAL_TO",
      field: ["metafields"],
      message: `Exceeded the maximum metafields input limit of ${MOST_AT_ONCE}.`,
    });
  if (userErrors.length === 0) {
    writeMetafields(call, metafields);
    touchProducts(call.shop.state, metafields);
  }
  return { userErrors };
}

function deleteMetafields({ shop, scopes }: Call, { metafields }: MutationMetafieldsDeleteArgs) {
  const denied = metafields.findIndex(({ ownerId }) => !mayWrite(scopes, ownerId));
  if (denied >= 0) return { userErrors: [{ field: ["metafields", `${denied}`], message: NOT_ALLOWED }] };
  for (const { ownerId, namespace, key } of metafields) removeMetafield(shop.state, ownerId, namespace, key);
  touchProducts(shop.state, metafields);
  return { userErrors: [] };
}

function mayWrite(scopes: readonly string[], ownerId: string): boolean {
  const needed = writeScopes[parseGid(ownerId)?.type ?? ""];
  return needed === undefined || scopes.includes(needed);
}

/** A product whose metafields change counts as updated. */
function touchProducts(state: ShopState, owned: readonly { ownerId: string }[]): void {
  const products = owned.map(({ ownerId }) => productOfOwner(state, ownerId));
  for (const product of new Set(products.filter((each) => each !== undefined))) {
    product.updatedAt = new Date().toISOString();
    emitShopEvent(state, { topic: "products/update", product });
  }
}

function productOfOwner(state: ShopState, ownerId: string): Product | undefined {
  const { type, id = "" } = parseGid(ownerId) ?? {};
  if (type === "Product") return state.products.get(id);
  return type === "ProductVariant" ? findVariant(state, id)?.product : undefined;
}

/** Of metafieldsSet, or of a mutation of the owner. */
interface NewMetafield {
  ownerId: string;
  namespace?: string | null;
  key?: string | null;
  type?: string | null;
  value?: string | null;
}

export function writeMetafields(call: Call, metafields: readonly NewMetafield[]): void {
  for (const { ownerId, namespace, key, type, value } of metafields)
    putMetafield(
      call.shop.state,
      ownerId,
      namespace,
      key ?? "",
      declaredType(call.shop, { ownerId, namespace, key }) ?? type ?? "",
      value ?? "",
    );
}

/** The user error for one metafield; null: it is valid. */
export function metafieldProblem({ shop, scopes }: Call, input: NewMetafield): Problem | null {
  requireKnown("MetafieldsSetInput", input, ["ownerId", "namespace", "key", "type", "value"]);
  const refuse = (code: string, field: string, message: string): Problem => ({ code, field, message });
  const namespace = resolveNamespace(input.namespace);
  if (!ownerExists(shop.state, input.ownerId)) return refuse("INVALID", "ownerId", "Owner does not exist.");
  const isReserved = namespace.startsWith("app--") && !namespace.startsWith(resolveNamespace("$app"));
  if (!mayWrite(scopes, input.ownerId) || isReserved)
    return refuse("APP_NOT_AUTHORIZED", "namespace", NOT_ALLOWED);
  if (!/^[A-Za-z0-9_-]{3,255}$/.test(namespace))
    return refuse("INVALID", "namespace", "Namespace is invalid.");
  if (!/^[A-Za-z0-9_-]{2,64}$/.test(input.key ?? "")) return refuse("INVALID", "key", "Key is invalid.");
  const declared = declaredType(shop, input);
  const type = declared ?? input.type;
  if (type == null) return refuse("BLANK", "type", "Type can't be blank");
  const checkValue = metafieldType(type);
  if (checkValue === undefined || (input.type != null && input.type !== type))
    return refuse("INVALID_TYPE", "type", `Type ${input.type} is not that of the definition.`);
  const { value = "" } = input;
  if (!value) return refuse("BLANK", "value", "Value can't be blank.");
  const limit = type === "json" ? MOST_JSON_BYTES : MOST_TEXT_BYTES;
  if (Buffer.byteLength(value) > limit)
    return refuse("TOO_LONG", "value", `Value is too long (maximum is ${limit} bytes).`);
  const problem = checkValue(value);
  return problem === null ? null : refuse("INVALID_VALUE", "value", `Value ${problem}.`);
}

function ownerExists(state: ShopState, ownerId: string): boolean {
  const { type, id = "" } = parseGid(ownerId) ?? {};
  switch (type) {
    case "Order":
      return state.orders.has(id);
    case "AppInstallation":
      return state.installation?.id === id;
    case "Shop":
      return state.id === id;
    default:
      return productOfOwner(state, ownerId) !== undefined;
  }
}

/** The declared type of an app metafield in shopify.app.toml. */
function declaredType({ app }: ShopSandbox, { ownerId, namespace, key }: NewMetafield): string | null {
  if (resolveNamespace(namespace) !== resolveNamespace("$app")) return null;
  return app.metafields.get(`${parseGid(ownerId)?.type.toLowerCase() ?? ""}.${key}`) ?? null;
}
