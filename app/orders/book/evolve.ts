/**
 * Reads a book: from the events of an order, the order as it is. Facts of Shopify may arrive in any order: of two
 * reports the later one counts, paid and cancelled stay, refunds add up by their id. What Parasol and the insurer do is
 * appended as it happens.
 */
import type { EventOf, ItemKey, KeptEvent } from "./events.ts";

export interface Line extends Omit<EventOf<"line">, "type"> {
  ordered: number;
  current: number;
  fulfilled: number;
  /** items that refunds took, as far as they are known */
  refunded: number;
}

export interface Contract {
  contractId: string;
  status: EventOf<"contract">["status"];
  activatesOn: string | null;
  expiresOn: string | null;
}

/** The last request for an item's contract. */
export interface Request {
  attempt: number;
  sentAt: Date;
  outcome: EventOf<"answered">["outcome"] | null;
  /** the insurer's words where it refused */
  message: string | null;
  /** the last look-up that found nothing */
  lookedUpAt: Date | null;
  /** a look-up found nothing, late enough: the request made no contract */
  isVoid: boolean;
}

export type Decided = Pick<EventOf<"decided">, "question" | "answer" | "amountMinor" | "by"> & { at: Date };

export interface Item extends ItemKey {
  sold: Omit<EventOf<"sold">, "type" | "item">;
  soldAt: Date;
  insuredLineId: string | null;
  left: EventOf<"left">["by"] | null;
  hasLostProduct: boolean;
  request: Request | null;
  contract: Contract | null;
  withdrawal: { at: Date; mayHaveClaim: boolean } | null;
  /** a person answered for it; the last answer to each question */
  decisions: readonly Decided[];
  refundRequestedAt: Date | null;
  fulfilledAt: Date | null;
  mailedAt: Date | null;
}

export interface Refund extends Omit<EventOf<"refund">, "type"> {
  knownAt: Date;
}

export interface Order {
  placed: Omit<EventOf<"placed">, "type"> | null;
  paidAt: Date | null;
  isBalanceDue: boolean;
  cancelledAt: Date | null;
  deletedAt: Date | null;
  lines: readonly Line[];
  items: readonly Item[];
  refunds: readonly Refund[];
  /** contracts at the insurer that no item has */
  strayContracts: readonly Contract[];
  cancellation: { attempt: number; outcome: EventOf<"cancellation_answered">["outcome"] | null } | null;
  salesRecord: EventOf<"sales_record">["outcome"] | null;
  missingDetails: readonly string[];
  /** answers that are about the order as a whole */
  decisions: readonly Decided[];
}

/** The order as the events tell it. @param events in the order in which they were appended */
export function readBook(events: readonly KeptEvent[]): Order {
  const byType = Map.groupBy(events, ({ type }) => type);
  const of = <Type extends KeptEvent["type"]>(type: Type) =>
    (byType.get(type) ?? []).filter((event): event is KeptEvent & EventOf<Type> => event.type === type);
  const refunds = readRefunds(of("refund"));
  const byItem = eventsByItem(events);
  const items = of("sold").map((sold) => readItem(sold, byItem.get(keyOf(sold.item)) ?? []));
  const [placed] = of("placed");
  const contractsOfItems = new Set(items.flatMap(({ contract }) => contract?.contractId ?? []));
  const balance = latest(of("balance"));
  const paid = earliest(of("paid"));
  return {
    placed: placed ?? null,
    paidAt: paid?.asOf ?? null,
    isBalanceDue: balance?.isDue ?? false,
    cancelledAt: earliest(of("cancelled"))?.asOf ?? null,
    deletedAt: earliest(of("deleted"))?.asOf ?? null,
    lines: readLines(of("line"), of("quantity"), refunds),
    items,
    refunds,
    strayContracts: [...lastByContract(of("contract")).values()].filter(
      ({ contractId }) => !contractsOfItems.has(contractId),
    ),
    cancellation: readCancellation(events),
    salesRecord: of("sales_record").at(-1)?.outcome ?? null,
    missingDetails: of("details_missing").at(-1)?.fields ?? [],
    decisions: readDecisions(of("decided").filter((decided) => decided.items.length === 0)),
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
    const [first] = ofRefund.toSorted((a, b) => a.asOf.getTime() - b.asOf.getTime());
    const last = news.at(-1);
    return last && first ? [{ ...last, knownAt: first.at }] : [];
  });
}
const rankOf = { pending: 0, failed: 1, settled: 2 } as const;

