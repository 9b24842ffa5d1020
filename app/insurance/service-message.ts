/** The service's error message (the shape of error bodies is not shown), safe for a log and a screen. */
import { cutText, storableText } from "#app/platform/storable-text.ts";

const MAX_LENGTH = 300;
/** Limit of characters read: the time of what follows grows with their square. */
const MAX_READ = 2_000;
const MESSAGE_KEYS = [
  "message",
  "error_description",
  "detail",
  "error",
  "errors",
  "title",
  "description",
  "code",
];

/**
 * The text under the usual keys of a JSON body, or a plain-text body; nothing of an HTML page.
 * @param personal personal data of the request: its strings are removed where the service quotes them
 */
export function serviceMessage(body: string, personal: unknown): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    // An HTML page of a proxy says nothing that helps a merchant; plain text may.
    parsed = /[<>]/.test(body) ? "" : body;
  }
  const whole = storableText(messageIn(parsed, 0));
  let message = cutText(whole, MAX_READ).replace(/\s+/g, " ").trim();
  const removed = stringsIn(personal);
  for (const value of removed) message = message.replaceAll(value, "…");
  // Where it was cut, the end may hold the beginning of a personal text.
  if (whole.length > MAX_READ) message = message.slice(0, -(removed[0]?.length ?? 1));
  message = message.replace(/[^\s@<>"']+@[^\s@<>"']+/g, "…").replace(/\+?\d[\d .-]{7,}\d/g, "…");
  return message.length > MAX_LENGTH ? `${cutText(message, MAX_LENGTH - 1)}…` : message;
}

function messageIn(value: unknown, depth: number): string {
  if (typeof value === "string") return value;
  if (depth > 3 || typeof value !== "object" || value === null) return "";
  if (Array.isArray(value)) {
    return value
      .slice(0, 5)
      .map((item) => messageIn(item, depth + 1))
      .filter((text) => text !== "")
      .join("; ");
  }
  const entries = new Map(Object.entries(value));
  for (const key of MESSAGE_KEYS) {
    const text = messageIn(entries.get(key), depth + 1);
    if (text !== "") return text;
  }
  // `{"email": ["is invalid"]}`: some services give reasons per field.
  return depth === 0 ? "" : fieldMessages(entries, depth);
}

function fieldMessages(entries: Map<string, unknown>, depth: number): string {
  return [...entries]
    .slice(0, 5)
    .map(([field, reason]) => [field, messageIn(reason, depth + 1)] as const)
    .filter(([, text]) => text !== "")
    .map(([field, text]) => `${field} ${text}`)
    .join("; ");
}

/** Every string of at least three characters in a value, longest first, so that no part of one is left over. */
function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  const collect = (part: unknown): void => {
    if (typeof part === "string" && part.trim().length >= 3) found.push(part.trim());
    else if (typeof part === "object" && part !== null) Object.values(part).forEach(collect);
  };
  collect(value);
  return found.sort((a, b) => b.length - a.length);
}
