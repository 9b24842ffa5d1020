/**
 * The rules of an order's quotes: which of them lost their item, when one needs work, when it is decided which items get
 * one, and whether the customer can insure something themselves. Days are the shop's, `YYYY-MM-DD`.
 */
import { quoteDelays } from "#app/merchants/quote-settings.ts";
import { startOfDay, toLocalDay } from "#app/platform/day.ts";
import { type BookEvent, itemKeyOf, type revocations } from "./events.ts";
import { type Line, type Order, ownEndReasonOf } from "./evolve.ts";
import { salesRecordStatusOf, stateOf } from "./projection.ts";
import { mayBeSold, type Quote } from "./quotes.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * How many items of a line are not insured. A plan of unclear product may insure any; one that was cancelled at the
 * insurer insures none, though it is wanted.
 */
export function uninsuredCount(order: Order, line: Line): number {
  const insuring = order.items.filter(
    (item) =>
      (item.insured === null || item.insured.lineId === line.lineId) &&
      ownEndReasonOf(order, item) === null &&
      stateOf(order, item) !== "cancelled",
  );
  return line.current - insuring.length;
}

/** An expired quote takes no place of its item: another may be requested. */
export const isExpired = ({ state, expiresOn }: Pick<Quote, "state" | "expiresOn">, today: string): boolean =>
  state === "open" && expiresOn !== null && expiresOn < today;

const productLine = (order: Order, { lineId }: Quote): Line | undefined =>
  order.lines.find((line) => line.kind === "product" && line.lineId === lineId);

export interface SurplusQuote {
  quote: Quote;
  reason: Exclude<(typeof revocations)[number], "suppressed">;
}

/**
 * The quotes whose item is gone: cancelled, returned or insured otherwise. Of a line with fewer items left they are the
 * last ones; a quote that has led to a contract keeps its item longest.
 */
export function surplusQuotes(order: Order, today: string): SurplusQuote[] {
  const standing = order.quotes.filter(({ state }) => state !== "refused" && state !== "revoked");
  return [...Map.groupBy(standing, ({ lineId }) => lineId).values()].flatMap((ofLine): SurplusQuote[] => {
    const [first] = ofLine;
    const line = first && productLine(order, first);
    if (line === undefined) return [];
    if (order.erasedAt !== null) return ofLine.map((quote) => ({ quote, reason: "erased" }));
    if (order.cancelledAt !== null) return ofLine.map((quote) => ({ quote, reason: "order_cancelled" }));
    const valid = ofLine.filter((quote) => !isExpired(quote, today));
    const kept = Math.max(0, uninsuredCount(order, line));
    return valid
      .toSorted((a, b) => rankOf(a) - rankOf(b) || a.number - b.number)
      .slice(kept)
      .map((quote) => ({ quote, reason: "fewer_pieces" }));
  });
}

const rankOf = (quote: Quote): number => (mayBeSold(quote) ? 0 : quote.state === "open" ? 1 : 2);

/** Whether its customer may use it. */
export const isUsable = (order: Order, quote: Quote, today: string): boolean =>
  quote.state === "open" &&
  !isExpired(quote, today) &&
  !surplusQuotes(order, today).some((surplus) => surplus.quote === quote);

/** Whether a planned quote may be requested now: its order may have been cancelled, refunded or insured meanwhile. */
export function mayBeAsked(order: Order, quote: Quote, today: string): boolean {
  const line = productLine(order, quote);
  if (quote.state !== "due" || line === undefined) return false;
  if (order.cancelledAt !== null || order.erasedAt !== null) return false;
  const others = order.quotes.filter(
    (other) =>
      other.lineId === quote.lineId &&
      (mayBeSold(other) || (other.state === "open" && !isExpired(other, today))),
  );
  return uninsuredCount(order, line) > others.length;
}

/** @param days for how many after the purchase the shop's customers can insure what they bought; 0: they cannot */
export function isInsurable(order: Order, days: number, now: Date): boolean {
  const { placed, paid, cancelledAt, erasedAt } = order;
  if (placed === null || paid === null || cancelledAt !== null || erasedAt !== null) return false;
  if (placed.placedAt.getTime() <= now.getTime() - days * DAY_MS) return false;
  return order.lines.some(
    (line) =>
      line.kind === "product" &&
      line.categoryId !== "" &&
      uninsuredCount(order, line) >
        order.quotes.filter((quote) => quote.lineId === line.lineId && mayBeSold(quote)).length,
  );
}

const LATE_DAYS = 3;

/**
 * Orders paid before this time get no quotes any more: no customer expects one by then. It is the longest delay and some
 * days, whatever the merchant's delay is: a shorter delay must not drop the orders that wait for a longer one.
 */
export const quotablePaidSince = (now: Date): Date =>
  new Date(now.getTime() - Math.max(...quoteDelays) * HOUR_MS - LATE_DAYS * DAY_MS);

/** What is set for the quotes of an order's shop, and what its customer agreed to. */
export interface QuoteTerms {
  /** orders that are paid from then on get quotes by themselves, and show them; null: none do */
  since: Date | null;
  /** hours after the payment */
  delayHours: number;
  timezone: string;
  /** the customer agreed to marketing e-mails */
  acceptsMarketing: boolean;
}

