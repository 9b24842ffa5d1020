/**
 * Finds the payload in a response body. How lists and created objects are wrapped is not shown in the specification, so
 * every usual form is read: bare, under the resource's own name, under a key such as `data`, or one inside the other
 * (`{"data": {"offers": […]}}`).
 */
const GENERIC_KEYS = ["data", "items", "results", "records"];

/** The keys under which a payload may be; the first one present holds it. */
export function wrapperKeys(names: string[]): string[] {
  return [...names, ...GENERIC_KEYS];
}

/**
 * The payload, or the body itself when nothing is wrapped in it.
 * @param names the resource's own names, e.g. `["plans", "plan"]`
 */
export function unwrap(body: unknown, names: string[], depth = 2): unknown {
  if (depth === 0 || typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const entries = new Map<string, unknown>(Object.entries(body));
  for (const key of wrapperKeys(names)) {
    const value = entries.get(key);
    if (typeof value === "object") return unwrap(value, names, depth - 1);
  }
  return body;
}

/** The items of a list; a list that is null is empty. Null when the body holds no list. */
export function unwrapList(body: unknown, names: string[]): unknown[] | null {
  const value = unwrap(body, names);
  if (value === null) return [];
  return Array.isArray(value) ? value : null;
}
