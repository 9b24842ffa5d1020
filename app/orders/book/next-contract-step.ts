/**
 * What to do next at the insurer for an order, and when to look again. Each step is: append the intent, act, append the
 * outcome; so after a crash at any point the book says what may have happened.
 */
import {
  endReasonOf,
  type Item,
  mayHaveContract,
  type Order,
  standingOf,
  waitsForReplacement,
  isBeingCancelled,
  isUnresolved,
} from "./evolve.ts";
import { isUnderWay } from "./money.ts";

export type ContractStep =
  /** The insurer's list decides before anything is requested: nothing is known of these after a restored backup, or an
   * ending item's answer is unclear. */
  | { do: "doubt"; items: Item[]; why: "restored" | "retried" }
  /** Search the insurer's list for contracts that requests may have made. */
  | { do: "look_up"; items: Item[] }
  | { do: "request"; item: Item; attempt: number }
  | { do: "record" }
  /** Cancel the order at the insurer, with all its contracts. */
  | { do: "cancel"; attempt: number; items: Item[] }
  /** Look whether the contracts are cancelled, which the insurer's answer did not say. */
  | { do: "look_up_cancelled"; items: Item[] }
  /** The insurer cancels whole orders only: where this contract is still in force, a person cancels it there. */
  | { do: "hand_over"; item: Item }
  | { do: "wait"; until: Date }
  | { do: "nothing" };

export interface ContractSituation {
  now: Date;
  /** when the database was restored to a moment after which the order may have been worked on; null: never */
  restoredAt: Date | null;
  /** seconds after an unclear request from which "not in the list" means that it made no contract */
  conclusiveAfterS: number;
  /** the sales record is left to a later run: it is for statistics, and nothing waits for it */
  leavesRecord?: boolean;
}

/** Seconds after an unclear answer at which the insurer's list is searched, up to the conclusive time. */
const LOOK_UP_AFTER_S = [0, 2, 10, 60] as const;

/** From when on "not in the list" means that the item's last request made no contract. */
export function conclusiveAt(item: Item, conclusiveAfterS: number): Date {
  const { request, doubt } = item;
  // What was never sent, or answered as doubtful by the insurer itself, is in its list or is not.
  if (request === null) return doubt?.since ?? new Date(0);
  const since = request.answeredAt ?? request.sentAt;
  return new Date(since.getTime() + conclusiveAfterS * 1_000);
}

export function nextContractStep(order: Order, situation: ContractSituation): ContractStep {
  const { now } = situation;
  const unclear = order.items.filter(isUnresolved);
  if (unclear.length > 0) {
    // Nothing else is sent meanwhile: two equal items could not be told apart afterwards.
    const times = unclear.map((item) => lookUpAt(item, situation.conclusiveAfterS).getTime());
    const due = unclear.filter((_, index) => (times[index] ?? 0) <= now.getTime());
    return due.length > 0
      ? { do: "look_up", items: due }
      : { do: "wait", until: new Date(Math.min(...times)) };
  }
  return doubtStep(order, situation) ?? requestStep(order, situation) ?? endStep(order, situation);
}

function doubtStep(order: Order, { now, restoredAt }: ContractSituation): ContractStep | null {
  const ending = order.items.filter(
    (item) => endReasonOf(order, item) !== null && standingOf(item) === "unclear" && item.contract === null,
  );
  if (ending.length > 0) return { do: "doubt", items: ending, why: "retried" };
  if (restoredAt === null || order.paid === null) return null;
  const forgotten = order.items.filter(
    (item) =>
      endReasonOf(order, item) === null &&
      isUnderWay(order, item) &&
      // Where the clock was ahead, no look-up is later than the restore: one is enough until that moment.
      (item.lookedUpAt === null || (item.lookedUpAt < restoredAt && restoredAt <= now)),
  );
  return forgotten.length > 0 ? { do: "doubt", items: forgotten, why: "restored" } : null;
}