function readLines(
  lines: readonly EventOf<"line">[],
  quantities: readonly EventOf<"quantity">[],
  refunds: readonly Refund[],
): Line[] {
  const refundedOf = (lineId: string) =>
    refunds
      .flatMap((refund) => refund.lines)
      .filter((line) => line.lineId === lineId)
      .reduce((sum, { quantity }) => sum + quantity, 0);
  return lines.map((line) => {
    const reports = quantities.filter(({ lineId }) => lineId === line.lineId);
    // Two reports of one second: the one that holds more refunds is the later one, then the one with fewer items.
    const report = reports
      .toSorted(
        (a, b) =>
          a.asOf.getTime() - b.asOf.getTime() ||
          a.refunded - b.refunded ||
          b.current - a.current ||
          a.ordered - b.ordered,
      )
      .at(-1);
    const refunded = Math.max(refundedOf(line.lineId), report?.refunded ?? 0);
    const current = Math.max(0, (report?.current ?? 0) - (refunded - (report?.refunded ?? 0)));
    return {
      ...line,
      ordered: report?.ordered ?? 0,
      current,
      // What was sent stays sent.
      fulfilled: Math.min(current, Math.max(0, ...reports.map(({ fulfilled }) => fulfilled))),
      refunded,
    };
  });
}

const keyOf = ({ lineId, number }: ItemKey) => `${lineId} ${number}`;

function eventsByItem(events: readonly KeptEvent[]): Map<string, KeptEvent[]> {
  const byItem = new Map<string, KeptEvent[]>();
  for (const event of events) {
    const items = "items" in event ? event.items : "item" in event && event.item !== null ? [event.item] : [];
    for (const item of items) {
      const key = keyOf(item);
      const ofItem = byItem.get(key);
      if (ofItem) ofItem.push(event);
      else byItem.set(key, [event]);
    }
  }
  return byItem;
}

/** @param events those about the item */
function readItem({ item, ...sold }: KeptEvent & EventOf<"sold">, events: readonly KeptEvent[]): Item {
  let state: Item = {
    ...item,
    sold,
    soldAt: sold.at,
    insuredLineId: sold.insured?.lineId ?? null,
    left: null,
    hasLostProduct: false,
    request: null,
    contract: null,
    withdrawal: null,
    decisions: [],
    refundRequestedAt: null,
    fulfilledAt: null,
    mailedAt: null,
  };
  for (const event of events)
    state = "items" in event ? applyToItems(state, event) : applyToItem(state, event);
  return state;
}

function applyToItems(state: Item, event: KeptEvent & { items: ItemKey[] }): Item {
  switch (event.type) {
    case "withdrew":
      return { ...state, withdrawal: { at: event.at, mayHaveClaim: event.mayHaveClaim } };
    case "decided":
      return { ...state, decisions: withDecision(state.decisions, event) };
    case "refund_requested":
      return { ...state, refundRequestedAt: state.refundRequestedAt ?? event.at };
    case "fulfilled":
      return { ...state, fulfilledAt: state.fulfilledAt ?? event.at };
    case "mailed":
      return { ...state, mailedAt: state.mailedAt ?? event.at };
    default:
      return state;
  }
}

function applyToItem(state: Item, event: KeptEvent): Item {
  switch (event.type) {
    case "requested":
      return {
        ...state,
        request: {
          attempt: event.attempt,
          sentAt: event.at,
          outcome: null,
          message: null,
          lookedUpAt: null,
          isVoid: false,
        },
      };
    case "answered":
      // A late answer to an earlier attempt says nothing of the last one.
      if (state.request?.attempt !== event.attempt) return state;
      return {
        ...state,
        request: { ...state.request, outcome: event.outcome, message: event.message },
      };
    case "looked_up":
      if (state.request === null || event.contractId !== null) return state;
      return { ...state, request: { ...state.request, lookedUpAt: event.at, isVoid: event.isConclusive } };
    case "contract":
      return {
        ...state,
        contract: {
          contractId: event.contractId,
          status: event.status,
          activatesOn: event.activatesOn ?? state.contract?.activatesOn ?? null,
          expiresOn: event.expiresOn ?? state.contract?.expiresOn ?? null,
        },
      };
    case "left":
      return { ...state, left: state.left ?? event.by };
    case "lost_product":
      return { ...state, hasLostProduct: true };
    case "moved":
      return { ...state, insuredLineId: event.insuredLineId };
    default:
      return state;
  }
}

