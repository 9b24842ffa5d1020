/**
 * Makes external texts storable: text and JSON in PostgreSQL cannot contain NUL or half of a surrogate pair. One such
 * character would make every statement fail, and its job at every retry.
 */

/** Replaces a character that cannot be stored. */
const REPLACEMENT = "\uFFFD";

export function storableText(text: string): string {
  return text.replaceAll("\0", REPLACEMENT).toWellFormed();
}

/** Matches every escape of a JSON text; a match of six characters cannot be stored. */
const escapes =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})|\\[^]/g;
const NEEDED = "\\uFFFD".length;

/** Cleans JSON that was decoded from UTF-8, before it is parsed: such characters occur in it only as escapes. */
export function storableJson(json: string): string {
  if (!json.includes("\\u")) return json;
  return json.replace(escapes, (escape) => (escape.length === NEEDED ? "\\uFFFD" : escape));
}

/** The start of a text, without half a character at its end. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  return cut.length === text.length || cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** The same, with a mark if the text was cut. */
export function excerpt(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cutText(text, maxLength)}…` : text;
}
