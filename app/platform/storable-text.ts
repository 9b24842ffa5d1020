/**
 * Texts from outside as PostgreSQL can hold them: its texts and JSON hold neither NUL nor half of a surrogate pair. One
 * such character would fail every statement, and its job at every retry.
 */

/** Replaces what cannot be stored. */
const REPLACEMENT = "\uFFFD";

export function storableText(text: string): string {
  return text.replaceAll("\0", REPLACEMENT).toWellFormed();
}

/** Every escape of a JSON text; six characters long where it is one that cannot be stored. */
const escapes =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})|\\[^]/g;
const NEEDED = "\\uFFFD".length;

/** JSON that was decoded from UTF-8, before it is parsed: such characters are in it as escapes alone. */
export function storableJson(json: string): string {
  if (!json.includes("\\u")) return json;
  return json.replace(escapes, (escape) => (escape.length === NEEDED ? "\\uFFFD" : escape));
}

/** The beginning of a text, without half of a character at its end. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  return cut.length === text.length || cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** The same, with a mark where more followed. */
export function excerpt(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cutText(text, maxLength)}…` : text;
}
