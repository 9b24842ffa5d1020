/** Pure: what the insurer's list of contracts says of requests whose outcome is not known. */
import type { Plan } from "#app/insurance/plans.ts";
import { type BookEvent, type EventOf, itemKeyOf } from "#app/orders/book/events.ts";
import { endReasonOf, isUnresolved, type Item, type Order } from "#app/orders/book/evolve.ts";
import { conclusiveAt } from "#app/orders/book/next-contract-step.ts";

/** How the book calls the status of a contract. */
export const contractStatus = ({
  standing,
}: Pick<Plan, "standing">): "active" | "cancelled" | "listed" | "other" =>
  standing === "not_in_force" ? "other" : standing;

export type ListedPlan = Pick<Plan, "id" | "status" | "standing" | "offerReferenceId">;

export interface LookUp {
  /** the order's contracts at the insurer */
  plans: readonly ListedPlan[];
  /** why the list does not show all contracts; null: it does */
  problem: string | null;
  now: Date;
  conclusiveAfterS: number;
}

/**
 * A contract of this order and offer that no item has yet belongs to the item whose answer was lost. No contract means
 * none once the list is conclusive; until then one that is neither in force nor cancelled may still come into force.
 * A list with rows that cannot be read shows what is in force, and never that there is none.
 */
export function lookUpEvents(order: Order, { plans, problem, now, conclusiveAfterS }: LookUp): BookEvent[] {
  const assigned = new Set(order.items.map(({ contract }) => contract?.contractId));
  const left = plans.filter(({ id }) => !assigned.has(id));
  return order.items.filter(isUnresolved).map((item): BookEvent => {
    const key = itemKeyOf(item);
    const plan = takePlan(left, item.sold.referenceId);
    const isConclusive = now >= conclusiveAt(item, conclusiveAfterS);
    const isWanted = endReasonOf(order, item) === null;
    const status = plan === null ? null : contractStatus(plan);
    const mayChange = status === "other" && !isConclusive && isWanted;
    if (plan !== null && !mayChange && (problem === null || status === "active" || status === "listed"))
      return contractEvent(plan, key);
    return {
      type: "looked_up",
      item: key,
      isConclusive: plan === null && isConclusive && problem === null,
      problem: isLate(item, now, conclusiveAfterS) ? problem : null,
    };
  });
}

/** What only has to be looked up is conclusive at once; a list that cannot be read has its time all the same. */
function isLate(item: Item, now: Date, conclusiveAfterS: number): boolean {
  const since = conclusiveAt(item, conclusiveAfterS).getTime();
  const doubtedAt = item.doubt?.since.getTime() ?? 0;
  return now.getTime() >= Math.max(since, doubtedAt + conclusiveAfterS * 1_000);
}

/** A contract as a list shows it: lists have no dates that count. */
export const contractEvent = (
  { id, status, standing, offerReferenceId }: ListedPlan,
  item: { lineId: string; number: number } | null,
): EventOf<"contract"> => ({
  type: "contract",
  contractId: id,
  item,
  status: contractStatus({ standing }),
  statusText: status.slice(0, 100),
  referenceId: offerReferenceId,
  activatesOn: null,
  expiresOn: null,
});

/** Takes a plan of the offer out of `plans`: an active one first, a cancelled one last. Null: there is none. */
function takePlan(plans: ListedPlan[], offerReferenceId: string): ListedPlan | null {
  for (const status of ["active", "listed", "other", "cancelled"]) {
    const index = plans.findIndex(
      (plan) => plan.offerReferenceId === offerReferenceId && contractStatus(plan) === status,
    );
    const [plan] = index < 0 ? [] : plans.splice(index, 1);
    if (plan) return plan;
  }
  return null;
}
