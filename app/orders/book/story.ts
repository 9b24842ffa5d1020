/** The book of an order as a story: each event that a person may want to know of, with the key of its words. */
import type { BookEvent, EventOf, ItemKey, KeptEvent } from "./events.ts";
import { itemsOf } from "./evolve.ts";

export const causes = [
  "placed",
  "paid",
  "balance_due",
  "balance_paid",
  "paid_back",
  "order_cancelled",
  "order_deleted",
  "order_not_shown",
  "order_edited",
  "quantity_changed",
  "lines_unreadable",
  "items_left_out",
  "refund_pending",
  "refund_settled",
  "refund_failed",
  "paid_for",
  "check_needed",
  "cover_moved",
  "product_named",
  "read_in_shop",
  "restored",
  "possible_match",
  "recheck",
  "send",
  "created",
  "refused",
  "deferred",
  "response_lost",
  "doubted",
  "not_found",
  "not_listed_yet",
  "contract_active",
  "contract_cancelled",
  "contract_listed",
  "contract_other",
  "contract_missing",
  "stray_contract",
  "cancel",
  "cancelled",
  "cancel_refused",
  "cancel_not_seen",
  "cancel_not_done",
  "cancel_deferred",
  "handed_over",
  "record_sent",
  "record_refused",
  "record_due",
  "customer_withdrew",
  "issued_anyway",
  "retry",
  "ended",
  "kept",
  "move_agreed",
  "premium_refunded",
  "premium_kept",
  "answered_done",
  "answered_dismissed",
  "reopened",
  "details_missing",
  "details_complete",
  "customer_erased",
  "refund_requested",
  "refund_refused",
  "fulfilled",
  "mailed",
  "left_by_refund",
  "left_by_edit",
  "lost_product",
  "moved",
  "quote_made",
  "quote_no_offer",
  "quote_refused",
  "quote_unclear",
  "quote_opened",
  "quote_revoked",
  "quote_sold",
  "quote_contract_ended",
] as const;
export type Cause = (typeof causes)[number];

export interface Told {
  cause: Cause;
  /** the insurer's words, a contract's number, a product's title, or a reason of item-states.ts */
  note?: string | null;
  amount?: { minor: number; currency: string };
  attempt?: number;
}

export interface StoryEntry extends Required<Omit<Told, "note" | "amount" | "attempt">> {
  /** the event's */
  key: string;
  at: Date;
  note: string | null;
  amount: { minor: number; currency: string } | null;
  /** which request of the contract it was, from 1 */
  attempt: number | null;
  items: ItemKey[];
}

/** The order's story, as it became known. */
export function readStory(events: readonly KeptEvent[]): StoryEntry[] {
  const premiums = events.find((event) => event.type === "sold");
  const titles = new Map(
    events.flatMap((event) => (event.type === "line" ? [[event.lineId, event.title]] : [])),
  );
  const quantities = new Map<string, number>();
  return events.flatMap((event): StoryEntry[] => {
    const told =
      event.type === "quantity"
        ? tellQuantity(event, quantities, titles)
        : tell(event, premiums?.currency ?? "");
    if (told === null) return [];
    const { cause, note = null, amount = null, attempt = null } = told;
    return [{ key: event.key, at: event.at, cause, note, amount, attempt, items: [...itemsOf(event)] }];
  });
}

/** A line's first quantity is its sale. */
function tellQuantity(
  { lineId, current }: EventOf<"quantity">,
  known: Map<string, number>,
  titles: ReadonlyMap<string, string>,
): Told | null {
  const before = known.get(lineId);
  known.set(lineId, current);
  if (before === undefined || before === current) return null;
  return { cause: "quantity_changed", note: `${titles.get(lineId) ?? lineId} · ${before} → ${current}` };
}

const doubts = {
  read_in_shop: "read_in_shop",
  restored: "restored",
  stray_contract: "possible_match",
  retried: "recheck",
} as const satisfies Record<EventOf<"doubted">["why"], Cause>;

const outcomes = {
  created: "created",
  refused: "refused",
  not_done: "deferred",
  unclear: "response_lost",
  doubtful: "doubted",
} as const satisfies Record<EventOf<"answered">["outcome"], Cause>;

const contracts = {
  active: "contract_active",
  cancelled: "contract_cancelled",
  listed: "contract_listed",
  other: "contract_other",
  missing: "contract_missing",
} as const satisfies Record<EventOf<"contract">["status"], Cause>;

const cancellations = {
  done: "cancelled",
  refused: "cancel_refused",
  not_done: "cancel_deferred",
} as const satisfies Record<EventOf<"cancellation_answered">["outcome"], Cause>;

