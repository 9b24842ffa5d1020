/**
 * What to do next at the insurer for an order, and when to look again. Each step is: append the intent, act, append the
 * outcome; so after a crash at any point the book says what may have happened.
 */
import { endReasonOf, type Item, mayHaveContract, type Order, standingOf } from "./evolve.ts";
import { isUnderWay } from "./money.ts";
import { needsCancellationByHand } from "./questions.ts";

export type ContractStep =
  /** Search the insurer's list for contracts that requests may have made. */
  | { do: "look_up"; items: Item[] }
  | { do: "request"; item: Item; attempt: number }
  | { do: "record" }
  /** Cancel the order at the insurer, with all its contracts. */
  | { do: "cancel"; attempt: number }
  | { do: "wait"; until: Date }
  | { do: "nothing" };

/** Seconds after an unclear request at which the insurer's list is searched; the last one is conclusive. */
export const LOOK_UP_AFTER_S = [2, 10, 60, 600] as const;
const CONCLUSIVE_AFTER_S = Math.max(...LOOK_UP_AFTER_S);

/** Whether "not in the list" at this time means that the request made no contract. */
export const isConclusive = (sentAt: Date, now: Date): boolean =>
  now.getTime() - sentAt.getTime() >= CONCLUSIVE_AFTER_S * 1_000;

export function nextContractStep(order: Order, now: Date): ContractStep {
  const unclear = order.items.filter((item) => ["sending", "unknown"].includes(standingOf(item)));
  if (unclear.length > 0) {
    // Nothing else is sent meanwhile: two equal items could not be told apart afterwards.
    const times = unclear.map((item) => lookUpAt(item).getTime());
    const due = unclear.filter((_, index) => (times[index] ?? 0) <= now.getTime());
    return due.length > 0
      ? { do: "look_up", items: due }
      : { do: "wait", until: new Date(Math.min(...times)) };
  }
  const isToIssue = order.paidAt !== null && order.deletedAt === null;
  const waiting = isToIssue
    ? order.items.find((item) => endReasonOf(order, item) === null && isUnderWay(order, item))
    : undefined;
  if (waiting) return { do: "request", item: waiting, attempt: (waiting.request?.attempt ?? 0) + 1 };
  if (isToIssue && order.cancelledAt === null && order.salesRecord === null) return { do: "record" };
  const ending = order.items.filter(
    (item) =>
      endReasonOf(order, item) !== null && mayHaveContract(item) && !needsCancellationByHand(order, item),
  );
  const isRecordToCancel =
    order.cancelledAt !== null && order.salesRecord === "recorded" && order.cancellation === null;
  return ending.length > 0 || isRecordToCancel
    ? { do: "cancel", attempt: (order.cancellation?.attempt ?? 0) + 1 }
    : { do: "nothing" };
}

/** When the list is to be searched next for what the item's last request may have made. */
function lookUpAt({ request }: Item): Date {
  if (request === null) return new Date(0);
  const seconds = (time: Date) => (time.getTime() - request.sentAt.getTime()) / 1_000;
  const lookedUpAfter = request.lookedUpAt === null ? 0 : seconds(request.lookedUpAt);
  const next = LOOK_UP_AFTER_S.find((after) => after > lookedUpAfter) ?? CONCLUSIVE_AFTER_S;
  return new Date(request.sentAt.getTime() + next * 1_000);
}
