/** Why an order's plans have a contract, or none: what is known, what is waited for and until when, what a person has to do. */
import { nameOf } from "./events.ts";
import { type EndReason, endReasonOf, type Item, mayHaveContract, type Order, standingOf } from "./evolve.ts";
import { isUnderWay } from "./money.ts";
import { conclusiveAt } from "./next-contract-step.ts";
import { type OrderTaskKind, tasksOf } from "./tasks.ts";

export type Why =
  | "no_plan"
  | "not_paid"
  | "deleted"
  | "in_force"
  | "sending"
  | "searching"
  | "not_connected"
  | "paused"
  | "next"
  | "person"
  /** it ends, and its contract is still to be cancelled */
  | "ending"
  | `ended_${EndReason}`
  | "ended_elsewhere";

export interface Explanation {
  why: Why;
  /** the plan and its product; null: it is about the order */
  plan: string | null;
  product: string | null;
  contractId: string | null;
  /** by then the insurer's list has decided */
  until: Date | null;
  /** what a person has to answer */
  task: OrderTaskKind | null;
}

export interface ExplainedSituation {
  now: Date;
  conclusiveAfterS: number;
  /** the merchant's account at the insurer of this order */
  isConnected: boolean;
  /** it cannot be used now: its orders wait */
  isPaused: boolean;
}

export function explainOrder(order: Order, situation: ExplainedSituation): Explanation[] {
  if (order.items.length === 0) return [about(null, "no_plan")];
  const tasks = new Map(
    tasksOf(order, situation.now).flatMap(({ kind, items }) => items.map((item) => [nameOf(item), kind])),
  );
  return order.items.map((item) => {
    const task = tasks.get(nameOf(item)) ?? null;
    const why = whyOf(order, item, situation, task);
    const until = why === "searching" ? conclusiveAt(item, situation.conclusiveAfterS) : null;
    return { ...about(item, why), until, task };
  });
}

const about = (item: Item | null, why: Why): Explanation => ({
  why,
  plan: item?.sold.planTitle ?? null,
  product: item?.insured?.title ?? null,
  contractId: item?.contract?.contractId ?? null,
  until: null,
  task: null,
});

function whyOf(
  order: Order,
  item: Item,
  { isConnected, isPaused }: ExplainedSituation,
  task: OrderTaskKind | null,
): Why {
  const standing = standingOf(item);
  const endReason = endReasonOf(order, item);
  if (endReason !== null) return mayHaveContract(item) ? "ending" : `ended_${endReason}`;
  if (standing === "in_force") return "in_force";
  if (standing === "sending") return "sending";
  if (standing === "unknown") return "searching";
  if (standing === "ended") return "ended_elsewhere";
  if (order.deletedAt !== null) return "deleted";
  if (order.paid === null) return "not_paid";
  if (task !== null || !isUnderWay(order, item)) return "person";
  if (!isConnected) return "not_connected";
  return isPaused ? "paused" : "next";
}
