/**
 * Reads a book: from the events of an order, the order as it is. Facts of Shopify may arrive in any order: of two
 * reports the later one counts, paid and cancelled stay, refunds add up by their id. What Parasol and the insurer do is
 * appended as it happens.
 */
import {
  type BookEvent,
  type EventOf,
  type InsuredProduct,
  type ItemKey,
  type KeptEvent,
  nameOf,
  type OrderTag,
} from "./events.ts";
import { type Quote, readQuotes } from "./quotes.ts";

export interface Line extends Omit<EventOf<"line">, "type"> {
  ordered: number;
  current: number;
  fulfilled: number;
  /** items that refunds took, as far as they are known */
  refunded: number;
}

export type Contract = Pick<
  EventOf<"contract">,
  "contractId" | "status" | "statusText" | "referenceId" | "activatesOn" | "expiresOn" | "price"
>;

/** The last request for an item's contract. */
export interface Request {
  attempt: number;
  sentAt: Date;
  outcome: EventOf<"answered">["outcome"] | null;
  answeredAt: Date | null;
  /** the contract that the answer names, and its days there */
  named: (Pick<EventOf<"answered">, "activatesOn" | "expiresOn"> & { contractId: string }) | null;
  /** the insurer's words where it refused, or where its answer is doubtful */
  message: string | null;
}

export type Decided = Pick<EventOf<"decided">, "question" | "answer" | "amountMinor" | "by"> & { at: Date };

export interface Item extends ItemKey {
  sold: Omit<EventOf<"sold">, "type" | "item" | "insured">;
  soldAt: Date;
  insured: InsuredProduct | null;
  left: EventOf<"left">["by"] | null;
  hasLostProduct: boolean;
  /** how many requests were sent */
  attempts: number;
  /** null: none was sent, or a look-up showed that it made no contract */
  request: Request | null;
  /** why the insurer's list is to be searched before anything is requested, and since when */
  doubt: { why: EventOf<"doubted">["why"]; since: Date } | null;
  /** the last look-up that found nothing */
  lookedUpAt: Date | null;
  /** why the insurer's list says nothing of it, although it is late enough; null: it can be read, or it is not */
  lookUpProblem: string | null;
  /** a look-up found nothing though the insurer's answer spoke of a contract: its words */
  unclear: string | null;
  contract: Contract | null;
  /** the insurer has shown its contract as cancelled before */
  wasCancelled: boolean;
  /** since when the insurer shows its contract as cancelled; null: it does not */
  contractEndedAt: Date | null;
  /** when its contract came into being */
  insuredAt: Date | null;
  handedOver: { at: Date; message: string } | null;
  withdrawal: { at: Date; isUnchecked: boolean; refundBy: string; isMailed: boolean } | null;
  /** a person ended it */
  isEnded: boolean;
  /** since when it is not to be insured any more, for a reason of its own; null: it is to be */
  endedAt: Date | null;
  /** its product went back, and a person lets its insurance go on */
  isKeptWithoutProduct: boolean;
  /** a person decided that it moves to a replacement whose premium differs */
  takesOtherPremium: boolean;
  /** when a person had it issued last, in spite of what was found */
  issuedAt: Date | null;
  /** answers about its premium */
  decisions: readonly Decided[];
  obstacle: EventOf<"obstacle">["obstacle"];
  refundRequestedAt: Date | null;
  /** how many of its requested refunds Shopify refused */
  refusedRefunds: number;
  fulfilledAt: Date | null;
  mailedAt: Date | null;
  flowState: EventOf<"flow_started">["state"] | null;
  /** the last event of it that is not Parasol's own note */
  changedAt: Date;
}

export type Refund = Omit<EventOf<"refund">, "type">;

