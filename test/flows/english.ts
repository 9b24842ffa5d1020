/** Finds text that is not French on a page in French. */
import { messagesFor } from "#app/locales/index.server.ts";

/** Words that neither a French text nor a name in the seeded shop contains. */
const words =
  /(?<!\p{L})(?:the|and|of|with|without|is|are|was|were|has|have|been|not|by|for|from|this|that|which|waiting|unknown|yes|order|orders|paid|created|cancelled|refused|approved|pending|running|failed|done|card|cash|online|months?|days?|settings|billed|monthly|annually|annual|free)(?!\p{L})/iu;
/** A stored value (`credit_card`), a field's own name (`newToken`), and an unfilled placeholder. */
const raw = /\b[a-z]+_[a-z_]+\b|\b[a-z]{3,}[A-Z][A-Za-z]+\b|\{\{|\}\}/;
/** A file's columns keep the names of the insurer's fields, and `billing` keeps its values. */
const fields =
  /\b(?:reference_id|category_id|term_length|currency_code|price_band_min|price_band_max|monthly|annually)\b/g;

/** Every text of an object of texts. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}
// Languages in a list have their own language's name.
const french = new Set([...texts(messagesFor("fr")), "English"]);
const english = new Set(texts(messagesFor("en")).filter((text) => !french.has(text)));

/** The lines of a page's text that are English or untranslated. */
export function englishIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim().replace(fields, ""))
    .filter((line) => english.has(line) || words.test(line) || raw.test(line));
}
