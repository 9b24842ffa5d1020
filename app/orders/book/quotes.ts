/** The quotes of an order's uninsured items, as the events of its book tell them. */
import {
  type BookEvent,
  type EventOf,
  type ItemKey,
  type KeptEvent,
  type revocations,
  nameOf,
} from "./events.ts";

export const quoteStates = [
  /** planned: not requested yet */
  "due",
  /** its request is being sent right now, or the process that sent it is gone */
  "sending",
  /**
   * The request was sent and its outcome is not known. The insurer shows no quotes, so no look-up is possible; it is never
   * sent again, because a customer with two quotes is worse off than one with none.
   */
  "unknown",
  /** made: the customer may use it until it expires */
  "open",
  /** the insurer refused it, or has no offer */
  "refused",
  /** the item was returned, insured otherwise, or its customer wants none */
  "revoked",
  /** a contract of it was found */
  "sold",
] as const;
export type QuoteState = (typeof quoteStates)[number];

/** Why one is refused or revoked; of a sold one, that its item is gone or its contract cancelled. */
export type QuoteReason =
  (typeof revocations)[number] | "refused_by_insurer" | "no_offer" | "contract_cancelled";

/** The delay of a quote that staff or the customer requested: no workflow has to send its link. */
export const ON_REQUEST = 0;

export interface Quote extends ItemKey {
  planned: Omit<EventOf<"quote_planned">, "type" | "quote">;
  plannedAt: Date;
  state: QuoteState;
  reason: QuoteReason | null;
  /** how many requests were sent: one, or more if the first had no effect */
  attempt: number;
  sentAt: Date | null;
  /** null: it was not made */
  quoteId: string | null;
  /** its last day in the shop's time zone, `YYYY-MM-DD` */
  expiresOn: string | null;
  madeAt: Date | null;
  openedAt: Date | null;
  /** when the shop's workflows were told of it */
  announcedAt: Date | null;
  revokedAt: Date | null;
  /** when its customer's contracts were searched last */
  searchedAt: Date | null;
  soldAt: Date | null;
  contract: {
    contractId: string;
    /** once it is, or was, in force */
    title: string | null;
    priceMinor: number;
    /** the last day of its term, `YYYY-MM-DD` */
    expiresOn: string;
  } | null;
}

/** Whether it has led to a contract, or may: its item is insured by it. */
export const mayBeSold = ({ state }: Pick<Quote, "state">): boolean =>
  state === "sending" || state === "unknown" || state === "sold";

/** @param events of an order, as they were appended */
export function readQuotes(events: readonly KeptEvent[]): Quote[] {
  const quotes = new Map<string, Quote>();
  for (const event of events) {
    for (const key of quotesOf(event)) {
      const name = nameOf(key);
      const before = quotes.get(name);
      if (event.type === "quote_planned") quotes.set(name, before ?? plannedQuote(event));
      if (before === undefined) continue;
      const after = evolveQuote(before, event);
      if (after === null) quotes.delete(name);
      else quotes.set(name, after);
    }
  }
  return [...quotes.values()].toSorted((a, b) =>
    a.lineId < b.lineId ? -1 : a.lineId > b.lineId ? 1 : a.number - b.number,
  );
}

const quotesOf = (event: BookEvent): readonly ItemKey[] =>
  "quotes" in event ? event.quotes : "quote" in event ? [event.quote] : [];

function plannedQuote(event: KeptEvent & EventOf<"quote_planned">): Quote {
  const { quote, at, environment, productId, variantId, title, priceMinor, currency, categoryId } = event;
  const { delayHours, touchpoint, linkId } = event;
  const product = { productId, variantId, title, priceMinor, currency, categoryId };
  return {
    ...quote,
    planned: { environment, ...product, delayHours, touchpoint, linkId },
    plannedAt: at,
    state: "due",
    reason: null,
    attempt: 0,
    sentAt: null,
    quoteId: null,
    expiresOn: null,
    madeAt: null,
    openedAt: null,
    announcedAt: null,
    revokedAt: null,
    searchedAt: null,
    soldAt: null,
    contract: null,
  };
}

/** Null: it is not to be made any more, and never was requested with an effect. */
function evolveQuote(quote: Quote, event: KeptEvent): Quote | null {
  const { at } = event;
  switch (event.type) {
    case "quote_asked":
      return quote.state === "due"
        ? { ...quote, state: "sending", attempt: event.attempt, sentAt: at }
        : quote;
    case "quote_answered":
      return answered(quote, event);
    case "quotes_lost":
      return quote.state === "due" || quote.state === "sending" ? { ...quote, state: "unknown" } : quote;
    case "quotes_dropped":
      return quote.state === "due" ? null : quote;
    case "quotes_revoked":
      if (quote.state === "due" || quote.state === "open")
        return { ...quote, state: "revoked", reason: event.reason, revokedAt: at };
      // A contract stays what came of it: a person ends it at the insurer.
      return quote.state === "sold" && quote.reason === null
        ? { ...quote, reason: event.reason, revokedAt: at }
        : quote;
    case "quote_opened":
      return { ...quote, openedAt: quote.openedAt ?? at };
    case "quote_announced":
      return { ...quote, announcedAt: quote.announcedAt ?? at };
    case "quote_contract":
      return withContract(quote, event);
    case "quotes_searched":
      return { ...quote, searchedAt: at };
    default:
      return quote;
  }
}

/** A late answer to the last request still says what became of it. */
function answered(quote: Quote, event: KeptEvent & EventOf<"quote_answered">): Quote | null {
  const isAwaited = quote.state === "sending" || quote.state === "unknown";
  if (!isAwaited || event.attempt !== quote.attempt) return quote;
  const { quoteId, expiresOn, at } = event;
  switch (event.outcome) {
    case "made":
      return { ...quote, state: "open", quoteId, expiresOn, madeAt: at };
    case "no_offer":
      return { ...quote, state: "refused", reason: "no_offer", quoteId, expiresOn, madeAt: at };
    case "refused":
      return { ...quote, state: "refused", reason: "refused_by_insurer" };
    case "unclear":
      return { ...quote, state: "unknown" };
    case "not_done":
      // What staff or the customer request is theirs to request again.
      return quote.planned.delayHours === ON_REQUEST ? null : { ...quote, state: "due" };
  }
}

/** Its customer may use a quote after it was revoked. */
function withContract(quote: Quote, event: KeptEvent & EventOf<"quote_contract">): Quote {
  const { contractId, status, title, priceMinor, expiresOn, at } = event;
  if (quote.contract !== null && quote.contract.contractId !== contractId) return quote;
  const known = quote.contract ?? { contractId, title: null, priceMinor, expiresOn };
  return {
    ...quote,
    state: "sold",
    soldAt: quote.soldAt ?? at,
    ...(quote.contract === null ? { reason: null, revokedAt: null } : {}),
    ...(status === "cancelled" ? { reason: "contract_cancelled" } : {}),
    contract: { ...known, title: known.title ?? (status === "active" ? title : null) },
  };
}