const records = {
  recorded: "record_sent",
  refused: "record_refused",
  due: "record_due",
} as const satisfies Record<EventOf<"sales_record">["outcome"], Cause>;

const answers = {
  issue: "retry",
  end: "ended",
  keep_insurance: "kept",
  move_insurance: "move_agreed",
  premium_refunded: "premium_refunded",
  premium_kept: "premium_kept",
  done: "answered_done",
  dismissed: "answered_dismissed",
  reopened: "reopened",
} as const satisfies Record<EventOf<"decided">["answer"], Cause>;

/** Insurance that did not fit was never requested before, so this is no second attempt. */
const isIssuedAnyway = ({ answer, question }: EventOf<"decided">) =>
  answer === "issue" && question.startsWith("check_plan:");

/** @param currency of the order's premiums @returns null: nothing that a person has to know */
export function tell(event: BookEvent, currency: string): Told | null {
  switch (event.type) {
    case "placed":
    case "paid":
    case "paid_back":
    case "fulfilled":
    case "mailed":
    case "lost_product":
    case "moved":
    case "refund_refused":
      return { cause: event.type };
    case "balance":
      return { cause: event.isDue ? "balance_due" : "balance_paid" };
    case "cancelled":
      return { cause: "order_cancelled" };
    case "deleted":
      return { cause: "order_deleted" };
    case "not_shown":
      return { cause: "order_not_shown" };
    case "edited":
      return { cause: "order_edited" };
    case "unreadable":
      return event.lines.length === 0
        ? null
        : {
            cause: "lines_unreadable",
            note: event.lines.map(({ title, problem }) => title ?? problem).join(", "),
          };
    case "left_out":
      return { cause: "items_left_out", note: String(event.count) };
    case "refund":
      return {
        cause: `refund_${event.status}`,
        amount: { minor: event.moneyMinor, currency: event.currency },
      };
    case "sold":
      if (event.replaces !== null) return { cause: "cover_moved", note: event.insured?.title ?? null };
      return {
        cause: event.finding === null ? "paid_for" : "check_needed",
        note: event.finding,
        amount: { minor: event.premiumMinor, currency: event.currency },
      };
    case "checked":
      return { cause: "check_needed", note: event.finding };
    case "insured":
      return { cause: "product_named", note: event.insured.title };
    case "doubted":
      return { cause: doubts[event.why] };
    case "requested":
      return { cause: "send", attempt: event.attempt };
    case "answered":
      return {
        cause: outcomes[event.outcome],
        note: event.outcome === "created" ? event.contractId : event.message,
        attempt: event.attempt,
      };
    case "looked_up":
      return {
        cause: event.isConclusive ? "not_found" : "not_listed_yet",
        ...(event.problem === null ? {} : { note: event.problem }),
      };
    case "contract":
      return tellContract(event);
    case "cancellation_requested":
      return { cause: "cancel" };
    case "cancellation_answered":
      return { cause: cancellations[event.outcome], note: event.message };
    case "cancellation_looked_up":
      return { cause: event.isConclusive ? "cancel_not_done" : "cancel_not_seen" };
    case "handed_over":
      return { cause: "handed_over", note: event.message };
    case "sales_record":
      return { cause: records[event.outcome], note: event.message };
    case "withdrew":
      return { cause: "customer_withdrew" };
    case "decided":
      return {
        cause: isIssuedAnyway(event) ? "issued_anyway" : answers[event.answer],
        ...(event.answer === "premium_refunded" || event.answer === "premium_kept"
          ? { amount: { minor: event.amountMinor, currency } }
          : {}),
      };
    case "details_missing":
      return event.missing.length === 0 && event.refused === null
        ? { cause: "details_complete" }
        : { cause: "details_missing", note: event.refused?.insurerMessage ?? null };
    case "erased":
      return { cause: "customer_erased" };
    case "refund_requested":
      return { cause: "refund_requested", amount: { minor: event.amountMinor, currency } };
    case "left":
      return { cause: `left_by_${event.by}` };
    case "quote_answered":
      return event.outcome === "not_done" ? null : { cause: `quote_${event.outcome}`, note: event.quoteId };
    case "quotes_lost":
      return { cause: "quote_unclear" };
    case "quotes_revoked":
      return { cause: "quote_revoked" };
    case "quote_opened":
      return { cause: "quote_opened" };
    case "quote_contract":
      return {
        cause: event.status === "cancelled" ? "quote_contract_ended" : "quote_sold",
        note: event.contractId,
      };
    default:
      return null;
  }
}

function tellContract({ contractId, item, status, statusText }: EventOf<"contract">): Told {
  if (item === null) return { cause: "stray_contract", note: contractId };
  return {
    cause: contracts[status],
    note: status === "other" || status === "listed" ? `${contractId} (${statusText})` : contractId,
  };
}
