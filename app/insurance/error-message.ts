/**
 * The insurer's error message (the shape of error bodies is not shown), safe for a log and a screen, and what of the
 * customer it refuses.
 */
import { cutText, storableText } from "#app/platform/storable-text.ts";
import { complaint, fieldAtPath, fieldWords, phoneWords, type RefusedField } from "./customer-field-words.ts";

const MAX_LENGTH = 300;
/** Limit of characters read: the time of what follows grows with their square. */
const MAX_READ = 2_000;
/** Lists and maps of the fields at fault, and keys of their words: they say more than the sentence above them. */
const FIELD_LISTS = [
  "violations",
  "invalid-params",
  "invalid_params",
  "errors",
  "error",
  "fields",
  "issues",
  "detail",
  "message",
];
const MESSAGE_KEYS = [
  "message",
  "msg",
  "defaultMessage",
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
/** The keys that name the field of one error: Symfony, Spring, JSON:API, RFC 9457, FastAPI and others. */
const FIELD_KEYS = [
  "propertyPath",
  "instancePath",
  "field",
  "path",
  "loc",
  "param",
  "property",
  "attribute",
  "name",
  "pointer",
];
const MAX_PROBLEMS = 5;
const MAX_DEPTH = 4;

interface Problem {
  /** the path of the field at fault; "": the insurer names none */
  path: string;
  words: string;
}

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
  const whole = storableText(
    problemsIn(parsed, "", 0)
      .map(({ path, words }) => (path === "" || words.startsWith(path) ? words : `${path}: ${words}`))
      .join("; "),
  );
  let message = cutText(whole, MAX_READ).replace(/\s+/g, " ").trim();
  const removed = stringsIn(personal);
  for (const value of removed) message = message.replaceAll(value, "…");
  // Where it was cut, the end may hold the beginning of a personal text.
  if (whole.length > MAX_READ) message = message.slice(0, -(removed[0]?.length ?? 1));
  message = message.replace(/[^\s@<>"']+@[^\s@<>"']+/g, "…").replace(/\+?\d[\d .-]{7,}\d/g, "…");
  return message.length > MAX_LENGTH ? `${cutText(message, MAX_LENGTH - 1)}…` : message;
}

function problemsIn(value: unknown, path: string, depth: number): Problem[] {
  if (typeof value === "string") return value === "" ? [] : [{ path, words: value }];
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value))
    return value.slice(0, MAX_PROBLEMS).flatMap((item) => problemsIn(item, path, depth + 1));
  const entries = new Map<string, unknown>(Object.entries(value));
  const ownPath = [path, depth === 0 ? "" : namedField(entries)].filter((part) => part !== "").join(".");
  for (const key of FIELD_LISTS) {
    const list = entries.get(key);
    const problems = typeof list === "object" ? problemsIn(list, ownPath, depth + 1) : [];
    if (problems.some((problem) => problem.path !== path)) return problems;
  }
  for (const key of MESSAGE_KEYS) {
    const problems = problemsIn(entries.get(key), ownPath, depth + 1);
    if (problems.length > 0) return problems;
  }
  // `{"email": ["is invalid"]}`: reasons by field. At the top, texts without a list say something else.
  return [...entries]
    .filter(([, reason]) => depth > 0 || typeof reason === "object")
    .slice(0, MAX_PROBLEMS)
    .flatMap(([field, reason]) => problemsIn(reason, pathOf([path, field]), depth + 1));
}

/** "": it names none */
function namedField(entries: ReadonlyMap<string, unknown>): string {
  const source = entries.get("source");
  const named = new Map<string, unknown>([
    ...entries,
    ...(typeof source === "object" && source !== null ? Object.entries(source) : []),
  ]);
  const field = FIELD_KEYS.map((key) => named.get(key)).find(
    (value) => typeof value === "string" || Array.isArray(value),
  );
  return pathOf(Array.isArray(field) ? field : [field]);
}

/** `/data/attributes/zip_code`, `#/zip_code`, `body.customer.zip_code` and `["body", "zip_code"]` are all `…zip_code`. */
const pathOf = (parts: readonly unknown[]): string =>
  parts
    .filter((part) => (typeof part === "string" && part !== "") || typeof part === "number")
    .join(".")
    .replace(/^#?\//, "")
    .replaceAll("/", ".")
    .replace(/^(?:data\.attributes|body|query|data|\$)\./, "");

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

/** A problem whose words begin with the path of a field: `address.zip_code: …`, `first_name n'est pas valide`. */
const WITH_PATH = /^((?:[\w-]+(?:\[\d+\])?)(?:[.[\]]+[\w-]+)*)(: | )/;

/** A name that no sentence begins with: it has a dot, an underscore, or a capital letter inside. */
const isPath = (name: string, separator = "") => separator === ": " || /[._]|[a-z][A-Z]/.test(name);

/** The customer's field that each problem names by its path; null: another field. What has no path is in `texts`. */
function splitProblems(message: string): { fields: (RefusedField | null)[]; texts: string[] } {
  const fields: (RefusedField | null)[] = [];
  const texts: string[] = [];
  for (const problem of message.split("; ")) {
    const [, name, separator] = WITH_PATH.exec(problem) ?? [];
    if (name !== undefined && isPath(name, separator)) fields.push(fieldAtPath(name));
    else texts.push(problem);
  }
  return { fields, texts };
}

/**
 * Whether the insurer's message is about the customer's phone number.
 * @param productTitle of the insured product, whose words say nothing: "Mobile phone X" is a product, too
 */
export function isAboutPhone(insurerMessage: string, productTitle: string | null): boolean {
  const { fields, texts } = splitProblems(withoutTitle(insurerMessage, productTitle));
  return fields.includes("phone") || phoneWords.test(texts.join("; "));
}

/** The fields of the customer that a refusal is about; none where it is about something else. */
export function refusedFields(insurerMessage: string, productTitle: string | null): RefusedField[] {
  const { fields, texts } = splitProblems(withoutTitle(insurerMessage, productTitle));
  const text = texts.join("; ");
  const isComplaint = complaint.test(text);
  const named: RefusedField[] = fieldWords
    .filter(([field, words]) => fields.includes(field) || (isComplaint && words.test(text)))
    .map(([field]) => field);
  const isPhone = fields.includes("phone") || (isComplaint && phoneWords.test(text));
  return isPhone ? [...named, "phone"] : named;
}

function withoutTitle(insurerMessage: string, productTitle: string | null): string {
  const message = insurerMessage.normalize("NFC");
  const title = productTitle?.normalize("NFC").trim() ?? "";
  return title === "" ? message : message.replaceAll(title, " ");
}
