/** Parses external data part by part: answers of Shopify and of the app are unknown until checked. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Null if it is no text, or an empty one. */
export const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** A URL that is safe to link to; null for any other value. */
export const link = (value: unknown): string | null => {
  const address = text(value);
  return address !== null && /^https?:\/\//.test(address) ? address : null;
};

/** Undefined if it is missing. */
export const partOf = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value);

/** The object in one of the app's metafields; null: none. */
export function readMetafield(value: unknown): Record<string, unknown> | null {
  if (typeof value !== "string") return null;
  try {
    const given: unknown = JSON.parse(value);
    return isObject(given) ? given : null;
  } catch {
    // Only the app writes it, so invalid JSON is not the app's.
    return null;
  }
}

/** `gid://shopify/Product/1` → `1`; a number stays as it is. */
export const numberOf = (id: string): string => id.slice(id.lastIndexOf("/") + 1);
