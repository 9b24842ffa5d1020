/** Finds out what became of creations whose response was lost: `GET plans` of the customer, counted against the ledger. */
import { lookUpUnclear } from "#app/insurance/ask-once.ts";
import { planStanding } from "#app/insurance/fields.ts";
import type { Plan } from "#app/insurance/plans.ts";
import { ContractTakenError, inWords, transitionUnit, type Unit } from "#app/plans/ledger/units.server.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { conclusiveAt } from "./service-requests.ts";
import { noteServiceResponse } from "./run-step.server.ts";
import type { StepContext, StepResult } from "./run-step.server.ts";
import { withUnits } from "./working-order.server.ts";
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
    // Without an address (the customer was erased) the service lists every plan of the store: queried once all is final.
    const last = new Date(Math.max(...unknown.map((unit) => conclusiveOf(unit).getTime())));
    if (order.now < last) return { waitUntil: last };
  }
  const found = await lookUpUnclear<Unit, Plan, Unit>(unknown, {
    now: order.now,
    list: async () => {
      const plans = await client.plans.list({ customerEmail: email });
      await noteServiceResponse(context);
      return unassignedPlans(plans, order.orderId, order.units);
    },
    take: (unit, left) => takePlan(left, unit.offerReferenceId),
    isClear: (unit, plan) => !isUnclear(order, unit, plan),
    conclusiveAt: conclusiveOf,
    noteFound: (unit, plan) => assignPlan(order, unit, plan),
    noteMissing: (unit, plan) => moveWithoutContract(order, unit, plan),
  });
  if (found === "changed") return "changed";
  return found instanceof Date ? { waitUntil: found } : { order: withUnits(order, found) };
}

const isWanted = (order: WorkingOrder, unit: Unit) => unit.wanted && !order.cancelled;

/** Only a person can say whether this contract insures anybody. One that is to end is cancelled whatever its status. */
const isUnclear = (order: WorkingOrder, unit: Unit, plan: Plan) =>
  isWanted(order, unit) && planStanding(plan.status) === "unclear";

/** Takes a plan of the offer out of `plans`: an active one first, a cancelled one last. Null: there is none. */
function takePlan(plans: Plan[], offerReferenceId: string): Plan | null {
  for (const standing of ["active", "unclear", "cancelled"]) {
    const index = plans.findIndex(
      (plan) => plan.offerReferenceId === offerReferenceId && planStanding(plan.status) === standing,
    );
    const [plan] = index < 0 ? [] : plans.splice(index, 1);
    if (plan) return plan;
  }
  return null;
}

/** No contract in force was found: the plan is created again, unless that would repeat an unclear response. */
async function moveWithoutContract(order: WorkingOrder, unit: Unit, plan: Plan | null): Promise<Unit | null> {
  const isRepeated = plan !== null || unit.reason === "contract_unclear";
  if (!isRepeated || !isWanted(order, unit)) return transitionUnit(unit, "not_found");
  const { shop, orderId, lineId, unitNumber, planTitle } = unit;
  return db.$transaction(async (tx) => {
    const response = plan === null ? await readDoubt(unit, tx) : inWords(plan.id, plan.status);
    const move = { reason: "contract_unclear", note: response, transaction: tx } as const;
    const handed = await transitionUnit(unit, "needs_attention", move);
    if (handed) {
      const details = { planTitle, serviceMessage: response };
      const task = { shop, kind: "contract_unclear", orderId, lineId, unitNumber, details } as const;
      await openTask(task, tx);
    }
    return handed;
  });
}

/** What was unclear in the service's last response about the unit. */
async function readDoubt({ shop, orderId, lineId, unitNumber }: Unit, tx: Transaction): Promise<string> {
  const entry = await tx.unitHistory.findFirst({
    where: { shop, orderId, lineId, unitNumber, cause: "doubted" },
    orderBy: { id: "desc" },
    select: { note: true },
  });
  return entry?.note ?? "";
}

async function assignPlan(order: WorkingOrder, unit: Unit, plan: Plan): Promise<Unit | null> {
  try {
    return await moveToPlan(order, unit, plan);
  } catch (error) {
    if (!(error instanceof ContractTakenError)) throw error;
    return moveWithoutContract(order, unit, plan);
  }
}

/**
 * A task tells the merchant of a plan that a customer paid for and that somebody cancelled before it was found.
 * @throws ContractTakenError
 */
async function moveToPlan(order: WorkingOrder, unit: Unit, { id, status }: Plan): Promise<Unit | null> {
  const found = { contractId: id, note: id };
  if (planStanding(status) !== "cancelled") return transitionUnit(unit, "found", found);
  return db.$transaction(async (tx) => {
    const moved = await transitionUnit(unit, "found_cancelled", { ...found, transaction: tx });
    if (moved?.wanted === true && !order.cancelled) {
      const { shop, orderId, lineId, unitNumber, planTitle } = moved;
      const details = { contractId: id, planTitle };
      const task = { shop, kind: "cancelled_elsewhere", orderId, lineId, unitNumber, details } as const;
      await openTask(task, tx);
    }
    return moved;
  });
}

/** The plans of an order that no unit of it has. */
function unassignedPlans(plans: Plan[], orderId: string, units: Unit[]): Plan[] {
  const assigned = new Set(units.map(({ contractId }) => contractId));
  return plans.filter((plan) => plan.orderReferenceId === orderId && !assigned.has(plan.id));
}
