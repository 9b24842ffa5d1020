/** Requests to the app for the shop's staff. Shopify resolves relative URLs to the app's. */
import { isObject, partOf, text } from "../../parts.ts";

export interface AppResponse {
  /** `ready`, `added`, `off`, …: the state, which also selects the text */
  state: string;
  body: unknown;
}

/**
 * Sends a request to the app as the signed-in staff member.
 * @param json sent if the request changes something
 * @returns the state `forbidden_…` if a permission is missing
 * @throws Error if the app does not answer
 */
export async function callApp(
  path: string,
  idToken: () => Promise<string | null>,
  json?: object,
): Promise<AppResponse> {
  const token = await idToken();
  const headers = { Authorization: `Bearer ${token ?? ""}`, "Content-Type": "application/json" };
  const response = await fetch(
    path,
    json === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(json) },
  );
  const body: unknown = await response.json().catch(() => null);
  const refusal = text(partOf(body, "refusal"));
  if (response.status === 403 && refusal !== null) return { state: `forbidden_${refusal}`, body: null };
  if (!response.ok) throw new Error(`The app answered ${response.status}`);
  const state = text(partOf(body, "state"));
  if (state === null) throw new Error("The app answered something else");
  return { state, body };
}

export interface Offer {
  reference: string;
  /** name of the formula; null: the product has one formula alone */
  formula: string | null;
  months: number;
  /** of one item, minor units */
  priceMinor: number;
  billing: "monthly" | "annually";
}

export interface DraftLine {
  uuid: string;
  title: string;
  quantity: number;
  insured: number;
  offers: Offer[];
  /** for each formula with its own; one without a name if there is one formula alone */
  documents: { name: string; conditions: string; ipid: string }[];
  /** why the product has no offers */
  reason: string | null;
}

/** The mail with the link. */
export interface DraftMail {
  /** why the mail cannot be sent; null: it can */
  problem: string | null;
  /** the customer's address, masked */
  to: string;
  language: string;
  languages: { code: string; name: string }[];
  /** status of the last mail; null: none was sent */
  state: string | null;
  sentAt: string | null;
}

export interface Draft {
  /** `#D1` */
  name: string;
  currency: string;
  /** page where the customer reads, chooses and confirms */
  link: string;
  /** YYYY-MM-DD, the link's last day */
  until: string;
  mail: DraftMail;
  isInvoiced: boolean;
  problem: string | null;
  lines: DraftLine[];
}

const count = (value: unknown): number | null => (Number.isSafeInteger(value) ? Number(value) : null);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function readOffer(given: unknown): Offer[] {
  if (!isObject(given)) return [];
  const [reference, months, priceMinor] = [
    text(given.reference),
    count(given.months),
    count(given.priceMinor),
  ];
  const { billing } = given;
  if (reference === null || months === null || priceMinor === null) return [];
  if (billing !== "monthly" && billing !== "annually") return [];
  return [{ reference, formula: text(given.formula), months, priceMinor, billing }];
}

function readLine(given: unknown): DraftLine[] {
  if (!isObject(given)) return [];
  const [uuid, title, quantity, insured] = [
    text(given.uuid),
    text(given.title),
    count(given.quantity),
    count(given.insured),
  ];
  if (uuid === null || title === null || quantity === null || insured === null) return [];
  return [
    {
      uuid,
      title,
      quantity,
      insured,
      reason: text(given.reason),
      documents: list(given.documents).map((each) => ({
        name: text(partOf(each, "name")) ?? "",
        conditions: text(partOf(each, "conditions")) ?? "",
        ipid: text(partOf(each, "ipid")) ?? "",
      })),
      offers: list(given.offers).flatMap(readOffer),
    },
  ];
}

function readMail(given: unknown): DraftMail {
  const languages = list(partOf(given, "languages")).flatMap((each) => {
    const [code, name] = [text(partOf(each, "code")), text(partOf(each, "name"))];
    return code === null || name === null ? [] : [{ code, name }];
  });
  return {
    problem: text(partOf(given, "problem")),
    to: text(partOf(given, "to")) ?? "",
    language: text(partOf(given, "language")) ?? "",
    languages,
    state: text(partOf(given, "last", "state")),
    sentAt: text(partOf(given, "last", "sentAt")),
  };
}

/** Parses a draft order from the app; null: unreadable. */
export function readDraft(body: unknown): Draft | null {
  const [name, currency, link, until] = ["name", "currency", "link", "until"].map((part) =>
    text(partOf(body, part)),
  );
  if (!isObject(body) || !name || !currency || !link || !until) return null;
  return {
    name,
    currency,
    link,
    until,
    mail: readMail(body.mail),
    problem: text(body.problem),
    isInvoiced: body.isInvoiced === true,
    lines: list(body.lines).flatMap(readLine),
  };
}
