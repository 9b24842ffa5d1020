/** Looks what became of creations whose answer was lost: `GET plans` of the customer, counted against the ledger. */
import type { Plan } from "#app/insurance/plan.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";
import { settledAt } from "./consistency-delay.ts";
import type { StepResult, Work } from "./step.server.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";
import { moveUnit } from "#app/plans/ledger/units.server.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";

/**
 * Settles what can be settled: a contract of this order and offer that no unit has yet is the one we asked for; none
 * means none once the service had time to make up its mind.
 * @throws InsuranceError
 */
export async function lookForPlans({ order, client }: Work, unknown: Unit[]): Promise<StepResult> {
  const plans = await client.plans.list({ customerEmail: order.customer?.email ?? undefined });
  const unclaimed = unclaimedPlans(plans, order.orderId, order.units);
  const units: Unit[] = [];
  const waits: Date[] = [];
  for (const unit of unknown) {
    const index = firstOf(unclaimed, unit.offerReferenceId);
    const plan = index < 0 ? undefined : unclaimed.splice(index, 1)[0];
    if (!plan) {
      const settled = settledAt(unit, env.INSURANCE_SETTLE_SECONDS * 1_000);
      if (order.now < settled) {
        waits.push(settled);
        continue;
      }
    }
    const moved = plan
      ? await settle(order, unit, plan)
      : await moveUnit(unit, "miss", { note: "the service has no such contract" });
    if (!moved) return "changed";
    units.push(moved);
  }
  const [first] = waits.sort((a, b) => a.getTime() - b.getTime());
  return units.length > 0 || first === undefined ? { units } : { waitUntil: first };
}

/** Where the contract of an offer is: one in force before one that is cancelled. -1: there is none. */
function firstOf(plans: Plan[], offerReferenceId: string): number {
  const of = (plan: Plan) => plan.offer_reference_id === offerReferenceId;
  const inForce = plans.findIndex((plan) => of(plan) && plan.status !== "cancelled");
  return inForce < 0 ? plans.findIndex(of) : inForce;
}

/** A contract that a customer paid for and that somebody cancelled before it was found is for the merchant to know. */
async function settle(order: WorkingOrder, unit: Unit, { id, status }: Plan): Promise<Unit | null> {
  const found = { contractId: id, note: `contract ${id}, ${status}` };
  if (status !== "cancelled") return moveUnit(unit, "find", found);
  return db.$transaction(async (transaction) => {
    const moved = await moveUnit(unit, "found_cancelled", { ...found, transaction });
    if (moved?.wanted === true && !order.cancelled) {
      const { shop, orderId, lineId, unit: piece, planTitle } = moved;
      const details = { contractId: id, planTitle };
      await openTask(
        { shop, kind: "cancelled_elsewhere", orderId, lineId, unit: piece, details },
        transaction,
      );
    }
    return moved;
  });
}

/** The contracts of an order that no unit of it has. */
export function unclaimedPlans(plans: Plan[], orderId: string, units: Unit[]): Plan[] {
  const claimed = new Set(units.map(({ contractId }) => contractId));
  return plans.filter((plan) => plan.order_reference_id === orderId && !claimed.has(plan.id));
}