export interface Order {
  placed: Omit<EventOf<"placed">, "type"> | null;
  paid: { at: Date; paymentMethod: string } | null;
  isBalanceDue: boolean;
  /** the whole order was paid back as money */
  isPaidBack: boolean;
  cancelledAt: Date | null;
  /** when its cancellation became known */
  cancellationKnownAt: Date | null;
  deletedAt: Date | null;
  notShownAt: Date | null;
  erasedAt: Date | null;
  unreadable: EventOf<"unreadable">["lines"];
  leftOut: Pick<EventOf<"left_out">, "count" | "limit"> | null;
  lines: readonly Line[];
  items: readonly Item[];
  refunds: readonly Refund[];
  /** contracts at the insurer that no item has */
  strayContracts: readonly Contract[];
  cancellation: {
    attempt: number;
    outcome: EventOf<"cancellation_answered">["outcome"] | null;
    message: string | null;
    answeredAt: Date | null;
    /** the last look at its contracts that found one in force */
    lookedUpAt: Date | null;
    /** so late that the insurer has not carried it out, whatever it answered */
    hasFailed: boolean;
  } | null;
  salesRecord: Omit<EventOf<"sales_record">, "type"> | null;
  details: Omit<EventOf<"details_missing">, "type">;
  /** the last answer to each question */
  answers: ReadonlyMap<string, Decided>;
  /** of the cover that the order's page shows; null: none */
  coverDigest: string | null;
  /** Parasol's tags that the order has in the shop */
  tags: readonly OrderTag[];
  /** of its uninsured items, by line and number */
  quotes: readonly Quote[];
  /** when it was decided which of its items get quotes by themselves; null: it was not */
  quotesDecidedAt: Date | null;
  /** of the quotes that the order's page shows, or showed last; null: it never showed any */
  quotesDigest: string | null;
}

/** The order as the events tell it. @param events in the order in which they were appended */
export function readBook(events: readonly KeptEvent[]): Order {
  const byType = Map.groupBy(events, ({ type }) => type);
  const of = <Type extends KeptEvent["type"]>(type: Type) =>
    (byType.get(type) ?? []).filter((event): event is KeptEvent & EventOf<Type> => event.type === type);
  const refunds = readRefunds(of("refund"));
  const byItem = eventsByItem(events);
  const items = of("sold").map((sold) => readItem(sold, byItem.get(nameOf(sold.item)) ?? []));
  const [placed] = of("placed");
  const contractsOfItems = new Set(items.flatMap(({ contract }) => contract?.contractId ?? []));
  const paid = earliest(of("paid"));
  const leftOut = of("left_out").at(-1);
  const details = of("details_missing").at(-1);
  return {
    placed: placed ?? null,
    paid: paid ? { at: paid.asOf, paymentMethod: paid.paymentMethod } : null,
    isBalanceDue: latest(of("balance"))?.isDue ?? false,
    isPaidBack: of("paid_back").length > 0,
    cancelledAt: earliest(of("cancelled"))?.asOf ?? null,
    cancellationKnownAt: of("cancelled")[0]?.at ?? null,
    deletedAt: earliest(of("deleted"))?.asOf ?? null,
    notShownAt: of("not_shown").at(-1)?.at ?? null,
    erasedAt: of("erased")[0]?.at ?? null,
    unreadable: of("unreadable").at(-1)?.lines ?? [],
    leftOut: leftOut ? { count: leftOut.count, limit: leftOut.limit } : null,
    lines: readLines(of("line"), of("paired"), of("quantity"), of("edited"), refunds),
    items,
    refunds,
    strayContracts: [...lastByContract(of("contract")).values()].filter(
      ({ contractId }) => !contractsOfItems.has(contractId),
    ),
    cancellation: readCancellation(events),
    salesRecord: of("sales_record").at(-1) ?? null,
    details: details ?? { missing: [], refused: null },
    answers: readAnswers(events),
    coverDigest: of("shown").at(-1)?.digest ?? null,
    tags: of("tagged").at(-1)?.tags ?? [],
    quotes: readQuotes(events),
    quotesDecidedAt: of("quotes_decided")[0]?.at ?? null,
    quotesDigest: of("quotes_shown").at(-1)?.digest ?? null,
  };
}

const earliest = <Event extends { asOf: Date }>(events: readonly Event[]): Event | undefined =>
  events.toSorted((a, b) => a.asOf.getTime() - b.asOf.getTime())[0];

