/** Metafields of any owner: the app-reserved namespace, types. Shared by the Admin API and the storefront. */
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

/** Why a value is invalid for its type; null: it is valid. */
type Check = (value: string) => string | null;

const types: Record<string, Check> = {
  single_line_text_field: (value) => (/[\r\n]/.test(value) ? "must be a single line text string" : null),
  boolean: (value) => (value === "true" || value === "false" ? null : "must be true or false"),
  json: (value) => (parsed(value) === undefined ? "is invalid JSON" : null),
};

/** Undefined for a type that the stand-in does not know. */
export function metafieldType(type: string): Check | undefined {
  return types[type];
}

/** undefined if it is no JSON. */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
