/** The service's own words about a refusal (the shape of error bodies is not shown), fit for a log and a screen. */

const MAX_WORDS = 300;
const KEYS = ["message", "error_description", "detail", "error", "errors", "title", "description", "code"];

/**
 * The readable text in an error body: the usual keys of a JSON body, nothing of an HTML page.
 * @param personal anything that was sent: its strings are blanked where the service quotes them
 */
export function serviceWords(body: string, personal: unknown): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    // Not JSON: an HTML page of a proxy says nothing a merchant could use, a short plain text may.
    parsed = /[<>]/.test(body) ? "" : body;
  }
  let words = textOf(parsed, 0).replace(/\s+/g, " ").trim();
  for (const value of stringsIn(personal)) words = words.replaceAll(value, "…");
  words = words.replace(/[^\s@<>"']+@[^\s@<>"']+/g, "…").replace(/\+?\d[\d .-]{7,}\d/g, "…");
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS - 1)}…` : words;
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === "string") return value;
  if (depth > 3 || typeof value !== "object" || value === null) return "";
  if (Array.isArray(value)) {
    return value
      .slice(0, 5)
      .map((item) => textOf(item, depth + 1))
      .filter((text) => text !== "")
      .join("; ");
  }
  const entries = new Map(Object.entries(value));
  for (const key of KEYS) {
    const text = textOf(entries.get(key), depth + 1);
    if (text !== "") return text;
  }
  // `{"email": ["is invalid"]}`: the reasons per field, as some services answer.
  return depth === 0 ? "" : fieldsOf(entries, depth);
}

function fieldsOf(entries: Map<string, unknown>, depth: number): string {
  return [...entries]
    .slice(0, 5)
    .map(([field, reason]) => [field, textOf(reason, depth + 1)] as const)
    .filter(([, text]) => text !== "")
    .map(([field, text]) => `${field} ${text}`)
    .join("; ");
}

/** Every string of at least three characters in a value, longest first, so that no blanked part uncovers another. */
function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  const walk = (part: unknown): void => {
    if (typeof part === "string" && part.trim().length >= 3) found.push(part.trim());
    else if (typeof part === "object" && part !== null) Object.values(part).forEach(walk);
  };
  walk(value);
  return found.sort((a, b) => b.length - a.length);
}