const latest = <Event extends { asOf: Date }>(events: readonly Event[]): Event | undefined =>
  events.toSorted((a, b) => a.asOf.getTime() - b.asOf.getTime()).at(-1);

/** The last news of each refund; what is settled or failed stays so. */
function readRefunds(events: readonly (KeptEvent & EventOf<"refund">)[]): Refund[] {
  return [...Map.groupBy(events, ({ refundId }) => refundId).values()].flatMap((ofRefund) => {
    const news = ofRefund.toSorted(
      (a, b) => rankOf[a.status] - rankOf[b.status] || a.asOf.getTime() - b.asOf.getTime(),
    );
    return news.at(-1) ?? [];
  });
}
const rankOf = { pending: 0, failed: 1, settled: 2 } as const;

function readLines(
  lines: readonly EventOf<"line">[],
  paired: readonly EventOf<"paired">[],
  quantities: readonly EventOf<"quantity">[],
  edits: readonly EventOf<"edited">[],
  refunds: readonly Refund[],
): Line[] {
  const refundedOf = (lineId: string) =>
    sumOf(
      refunds.flatMap((refund) => refund.lines),
      lineId,
    );
  return lines.map((line) => {
    const reports = quantities.filter(({ lineId }) => lineId === line.lineId);
    // Two reports of one second: the one that holds more refunds is the later one, then the one that came later.
    const report = reports
      .toSorted((a, b) => a.asOf.getTime() - b.asOf.getTime() || a.refunded - b.refunded)
      .at(-1);
    const refunded = Math.max(refundedOf(line.lineId), report?.refunded ?? 0);
    const laterEdits = edits.filter(({ asOf }) => report === undefined || asOf >= report.asOf);
    const edited = sumOf(
      laterEdits.flatMap(({ removed }) => removed),
      line.lineId,
    );
    const current = Math.max(0, (report?.current ?? 0) - (refunded - (report?.refunded ?? 0)) - edited);
    return {
      ...line,
      pairId: paired.findLast(({ lineId }) => lineId === line.lineId)?.pairId ?? line.pairId,
      ordered: report?.ordered ?? 0,
      current,
      // What was sent stays sent.
      fulfilled: Math.min(current, Math.max(0, ...reports.map(({ fulfilled }) => fulfilled))),
      refunded,
    };
  });
}

const sumOf = (parts: readonly { lineId: string; quantity: number }[], lineId: string): number =>
  parts.filter((part) => part.lineId === lineId).reduce((sum, { quantity }) => sum + quantity, 0);

/** The items that an event is about. */
export const itemsOf = (event: BookEvent): readonly ItemKey[] =>
  "items" in event ? event.items : "item" in event && event.item !== null ? [event.item] : [];

function eventsByItem(events: readonly KeptEvent[]): Map<string, KeptEvent[]> {
  const byItem = new Map<string, KeptEvent[]>();
  for (const event of events) {
    for (const item of itemsOf(event)) {
      const ofItem = byItem.get(nameOf(item));
      if (ofItem) ofItem.push(event);
      else byItem.set(nameOf(item), [event]);
    }
  }
  return byItem;
}

/** @param events those about the item */
function readItem(
  { item, insured, ...sold }: KeptEvent & EventOf<"sold">,
  events: readonly KeptEvent[],
): Item {
  const state: Item = {
    ...item,
    sold,
    soldAt: sold.at,
    insured,
    left: null,
    hasLostProduct: false,
    attempts: 0,
    request: null,
    doubt: null,
    lookedUpAt: null,
    lookUpProblem: null,
    unclear: null,
    contract: null,
    wasCancelled: false,
    contractEndedAt: null,
    insuredAt: null,
    handedOver: null,
    withdrawal: null,
    isEnded: false,
    endedAt: null,
    isKeptWithoutProduct: false,
    takesOtherPremium: false,
    issuedAt: null,
    decisions: [],
    obstacle: null,
    refundRequestedAt: null,
    refusedRefunds: 0,
    fulfilledAt: null,
    mailedAt: null,
    flowState: null,
    changedAt: sold.at,
  };
  return events.reduce((before, event) => {
    const item = evolveItem(before, event);
    const after = { ...item, endedAt: reasonOfItem(item) === null ? null : (before.endedAt ?? event.at) };
    return notes.has(event.type) ? after : { ...after, changedAt: event.at };
  }, state);
}

