/** Finds out what became of creations whose response was lost: `GET plans` of the customer, counted against the ledger. */
import type { Plan } from "#app/insurance/plan.ts";
import { transitionUnit } from "#app/plans/ledger/units.server.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { noteServiceResponse } from "./connection-state.server.ts";
import { conclusiveAt } from "./consistency-delay.ts";
import { withUnits } from "./step.server.ts";
import type { StepContext, StepResult } from "./step.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";

/**
 * A plan of this order and offer that no unit has yet belongs to the unit whose response was lost. No plan means none
 * once the consistency delay is over.
 * @throws InsuranceError
 */
export async function lookUpPlans(context: StepContext, unknown: Unit[]): Promise<StepResult> {
  const { order, client } = context;
  const email = order.customer?.email ?? undefined;
  const conclusiveOf = (unit: Unit) => conclusiveAt(unit, env.INSURANCE_CONSISTENCY_SECONDS * 1_000);
  if (email === undefined) {
    // Without an address (the customer was erased) the service lists every plan of the store: asked for once all is final.
    const last = new Date(Math.max(...unknown.map((unit) => conclusiveOf(unit).getTime())));
    if (order.now < last) return { waitUntil: last };
  }
  const plans = await client.plans.list({ customerEmail: email });
  await noteServiceResponse(context);
  const unassigned = unassignedPlans(plans, order.orderId, order.units);
  const units: Unit[] = [];
  const waits: Date[] = [];
  for (const unit of unknown) {
    const index = indexOfPlan(unassigned, unit.offerReferenceId);
    const plan = index < 0 ? undefined : unassigned.splice(index, 1)[0];
    if (!plan) {
      const conclusive = conclusiveOf(unit);
      if (order.now < conclusive) {
        waits.push(conclusive);
        continue;
      }
    }
    const moved = plan ? await assignPlan(order, unit, plan) : await transitionUnit(unit, "not_found");
    if (!moved) return "changed";
    units.push(moved);
  }
  const [first] = waits.sort((a, b) => a.getTime() - b.getTime());
  return units.length > 0 || first === undefined ? { order: withUnits(order, units) } : { waitUntil: first };
}

/** The index of a plan of the offer, one in force before one that is cancelled; -1: there is none. */
function indexOfPlan(plans: Plan[], offerReferenceId: string): number {
  const isOfOffer = (plan: Plan) => plan.offer_reference_id === offerReferenceId;
  const inForce = plans.findIndex((plan) => isOfOffer(plan) && plan.status !== "cancelled");
  return inForce < 0 ? plans.findIndex(isOfOffer) : inForce;
}

/** The merchant is told of a plan that a customer paid for and that somebody cancelled before it was found. */
async function assignPlan(order: WorkingOrder, unit: Unit, { id, status }: Plan): Promise<Unit | null> {
  const found = { contractId: id, note: id };
  if (status !== "cancelled") return transitionUnit(unit, "found", found);
  return db.$transaction(async (transaction) => {
    const moved = await transitionUnit(unit, "found_cancelled", { ...found, transaction });
    if (moved?.wanted === true && !order.cancelled) {
      const { shop, orderId, lineId, unitNumber, planTitle } = moved;
      const details = { contractId: id, planTitle };
      const task = { shop, kind: "cancelled_elsewhere", orderId, lineId, unitNumber, details } as const;
      await openTask(task, transaction);
    }
    return moved;
  });
}

/** The plans of an order that no unit of it has. */
function unassignedPlans(plans: Plan[], orderId: string, units: Unit[]): Plan[] {
  const assigned = new Set(units.map(({ contractId }) => contractId));
  return plans.filter((plan) => plan.order_reference_id === orderId && !assigned.has(plan.id));
}
