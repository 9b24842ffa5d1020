/**
 * What a person has to answer about an order, derived from its book. A question is over when the events no longer yield
 * it; an answer is an event that names the amount, so the question comes back when more is at stake.
 */
import type { Returned } from "./conclude.ts";
import type { ItemKey } from "./events.ts";
import { answerOf, endReasonOf, type Item, type Order, standingOf } from "./evolve.ts";
import { needsAnswer, type OrderMoney } from "./money.ts";

export const questionKinds = [
  /** the sale does not fit the catalogue: issue it all the same, or end it */
  "check",
  /** the insurer needs more of the customer's details */
  "details",
  /** the insurer refused the contract */
  "refused",
  /** the insurer does not say whether a contract is in force */
  "unclear",
  /** a contract in force was cancelled at the insurer, and not by Parasol */
  "cancelled_elsewhere",
  /** products left the order, and their insurance goes on */
  "returned",
  /** a customer withdrew and may have made a claim */
  "claim",
  /** one contract of several is to end: the insurer cancels whole orders only, so a person cancels it there */
  "cancel_by_hand",
  /** insurance ended, or was never issued, and its premium is not refunded */
  "premium",
  /** money was paid back without items, and insurance goes on */
  "paid_back",
  /** the insurer has a contract that no item has */
  "stray_contract",
  /** a line claims to be a plan and is none of the catalogue's */
  "unknown_plan",
  "sales_record",
  /** Shopify no longer has the order, and its insurance goes on */
  "deleted",
] as const;
export type QuestionKind = (typeof questionKinds)[number];

export interface Question {
  kind: QuestionKind;
  /** empty: it is about the order */
  items: ItemKey[];
  /** a line's id or a contract's number, where it is about one */
  subject: string | null;
  /** the premiums that it is about, minor units */
  amountMinor: number;
}

export function questionsOf(order: Order, money: OrderMoney, returned: readonly Returned[]): Question[] {
  return [
    ...order.items.flatMap((item) => questionOfItem(order, item, money) ?? []),
    ...returned
      .filter(() => order.cancelledAt === null)
      .map(({ pairId, surplus, items }) => ({
        kind: "returned" as const,
        items: items.map(toKey),
        subject: pairId,
        amountMinor: items
          .map((item) => item.sold.premiumMinor)
          .toSorted((a, b) => b - a)
          .slice(0, surplus)
          .reduce((sum, premiumMinor) => sum + premiumMinor, 0),
      })),
    ...questionsOfOrder(order, money),
  ];
}

const toKey = ({ lineId, number }: ItemKey): ItemKey => ({ lineId, number });

/** The one question about an item: what has to be answered before anything else can be. */
function questionOfItem(order: Order, item: Item, { premiums }: OrderMoney): Question | null {
  const kind = kindOf(order, item, premiums.get(item)?.openMinor ?? 0);
  if (kind === null) return null;
  return { kind, items: [toKey(item)], subject: null, amountMinor: premiums.get(item)?.openMinor ?? 0 };
}

function kindOf(order: Order, item: Item, openMinor: number): QuestionKind | null {
  const standing = standingOf(item);
  const endReason = endReasonOf(order, item);
  if (endReason !== null) {
    if (needsCancellationByHand(order, item)) return "cancel_by_hand";
    return openMinor > 0 ? "premium" : null;
  }
  if (item.withdrawal?.mayHaveClaim === true && !isAnsweredSince(item, "claim", item.withdrawal.at))
    return "claim";
  if (standing === "unclear") return "unclear";
  if (standing === "ended") return openMinor > 0 ? "cancelled_elsewhere" : null;
  if (standing === "refused" && needsAnswer(item)) return "refused";
  if (standing === "none" && needsAnswer(item)) return "check";
  if (standing === "none" && order.missingDetails.length > 0) return "details";
  return openMinor > 0 ? "premium" : null;
}

const isAnsweredSince = (item: Item, question: QuestionKind, since: Date): boolean => {
  const answer = answerOf(item, question);
  return answer !== null && answer.at >= since;
};

/** Whether an ended item's contract is in force, and a request that cancels the whole order cannot end it. */
export function needsCancellationByHand(order: Order, item: Item): boolean {
  const standing = standingOf(item);
  if (standing !== "in_force" && standing !== "unclear") return false;
  if (order.cancellation?.outcome === "refused") return true;
  return order.items.some((other) => endReasonOf(order, other) === null && standingOf(other) !== "ended");
}

function questionsOfOrder(order: Order, { premiums, paidBackMinor }: OrderMoney): Question[] {
  const coveredMinor = [...premiums.values()].reduce((sum, premium) => sum + premium.coveredMinor, 0);
  const about = (kind: QuestionKind, amountMinor: number, subject: string | null = null): Question => ({
    kind,
    items: [],
    subject,
    amountMinor,
  });
  const answeredMinor = order.decisions.find(({ question }) => question === "paid_back")?.amountMinor ?? 0;
  const seen = (question: string) => order.decisions.some((each) => each.question === question);
  return [
    ...(coveredMinor > 0 && paidBackMinor > answeredMinor
      ? [about("paid_back", Math.min(paidBackMinor - answeredMinor, coveredMinor))]
      : []),
    ...order.strayContracts
      .filter(({ status, contractId }) => status !== "cancelled" && !seen(`stray_contract ${contractId}`))
      .map(({ contractId }) => about("stray_contract", 0, contractId)),
    ...order.lines
      .filter(
        ({ kind, current, lineId }) =>
          kind === "unknown_plan" && current > 0 && !seen(`unknown_plan ${lineId}`),
      )
      .map(({ lineId, current, paidMinor }) => about("unknown_plan", current * paidMinor, lineId)),
    ...(order.salesRecord === "refused" && !seen("sales_record") ? [about("sales_record", 0)] : []),
    ...(order.deletedAt !== null && order.cancelledAt === null && coveredMinor > 0 && !seen("deleted")
      ? [about("deleted", coveredMinor)]
      : []),
  ];
}