const notes: ReadonlySet<BookEvent["type"]> = new Set([
  "mailed",
  "fulfilled",
  "flow_started",
  "obstacle",
  "refund_requested",
  "refund_refused",
]);

function evolveItem(item: Item, event: KeptEvent): Item {
  const { at } = event;
  switch (event.type) {
    case "checked":
      return { ...item, sold: { ...item.sold, finding: event.finding }, issuedAt: null };
    case "insured":
      return { ...item, insured: event.insured };
    case "doubted":
      return { ...item, doubt: { why: event.why, since: at }, unclear: null };
    case "requested":
      return {
        ...item,
        attempts: event.attempt,
        unclear: null,
        lookUpProblem: null,
        request: {
          attempt: event.attempt,
          sentAt: at,
          outcome: null,
          answeredAt: null,
          named: null,
          message: null,
        },
      };
    case "answered":
      // A late answer to an earlier attempt says nothing of the last one.
      if (item.request?.attempt !== event.attempt) return item;
      return {
        ...item,
        request: {
          ...item.request,
          outcome: event.outcome,
          answeredAt: at,
          named:
            event.contractId === null
              ? null
              : { contractId: event.contractId, activatesOn: event.activatesOn, expiresOn: event.expiresOn },
          message: event.message,
        },
      };
    case "looked_up":
      if (!event.isConclusive) return { ...item, lookedUpAt: at, lookUpProblem: event.problem };
      return {
        ...item,
        lookedUpAt: at,
        lookUpProblem: null,
        doubt: null,
        // The insurer spoke of a contract and lists none: to request it again would be answered so for ever.
        unclear: item.request?.outcome === "doubtful" ? (item.request.message ?? "") : null,
        request: null,
      };
    case "contract":
      return withContract(item, event);
    case "handed_over":
      return { ...item, handedOver: { at, message: event.message } };
    case "withdrew":
      return {
        ...item,
        withdrawal: {
          at,
          isUnchecked: event.unchecked.some((key) => nameOf(key) === nameOf(item)),
          refundBy: event.refundBy,
          isMailed: event.isMailed,
        },
      };
    case "decided":
      return withDecision(item, event);
    case "refund_requested":
      return { ...item, refundRequestedAt: at };
    case "refund_refused":
      return { ...item, refundRequestedAt: null, refusedRefunds: item.refusedRefunds + 1 };
    case "fulfilled":
      return { ...item, fulfilledAt: item.fulfilledAt ?? at };
    case "mailed":
      return { ...item, mailedAt: item.mailedAt ?? at };
    case "flow_started":
      return { ...item, flowState: event.state };
    case "left":
      return { ...item, left: item.left ?? event.by };
    case "lost_product":
      return { ...item, hasLostProduct: true };
    case "moved":
      return item.insured === null
        ? item
        : { ...item, insured: { ...item.insured, lineId: event.insuredLineId } };
    case "obstacle":
      return { ...item, obstacle: event.obstacle };
    default:
      return item;
  }
}

function withContract(item: Item, event: KeptEvent & EventOf<"contract">): Item {
  const { contractId, status, statusText, referenceId, at } = event;
  const named = item.request?.named?.contractId === contractId ? item.request.named : null;
  return {
    ...item,
    doubt: null,
    unclear: null,
    lookUpProblem: null,
    insuredAt: item.insuredAt ?? (status === "active" || status === "listed" ? at : null),
    wasCancelled: item.wasCancelled || status === "cancelled",
    contractEndedAt: status === "cancelled" ? (item.contractEndedAt ?? at) : null,
    handedOver: status === "cancelled" ? null : item.handedOver,
    contract: {
      contractId,
      status,
      statusText,
      referenceId,
      activatesOn: event.activatesOn ?? item.contract?.activatesOn ?? named?.activatesOn ?? null,
      expiresOn: event.expiresOn ?? item.contract?.expiresOn ?? named?.expiresOn ?? null,
      price: event.price ?? item.contract?.price,
    },
  };
}