const withDecision = (decisions: readonly Decided[], { at, question, answer, amountMinor, by }: Decided) => [
  ...decisions.filter((each) => each.question !== question),
  { at, question, answer, amountMinor, by },
];

const readDecisions = (events: readonly (KeptEvent & EventOf<"decided">)[]): readonly Decided[] =>
  events.reduce<readonly Decided[]>(withDecision, []);

function lastByContract(events: readonly EventOf<"contract">[]): Map<string, Contract> {
  return new Map(
    events.map(({ contractId, status, activatesOn, expiresOn }) => [
      contractId,
      { contractId, status, activatesOn, expiresOn },
    ]),
  );
}

function readCancellation(events: readonly KeptEvent[]): Order["cancellation"] {
  let cancellation: Order["cancellation"] = null;
  for (const event of events) {
    if (event.type === "cancellation_requested") cancellation = { attempt: event.attempt, outcome: null };
    if (event.type === "cancellation_answered" && cancellation?.attempt === event.attempt)
      cancellation = { ...cancellation, outcome: event.outcome };
  }
  return cancellation;
}

/** Where an item stands at the insurer. */
export type Standing =
  /** no contract, and none was requested; or the request certainly made none */
  | "none"
  /** a request is on its way, or the process that sent it is gone */
  | "sending"
  /** a request may have made a contract */
  | "unknown"
  | "refused"
  /** the insurer shows a contract that is not in force yet, or in a status that says neither */
  | "unclear"
  | "in_force"
  | "ended";

export function standingOf({ request, contract }: Pick<Item, "request" | "contract">): Standing {
  if (contract?.status === "active") return "in_force";
  if (contract?.status === "cancelled") return "ended";
  if (contract !== null) return "unclear";
  if (request === null || request.isVoid || request.outcome === "not_done") return "none";
  if (request.outcome === null) return "sending";
  return request.outcome === "refused" ? "refused" : "unknown";
}

/** Whether a contract is, or may be, in force. */
export const mayHaveContract = (item: Pick<Item, "request" | "contract">): boolean =>
  !["none", "refused", "ended"].includes(standingOf(item));

export const answerOf = ({ decisions }: Pick<Item, "decisions">, question: string): Decided | null =>
  decisions.find((each) => each.question === question) ?? null;

/** Why an item is not, or no longer, to be insured; null: it is to be. */
export type EndReason = "order_cancelled" | "left" | "lost_product" | "withdrew" | "replaced" | "decided";

export const endReasonOf = (order: Pick<Order, "cancelledAt" | "items">, item: Item): EndReason | null =>
  ownEndReasonOf(order, item) ?? (order.cancelledAt === null ? null : "order_cancelled");

/** The same, whether or not the order is cancelled. */
export function ownEndReasonOf(order: Pick<Order, "items">, item: Item): EndReason | null {
  if (item.left !== null) return "left";
  const ended = item.decisions.filter(({ answer }) => answer === "end" || answer === "end_insurance").at(-1);
  const kept = item.decisions.filter(({ answer }) => answer === "keep_insurance").at(-1);
  if (ended && !(kept && kept.at > ended.at)) return "decided";
  if (item.hasLostProduct) return "lost_product";
  // A claim ends the right to withdraw: until a person has looked, the contract goes on.
  const isWithdrawn = item.withdrawal !== null && !item.withdrawal.mayHaveClaim;
  if (isWithdrawn && !(kept && item.withdrawal && kept.at > item.withdrawal.at)) return "withdrew";
  const replacement = order.items.find(
    ({ lineId, sold }) => lineId === item.lineId && sold.replaces === item.number,
  );
  return replacement !== undefined && standingOf(replacement) === "in_force" ? "replaced" : null;
}
