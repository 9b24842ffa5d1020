/** The app's answer about an order. */
import { isObject, partOf, text } from "../../parts.ts";

export interface Contract {
  state: string;
  number: string | null;
  /** its last day, `YYYY-MM-DD`; null: not known */
  until: string | null;
  /** by the customer; null: not known */
  paid: { minor: number; currency: string } | null;
}
export interface Quote {
  state: string;
  /** null: no plan exists, or the app has no page about it */
  quoteId: string | null;
  /** null: the link is not valid */
  link: string | null;
  /** `YYYY-MM-DD` */
  until: string | null;
}
export interface OrderLine {
  lineId: string;
  title: string;
  quantity: number;
  contracts: Contract[];
  quotes: Quote[];
  /** the item for the next quote */
  next: number | null;
  reason: string | null;
}
export interface Order {
  /** null: Shopify does not say who the seller is */
  seller: string | null;
  isTest: boolean;
  problem: string | null;
  lines: OrderLine[];
  /** why plans of the order have no contract in force */
  why: Explanation[];
}

export interface Explanation {
  /** the text's key */
  why: string;
  plan: string | null;
  /** ISO 8601: by then the insurer's list has decided */
  until: string | null;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const count = (value: unknown): number | null => (Number.isSafeInteger(value) ? Number(value) : null);

/** Parses an order from the app; null: unreadable. */
export function readOrder(body: unknown): Order | null {
  if (!isObject(body) || !Array.isArray(body.lines)) return null;
  return {
    seller: text(body.seller),
    problem: text(body.problem),
    isTest: body.isTest === true,
    lines: body.lines.flatMap(readLine),
    why: list(body.why).flatMap((each): Explanation[] => {
      const why = text(partOf(each, "why"));
      return why === null
        ? []
        : [{ why, plan: text(partOf(each, "plan")), until: text(partOf(each, "until")) }];
    }),
  };
}

function paidOf(given: unknown): Contract["paid"] {
  const [minor, currency] = [count(partOf(given, "minor")), text(partOf(given, "currency"))];
  return minor === null || currency === null ? null : { minor, currency };
}

function readLine(given: unknown): OrderLine[] {
  const [lineId, title] = [text(partOf(given, "lineId")), text(partOf(given, "title"))];
  const quantity = count(partOf(given, "quantity"));
  if (!isObject(given) || lineId === null || title === null || quantity === null) return [];
  return [
    {
      lineId,
      title,
      quantity,
      next: count(given.next),
      reason: text(given.reason),
      contracts: list(given.insured).map((each) => ({
        state: text(partOf(each, "state")) ?? "",
        number: text(partOf(each, "contract")),
        until: text(partOf(each, "until")),
        paid: paidOf(partOf(each, "paid")),
      })),
      quotes: list(given.quotes).map((each) => ({
        state: text(partOf(each, "state")) ?? "",
        quoteId: text(partOf(each, "quoteId")),
        link: text(partOf(each, "link")),
        until: text(partOf(each, "until")),
      })),
    },
  ];
}