function withDecision(item: Item, event: KeptEvent & EventOf<"decided">): Item {
  const { answer, question, amountMinor, by, at } = event;
  const decision = { answer, question, amountMinor, by, at };
  switch (answer) {
    case "issue":
      return {
        ...item,
        issuedAt: at,
        unclear: null,
        lookUpProblem: null,
        // The insurer's list decides what has become of a request, or of a contract in no clear state.
        doubt:
          item.request !== null || item.contract !== null || item.unclear !== null
            ? { why: "retried", since: at }
            : item.doubt,
        contract: item.insuredAt === null ? null : item.contract,
        request: item.request?.outcome === "refused" ? null : item.request,
      };
    case "end":
      return {
        ...item,
        isEnded: true,
        withdrawal: item.withdrawal && { ...item.withdrawal, isUnchecked: false },
      };
    case "keep_insurance":
      return {
        ...item,
        isEnded: false,
        handedOver: null,
        // What was answered for the premium of insurance that had ended is no answer for one that goes on.
        decisions: item.isEnded ? [] : item.decisions,
        isKeptWithoutProduct: item.isKeptWithoutProduct || question.startsWith("product_returned"),
        // A claim ends the right to withdraw.
        withdrawal: item.withdrawal?.isUnchecked === true ? null : item.withdrawal,
      };
    case "move_insurance":
      return { ...item, takesOtherPremium: true };
    case "reopened":
      return { ...item, decisions: item.decisions.filter((each) => each.question !== question) };
    case "premium_refunded":
    case "premium_kept":
      return { ...item, decisions: [...item.decisions, decision] };
    default:
      return item;
  }
}

function readAnswers(events: readonly KeptEvent[]): Map<string, Decided> {
  const answers = new Map<string, Decided>();
  const shown = new Map<string, string>();
  for (const event of events) {
    // What was found out about a contract is said of the state that the insurer showed then.
    if (event.type === "contract" && event.item !== null) {
      const { lineId, number } = event.item;
      const state = `${event.status} ${event.statusText}`;
      const before = shown.get(nameOf(event.item));
      shown.set(nameOf(event.item), state);
      for (const question of before === state ? [] : answers.keys())
        if (question.startsWith("contract_doubtful:") && question.endsWith(`:${lineId}:${number}`))
          answers.delete(question);
    }
    // Another change that is not shown is another question.
    if (event.type === "not_shown") answers.delete("order_not_shown");
    if (event.type !== "decided") continue;
    const { question, answer, amountMinor, by, at } = event;
    if (answer === "reopened") answers.delete(question);
    else answers.set(question, { question, answer, amountMinor, by, at });
  }
  return answers;
}

function lastByContract(events: readonly (KeptEvent & EventOf<"contract">)[]): Map<string, Contract> {
  return new Map(events.map((event) => [event.contractId, event]));
}

function readCancellation(events: readonly KeptEvent[]): Order["cancellation"] {
  let cancellation: Order["cancellation"] = null;
  for (const event of events) {
    if (event.type === "cancellation_requested")
      cancellation = {
        attempt: event.attempt,
        outcome: null,
        message: null,
        answeredAt: null,
        lookedUpAt: null,
        hasFailed: false,
      };
    if (event.type === "cancellation_answered" && cancellation?.attempt === event.attempt)
      cancellation = {
        ...cancellation,
        outcome: event.outcome,
        message: event.message,
        answeredAt: event.at,
      };
    if (event.type === "cancellation_looked_up" && cancellation?.attempt === event.attempt)
      cancellation = { ...cancellation, lookedUpAt: event.at, hasFailed: event.isConclusive };
  }
  return cancellation;
}

/** The order's cancellation is on its way, or the insurer accepted it and has not shown yet that it is carried out. */
export const isBeingCancelled = ({ cancellation }: Pick<Order, "cancellation">): boolean =>
  cancellation !== null &&
  (cancellation.outcome === null || (cancellation.outcome === "done" && !cancellation.hasFailed));

