/**
 * Unwraps answers. How lists (and created objects) are wrapped is not shown in the specification, so every usual
 * form is read: bare, under the resource's own name, under a data-like key, or one inside the other
 * (`{"data": {"offers": […]}}`).
 */
const GENERIC = ["data", "items", "results", "records"];

/**
 * What an answer wraps, or the answer itself when it wraps nothing.
 * @param names the resource's own names, e.g. `["plans", "plan"]`
 */
export function unwrapped(answer: unknown, names: string[], depth = 2): unknown {
  if (depth === 0 || typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const entries = new Map<string, unknown>(Object.entries(answer));
  for (const key of [...names, ...GENERIC]) {
    const value = entries.get(key);
    if (value === null || typeof value === "object") return unwrapped(value, names, depth - 1);
  }
  return answer;
}

/** The items of a list answer; a list that is null is empty. Null when there is no list to be seen. */
export function listIn(answer: unknown, names: string[]): unknown[] | null {
  const value = unwrapped(answer, names);
  if (value === null) return [];
  return Array.isArray(value) ? value : null;
}
