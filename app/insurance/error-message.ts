/**
 * The insurer's error message (the shape of error bodies is not shown), safe for a log and a screen, and what of the
 * customer it refuses.
 */
import { cutText, storableText } from "#app/platform/storable-text.ts";

const MAX_LENGTH = 300;
/** Limit of characters read: the time of what follows grows with their square. */
const MAX_READ = 2_000;
const MESSAGE_KEYS = [
  // The field's own words say more than the sentence above them.
  "violations",
  "invalid-params",
  "invalid_params",
  "message",
  "msg",
  "reason",
  "erreur",
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
 * @param personal personal data of the request: its strings are removed where the insurer quotes them
 */
export function insurerMessage(body: string, personal: unknown): string {
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
    if (text !== "") return depth === 0 ? text : withField(entries, text);
  }
  // `{"email": ["is invalid"]}`: some insurers give reasons per field.
  return depth === 0 ? "" : fieldMessages(entries, depth);
}

/** The keys that name the field of one error: Symfony, JSON:API, RFC 9457 and others. */
const FIELD_KEYS = ["propertyPath", "field", "path", "param", "property", "attribute", "name", "pointer"];

/** An error's words, with the field that it names: `zip_code doit contenir 5 chiffres`. */
function withField(entries: Map<string, unknown>, text: string): string {
  const source = entries.get("source");
  const named = new Map<string, unknown>([
    ...entries,
    ...(typeof source === "object" && source !== null ? Object.entries(source) : []),
  ]);
  const field = FIELD_KEYS.map((key) => named.get(key)).find((value) => typeof value === "string");
  const path =
    typeof field === "string" ? field.replace(/^#?\/(?:data\/attributes\/)?/, "").replaceAll("/", ".") : "";
  return path === "" || text.includes(path) ? text : `${path} ${text}`;
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

// What a refusal is about.

/** A whole word: letters on either side make it another one. */
const word = (pattern: string) => new RegExp(String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`, "iu");

/** Words for a phone number. Smartphones, iPhones and headphones are products; so are a "mobile" and a "portable". */
const phoneWords = word(
  String.raw`(?:tele)?phone[\s_-]*(?:numbers?)?|t[eé]l[eé]phon(?:e|ique)s?|t[eé]l` +
    String.raw`|(?:mobile|cell|portable)[\s_-]*(?:numbers?|nums?)` +
    String.raw`|num[eé]ros?\s(?:de\s)?(?:mobile|portable)`,
);

/**
 * Whether the insurer's message is about the customer's phone number.
 * @param productTitle of the insured product, whose words say nothing: "Mobile phone X" is a product, too
 */
export function isAboutPhone(insurerMessage: string, productTitle: string | null): boolean {
  return phoneWords.test(withoutTitle(insurerMessage, productTitle));
}

const fieldWords = [
  ["email", word(String.raw`e-?mails?|courriel`)],
  ["firstName", word(String.raw`first[\s_-]?name|pr[eé]nom`)],
  ["lastName", word(String.raw`last[\s_-]?name|surname|nom de famille`)],
  [
    "address1",
    word(
      String.raw`(?<!e-?mail\s)address(?:[\s_]?(?:line[\s_]?)?1)?|adresse(?!\s(?:e-?mail|[eé]lectronique))`,
    ),
  ],
  ["zip", word(String.raw`zip(?:[\s_-]?code)?|post(?:al)?[\s_-]?code|code\spostal`)],
  ["city", word("city|ville")],
  ["country", word(String.raw`country(?:[\s_-]?code)?|pays`)],
] as const;

type RefusedField = (typeof fieldWords)[number][0] | "phone";

/** What an insurer says of a field that it does not take; without it a "country" may be where a product is not sold. */
const complaint = word(
  String.raw`invalid|not\s(?:a\s)?valid|incorrect|malformed|wrong|missing|required|blank|empty|too\s(?:long|short)|format|` +
    String.raw`(?:invalide|non\svalide|incorrecte?|erron[eé]e?|manquante?|obligatoire|requise?|vide|mal\sform[eé]e?)s?`,
);

/** The fields of the customer that a refusal is about; none where it is about something else. */
export function refusedFields(insurerMessage: string, productTitle: string | null): RefusedField[] {
  const message = withoutTitle(insurerMessage, productTitle);
  if (!complaint.test(message)) return [];
  const named: RefusedField[] = fieldWords.filter(([, words]) => words.test(message)).map(([field]) => field);
  return isAboutPhone(message, null) ? [...named, "phone"] : named;
}

function withoutTitle(insurerMessage: string, productTitle: string | null): string {
  const message = insurerMessage.normalize("NFC");
  const title = productTitle?.normalize("NFC").trim() ?? "";
  return title === "" ? message : message.replaceAll(title, " ");
}
