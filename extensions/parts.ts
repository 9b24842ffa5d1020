/** Reading what comes from outside, part by part: what the platform or the app answers is unknown until it is looked at. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Null where it is no text, or an empty one. */
export const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** Undefined where it is missing. */
export const partOf = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value);
