/** Looks what became of creations whose answer was lost: `GET plans` of the customer, counted against the ledger. */
import type { Plan } from "#app/insurance/plan.ts";
import { env } from "#app/platform/env.server.ts";
import { settledAt } from "./settling.ts";
import type { StepResult, Work } from "./step.server.ts";
import { moveUnit } from "./units.server.ts";
import type { Unit } from "./units.server.ts";

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
    const index = unclaimed.findIndex((plan) => plan.offer_reference_id === unit.offerReferenceId);
    const plan = index < 0 ? undefined : unclaimed.splice(index, 1)[0];
    if (!plan) {
      const settled = settledAt(unit, env.INSURANCE_SETTLE_SECONDS * 1_000);
      if (order.now < settled) {
        waits.push(settled);
        continue;
      }
    }
    const moved = plan
      ? await moveUnit(unit, plan.status === "cancelled" ? "found_cancelled" : "find", {
          contractId: plan.id,
          note: `contract ${plan.id}, ${plan.status}`,
        })
      : await moveUnit(unit, "miss", { note: "the service has no such contract" });
    if (!moved) return "changed";
    units.push(moved);
  }
  const [first] = waits.sort((a, b) => a.getTime() - b.getTime());
  return units.length > 0 || first === undefined ? { units } : { waitUntil: first };
}

/** The contracts of an order that no unit of it has. */
export function unclaimedPlans(plans: Plan[], orderId: string, units: Unit[]): Plan[] {
  const claimed = new Set(units.map(({ contractId }) => contractId));
  return plans.filter((plan) => plan.order_reference_id === orderId && !claimed.has(plan.id));
}
