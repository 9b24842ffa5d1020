/** Metafields of any owner: the app-reserved namespace, types, digests. Shared by the Admin API and the storefront. */
import { createHash } from "node:crypto";
import { nextId } from "./ids.ts";
import type { Metafield, ShopState } from "./state.ts";

/** The app's numeric id, as it shows in its reserved namespace. */
export const appId = "174512340001";

/** `$app` → `app--174512340001`, `$app:x` → `app--174512340001--x`; others stay as they are. No namespace is the app's own. */
export function resolveNamespace(namespace: string | null | undefined): string {
  if (namespace == null || namespace === "$app") return `app--${appId}`;
  return namespace.startsWith("$app:") ? `app--${appId}--${namespace.slice("$app:".length)}` : namespace;
}

/** `ownerId` is a GID; `namespace` may be `$app`. */
export function findMetafield(
  state: ShopState,
  ownerId: string,
  namespace: string | null | undefined,
  key: string,
): Metafield | undefined {
  return state.metafields.get(`${ownerId}|${resolveNamespace(namespace)}|${key}`);
}

/** All metafields of an owner, in one namespace or in all. */
export function metafieldsOf(state: ShopState, ownerId: string, namespace?: string | null): Metafield[] {
  const resolved = namespace == null ? null : resolveNamespace(namespace);
  const start = resolved === null ? `${ownerId}|` : `${ownerId}|${resolved}|`;
  const found: Metafield[] = [];
  for (const [key, metafield] of state.metafields) if (key.startsWith(start)) found.push(metafield);
  return found;
}

export function putMetafield(
  state: ShopState,
  ownerId: string,
  namespace: string | null | undefined,
  key: string,
  type: string,
  value: string,
): Metafield {
  const resolved = resolveNamespace(namespace);
  const place = `${ownerId}|${resolved}|${key}`;
  const metafield: Metafield = {
    id: state.metafields.get(place)?.id ?? nextId(state, "metafield"),
    ownerId,
    namespace: resolved,
    key,
    type,
    value,
    updatedAt: new Date().toISOString(),
  };
  state.metafields.set(place, metafield);
  return metafield;
}

export function removeMetafield(
  state: ShopState,
  ownerId: string,
  namespace: string | null | undefined,
  key: string,
): boolean {
  return state.metafields.delete(`${ownerId}|${resolveNamespace(namespace)}|${key}`);
}

/** Changes with the value: what `compareDigest` compares. */
export function compareDigest(metafield: Pick<Metafield, "type" | "value">): string {
  return createHash("sha256").update(`${metafield.type}|${metafield.value}`).digest("hex");
}

/** Why a value does not fit its type; null when it fits. Throws for a type the stand-in does not know. */
export function valueProblem(type: string, value: string): string | null {
  if (type.startsWith("list.")) {
    const list = parsed(value);
    if (!Array.isArray(list)) return "must be an array";
    const item = type.slice("list.".length);
    return (
      list
        .map((each) => valueProblem(item, typeof each === "string" ? each : JSON.stringify(each)))
        .find((problem) => problem !== null) ?? null
    );
  }
  switch (type) {
    case "single_line_text_field":
      return /[\r\n]/.test(value) ? "must be a single line text string" : null;
    case "multi_line_text_field":
    case "id":
      return null;
    case "boolean":
      return value === "true" || value === "false" ? null : "must be true or false";
    case "number_integer":
      return /^-?\d+$/.test(value) ? null : "must be an integer";
    case "number_decimal":
      return /^-?\d+(\.\d+)?$/.test(value) ? null : "must be a decimal";
    case "date_time":
    case "date":
      return Number.isNaN(Date.parse(value)) ? "must be a date" : null;
    case "url":
      return URL.canParse(value) ? null : "must be a valid URL";
    case "json":
      return parsed(value) === undefined ? "is invalid JSON" : null;
    case "product_reference":
    case "variant_reference":
    case "collection_reference":
      return value.startsWith("gid://shopify/") ? null : "must belong to the specified owner type";
    default:
      throw new Error(`The stand-in does not know metafields of type ${type}`);
  }
}

const types =
  /^(list\.)?(single_line_text_field|multi_line_text_field|id|boolean|number_integer|number_decimal|date_time|date|url|json|product_reference|variant_reference|collection_reference)$/;

/** Whether the platform's types that the stand-in knows include this one. */
export function isKnownType(type: string): boolean {
  return types.test(type);
}

/** undefined for what is no JSON. */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
