/** JSON as the storefront writes it: long ids stay numbers, and no text can end a script element. */

export function toJson(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  if (value instanceof Date) return JSON.stringify(value);
  if (typeof value === "object") {
    const entries = Object.entries(value).filter(
      ([, each]) => each !== undefined && typeof each !== "function",
    );
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${toJson(each)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** The result of the `json` filter, which is safe inside a script element. */
export function toScriptJson(value: unknown): string {
  return toJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
