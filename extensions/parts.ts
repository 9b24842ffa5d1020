/** Parses external data part by part: what Shopify or the app answers is unknown until it is checked. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Null where it is no text, or an empty one. */
export const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** An address that may be linked to; null for anything else. */
export const link = (value: unknown): string | null => {
  const address = text(value);
  return address !== null && /^https?:\/\//.test(address) ? address : null;
};

/** Undefined where it is missing. */
export const partOf = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value);

/** The object that one of the app's metafields holds; null where it holds none. */
export function readMetafield(value: unknown): Record<string, unknown> | null {
  if (typeof value !== "string") return null;
  try {
    const given: unknown = JSON.parse(value);
    return isObject(given) ? given : null;
  } catch {
    // Written by the app alone; a value that is no JSON is none of its own.
    return null;
  }
}

/** `gid://shopify/Product/1` → `1`; a number stays as it is. */
export const numberOf = (id: string): string => id.slice(id.lastIndexOf("/") + 1);