function requestStep(order: Order, { leavesRecord = false }: ContractSituation): ContractStep | null {
  if (order.paid === null || order.deletedAt !== null) return null;
  const waiting = order.items.find((item) => endReasonOf(order, item) === null && isUnderWay(order, item));
  if (waiting) return { do: "request", item: waiting, attempt: waiting.attempts + 1 };
  const { salesRecord, placed } = order;
  const isTestOrder = placed?.isTest === true && placed.environment === "production";
  const isToRecord = salesRecord === null ? !isTestOrder : salesRecord.outcome === "due";
  return isToRecord && !leavesRecord && order.cancellation === null ? { do: "record" } : null;
}

function endStep(order: Order, { now, conclusiveAfterS }: ContractSituation): ContractStep {
  const ending = order.items.filter(
    (item) => endReasonOf(order, item) !== null && mayHaveContract(item) && !waitsForReplacement(order, item),
  );
  const notHandedOver = ending.filter(({ handedOver }) => handedOver === null);
  const confirmAt = isBeingCancelled(order) ? lookUpCancelledAt(order, conclusiveAfterS) : null;
  // One that was cancelled and is in force again is another matter: that is sent again at once.
  const uncertain = notHandedOver.filter(({ wasCancelled }) => !wasCancelled);
  if (confirmAt !== null && uncertain.length > 0)
    return confirmAt <= now
      ? { do: "look_up_cancelled", items: uncertain }
      : { do: "wait", until: confirmAt };
  const isRecordToCancel = order.cancelledAt !== null && order.salesRecord?.outcome === "recorded";
  // What was handed over while other insurance went on can be cancelled once that has ended, too.
  const isFirst = order.cancellation === null && (ending.length > 0 || isRecordToCancel);
  if (isWholeToCancel(order) && (notHandedOver.length > 0 || isFirst))
    return { do: "cancel", attempt: (order.cancellation?.attempt ?? 0) + 1, items: notHandedOver };
  const [item] = notHandedOver;
  return item === undefined ? { do: "nothing" } : { do: "hand_over", item };
}

/** Limit of cancellations sent to an insurer that confirms them and then shows a contract in force. */
const MAX_CANCELLATIONS = 3;

/** Whether a request that cancels the whole order ends only what is to end, and can still help. */
function isWholeToCancel(order: Order): boolean {
  if (order.cancellation?.outcome === "refused") return false;
  if (order.cancellation?.outcome === "done" && order.cancellation.attempt >= MAX_CANCELLATIONS) return false;
  return !order.items.some((item) => endReasonOf(order, item) === null && standingOf(item) !== "ended");
}

/** When the list is to be searched next for what the item's last request may have made. */
function lookUpAt(item: Item, conclusiveAfterS: number): Date {
  const { request, doubt, lookedUpAt } = item;
  // A worker that is gone: its request may still be on its way.
  const requestedAt = request?.answeredAt ?? request?.sentAt ?? new Date(0);
  const since = new Date(Math.max(requestedAt.getTime(), doubt?.since.getTime() ?? 0));
  return nextLookAt(since, lookedUpAt, conclusiveAfterS);
}

/** When an accepted cancellation's contracts are read next; null: it was not accepted. */
function lookUpCancelledAt({ cancellation }: Order, conclusiveAfterS: number): Date | null {
  if (cancellation?.outcome !== "done" || cancellation.answeredAt === null) return null;
  return nextLookAt(cancellation.answeredAt, cancellation.lookedUpAt, conclusiveAfterS);
}

/** After the conclusive time only contracts that cannot be read are looked up again, at that interval. */
function nextLookAt(since: Date, lookedUpAt: Date | null, conclusiveAfterS: number): Date {
  const lookedUpAfter = lookedUpAt === null ? -1 : (lookedUpAt.getTime() - since.getTime()) / 1_000;
  const times = [...LOOK_UP_AFTER_S.filter((after) => after < conclusiveAfterS), conclusiveAfterS];
  const next = times.find((after) => after > lookedUpAfter) ?? lookedUpAfter + conclusiveAfterS;
  return new Date(since.getTime() + next * 1_000);
}
