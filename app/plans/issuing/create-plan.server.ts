/** Asks the service for one plan. */
import { InsuranceError, Rejected, UnknownOutcome } from "#app/insurance/errors.ts";
import type { CreatedPlan, NewPlan } from "#app/insurance/plan.ts";
import { db } from "#app/platform/db.server.ts";
import { planRequest } from "./plan-request.ts";
import type { PlanRequest } from "./plan-request.ts";
import { movedOne } from "./step.server.ts";
import type { StepResult, Work } from "./step.server.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";
import { noteRecovery } from "./connection-trouble.server.ts";
import { moveUnit } from "#app/plans/ledger/units.server.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";

/**
 * Writes down that the plan is being asked for, asks, and writes down what came of it. Whatever happens in between,
 * the unit shows that a contract may exist.
 * @throws InsuranceError where nothing was done and later may be better
 */
export async function createPlan(work: Work, unit: Unit): Promise<StepResult> {
  const { shop, order, lease } = work;
  const request = planRequest(order.orderId, unit, order.customer);
  if (!request.ok) return handOver(work, unit, request);

  const fence = { leaseBy: lease.by, facts: order.facts };
  const asking = await moveUnit(unit, "ask", { fence });
  if (!asking) return "changed";
  const answer = await ask(work, request.plan);
  if ("created" in answer) {
    if (asking.attempt > 1) await noteRecovery(shop, order.environment);
    return activate(asking, answer.created);
  }
  const { error } = answer;
  if (error instanceof UnknownOutcome) {
    return movedOne(
      await moveUnit(asking, "lose_answer", { note: error.message, answered: error.status !== null }),
    );
  }
  if (error instanceof Rejected) return refuse(shop, asking, error);
  await moveUnit(asking, "put_off", { note: error.message });
  throw error;
}

async function ask(
  { client, lease }: Work,
  plan: NewPlan,
): Promise<{ created: CreatedPlan } | { error: InsuranceError }> {
  try {
    return { created: await client.plans.create(plan, { maySend: () => lease.holds() }) };
  } catch (error) {
    if (error instanceof InsuranceError) return { error };
    throw error;
  }
}

async function activate(unit: Unit, created: CreatedPlan): Promise<StepResult> {
  const active = await moveUnit(unit, "created", {
    contractId: created.contract_id,
    activatesOn: created.activation_date ?? undefined,
    expiresOn: created.expiration_date ?? undefined,
    note: `contract ${created.contract_id}, ${created.status}`,
  });
  return movedOne(active);
}

async function refuse(shop: string, unit: Unit, { serviceMessage, message }: Rejected): Promise<StepResult> {
  return db.$transaction(async (transaction) => {
    const refused = await moveUnit(unit, "refuse", {
      reason: "refused_by_service",
      note: message,
      transaction,
    });
    if (!refused) return "changed";
    const { orderId, lineId, unit: piece, planTitle } = unit;
    await openTask(
      {
        shop,
        kind: "plan_refused",
        orderId,
        lineId,
        unit: piece,
        details: { planTitle, words: serviceMessage },
      },
      transaction,
    );
    return { units: [refused] };
  });
}

/** Something that the request needs is not there: a person has to supply it. */
async function handOver(
  { shop, order }: Work,
  unit: Unit,
  { reason, missing }: PlanRequest & { ok: false },
): Promise<StepResult> {
  const { orderId } = order;
  return db.$transaction(async (transaction) => {
    const handed = await moveUnit(unit, "hand_over", { reason, transaction });
    if (!handed) return "changed";
    const { lineId, unit: piece, planTitle } = unit;
    if (reason === "missing_customer_data") {
      // One form for the order, however many plans wait for it.
      const details = { missing: missing.filter((field) => field !== "address2") };
      await openTask({ shop, kind: "customer_data", orderId, details }, transaction);
    } else if (reason === "customer_erased") {
      await openTask(
        { shop, kind: "customer_erased", orderId, lineId, unit: piece, details: { planTitle } },
        transaction,
      );
    } else {
      const details = {
        finding: "no_insured_line" as const,
        planTitle,
        insuredTitle: unit.insuredTitle,
        offerReferenceId: unit.offerReferenceId,
        premiumMinor: unit.premiumMinor,
        currency: unit.currency,
      };
      await openTask({ shop, kind: "check_plan", orderId, lineId, unit: piece, details }, transaction);
    }
    return { units: [handed] };
  });
}