/** When it is decided which items of the order get quotes by themselves; null: it is decided, or none do. */
export function decideAt(
  order: Order,
  { since, delayHours, acceptsMarketing }: QuoteTerms,
  now: Date,
): Date | null {
  const { paid } = order;
  if (!acceptsMarketing || since === null || paid === null || order.quotesDecidedAt !== null) return null;
  if (order.cancelledAt !== null || order.erasedAt !== null) return null;
  if (paid.at <= since || paid.at <= quotablePaidSince(now)) return null;
  if (salesRecordStatusOf(order) === "test_order") return null;
  const hasProduct = order.lines.some(
    ({ kind, categoryId, current }) => kind === "product" && categoryId !== "" && current > 0,
  );
  return hasProduct ? new Date(paid.at.getTime() + delayHours * HOUR_MS) : null;
}

/** A request takes far less; the worker that sent an older one is gone. */
const LOST_AFTER_MS = 10 * 60_000;

/**
 * When the quote needs work: it is pending, its worker is gone, or its contract is to be searched for; null: never. An
 * opened one is searched for every hour of its first day and then every day; an unopened one every week, because a busy
 * shop has hundreds of thousands of them. Each is searched for a last time when it expires, and is taken off the order. A
 * revoked one likewise: the insurer's own page takes it all the same. Whether a contract that was found is cancelled is
 * looked up every week of its term; whether one is in force that was not yet, every day.
 */
export function quoteWorkAt(
  order: Order,
  quote: Quote,
  { since, timezone }: QuoteTerms,
  now: Date,
): Date | null {
  switch (quote.state) {
    case "due":
      return since === null ? null : now;
    case "sending":
      return quote.sentAt && new Date(quote.sentAt.getTime() + LOST_AFTER_MS);
    case "sold":
      return soldWorkAt(order, quote, timezone, now);
    case "open":
      return searchAt(quote, timezone, now);
    case "revoked":
      return quote.quoteId === null || quote.reason === "erased" ? null : searchAt(quote, timezone, now);
    default:
      return null;
  }
}

function soldWorkAt(
  order: Order,
  { planned, reason, contract, ...quote }: Quote,
  timezone: string,
  now: Date,
): Date | null {
  if (contract === null || reason === "contract_cancelled" || order.erasedAt !== null) return null;
  if (planned.environment !== order.placed?.environment || contract.expiresOn < toLocalDay(timezone, now))
    return null;
  const since = quote.searchedAt ?? quote.soldAt ?? now;
  const at = since.getTime() + (contract.title === null ? DAY_MS : 7 * DAY_MS);
  // Tomorrow at the earliest: without an account it is not looked up.
  return new Date(Math.max(at, now.getTime() + DAY_MS));
}

function searchAt(
  { expiresOn, searchedAt, madeAt, openedAt }: Quote,
  timezone: string,
  now: Date,
): Date | null {
  const last = searchedAt ?? madeAt;
  if (last === null) return null;
  if (expiresOn !== null && expiresOn < toLocalDay(timezone, now))
    return toLocalDay(timezone, last) <= expiresOn ? now : null;
  const wasOpened = openedAt !== null && openedAt.getTime() > now.getTime() - DAY_MS;
  const again = last.getTime() + (openedAt === null ? 7 * DAY_MS : wasOpened ? HOUR_MS : DAY_MS);
  // One that does not expire is searched for at the same pace for ever.
  if (expiresOn === null) return new Date(again);
  const dayAfter = new Date(Date.parse(expiresOn) + DAY_MS).toISOString().slice(0, 10);
  return new Date(Math.min(again, startOfDay(timezone, dayAfter).getTime()));
}

export interface QuoteSituation {
  /** it has quotes, or may still show some */
  exist: boolean;
  /** when its items without insurance are due to get quotes; null: they get none, or it was decided */
  decideAt: Date | null;
  /** when its quotes need work next; null: none does */
  searchAt: Date | null;
}

/** @param terms null: the shop does not have the app any more */
export function quoteSituation(order: Order, terms: QuoteTerms | null, now: Date): QuoteSituation {
  if (terms === null) return { exist: false, decideAt: null, searchAt: null };
  const times = order.quotes.flatMap((quote) => quoteWorkAt(order, quote, terms, now)?.getTime() ?? []);
  return {
    exist: order.quotesDigest !== null || order.quotes.length > 0,
    decideAt: decideAt(order, terms, now),
    searchAt: times.length === 0 ? null : new Date(Math.min(...times)),
  };
}

/** Whether the order's pages show the contract that came of it. */
export const isShownAsSold = (order: Order, quote: Quote): boolean =>
  quote.planned.environment === order.placed?.environment &&
  quote.contract !== null &&
  quote.contract.title !== null;

/** A contract from a quote is of no item of the book: it becomes a task as one that nothing accounts for. */
export const strayContract = (contractId: string, status: "active" | "cancelled"): BookEvent => ({
  type: "contract",
  contractId,
  item: null,
  status,
  statusText: "",
  referenceId: "",
  activatesOn: null,
  expiresOn: null,
});

/** What there is to say of contracts from quotes whose item is gone: each becomes a task once. */
export const surplusContracts = (order: Order, today: string): BookEvent[] =>
  surplusQuotes(order, today).flatMap(({ quote, reason }): BookEvent[] => {
    const { contract } = quote;
    // After the erasure of its customer, there is no address to write to.
    if (contract === null || contract.title === null || quote.reason !== null || reason === "erased")
      return [];
    return [
      { type: "quotes_revoked", quotes: [itemKeyOf(quote)], reason },
      strayContract(contract.contractId, "active"),
    ];
  });