/** Where an item stands at the insurer. */
export type Standing =
  /** no contract, and none was requested; or the request certainly made none */
  | "none"
  /** a request is on its way, or the process that sent it is gone */
  | "sending"
  /** a contract may exist: the insurer's list has to be searched */
  | "unknown"
  | "refused"
  /** neither the insurer's answers nor its list say whether a contract is in force */
  | "unclear"
  | "in_force"
  /** it was in force, and the insurer shows it in another state, or not at all */
  | "in_doubt"
  | "ended";

export function standingOf(
  item: Pick<Item, "request" | "contract" | "doubt" | "unclear" | "insuredAt">,
): Standing {
  const { request, contract, doubt, unclear, insuredAt } = item;
  if (doubt !== null) return "unknown";
  if (contract?.status === "active" || contract?.status === "listed") return "in_force";
  if (contract?.status === "cancelled") return "ended";
  if (contract !== null) return insuredAt === null ? "unclear" : "in_doubt";
  if (unclear !== null) return "unclear";
  if (request === null || request.outcome === "not_done") return "none";
  if (request.outcome === null) return "sending";
  return request.outcome === "refused" ? "refused" : "unknown";
}

/** Whether the insurer's list is still to say what became of it. */
export const isUnresolved = (item: Item): boolean => ["sending", "unknown"].includes(standingOf(item));

/** Whether a contract is, or may be, in force. */
export const mayHaveContract = (item: Item): boolean =>
  !["none", "refused", "ended"].includes(standingOf(item)) &&
  (item.contract !== null || item.unclear === null);

/** Why an item is not, or no longer, to be insured; null: it is to be. */
export type EndReason = "order_cancelled" | "left" | "replaced" | "lost_product" | "withdrew" | "decided";

export const endReasonOf = (order: Pick<Order, "cancelledAt" | "items">, item: Item): EndReason | null =>
  ownEndReasonOf(order, item) ?? (order.cancelledAt === null ? null : "order_cancelled");

/** The same, whether or not the order is cancelled. */
export function ownEndReasonOf(order: Pick<Order, "items">, item: Item): EndReason | null {
  if (item.left === null && replacementOf(order, item) !== undefined) return "replaced";
  return reasonOfItem(item);
}

/** The same, as far as the item's own events tell it. */
function reasonOfItem({ left, isEnded, hasLostProduct, withdrawal }: Item): EndReason | null {
  if (left !== null) return "left";
  if (isEnded) return "decided";
  if (hasLostProduct) return "lost_product";
  // A claim ends the right to withdraw: until a person has looked, the contract goes on.
  return withdrawal !== null && !withdrawal.isUnchecked ? "withdrew" : null;
}

/** Since when it is known that an item is not to be insured any more; null: it is to be. */
export function endKnownAt(order: Pick<Order, "cancellationKnownAt" | "items">, item: Item): Date | null {
  const times = [item.endedAt, replacementOf(order, item)?.soldAt ?? null, order.cancellationKnownAt].flatMap(
    (at) => at ?? [],
  );
  return times.length === 0 ? null : new Date(Math.min(...times.map((at) => at.getTime())));
}

/** The item that its cover and premium moved to. */
export const replacementOf = (order: Pick<Order, "items">, item: ItemKey): Item | undefined =>
  order.items.find(({ lineId, sold }) => lineId === item.lineId && sold.replaces === item.number);

/** Its contract goes on until that of its replacement is in force. */
export function waitsForReplacement(order: Pick<Order, "cancelledAt" | "items">, item: Item): boolean {
  const replacement = replacementOf(order, item);
  if (replacement === undefined || order.cancelledAt !== null) return false;
  return endReasonOf(order, replacement) === null && !["in_force", "ended"].includes(standingOf(replacement));
}

/** Whether a person has to say first that a contract is to be requested, because of the sale or of a refusal. */
export function needsAnswer(item: Item): boolean {
  const standing = standingOf(item);
  if (standing === "refused") return true;
  return standing === "none" && item.sold.finding !== null && item.issuedAt === null;
}
