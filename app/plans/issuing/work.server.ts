/**
 * Works on an order with the insurance service until nothing is left to do: creates, looks, records, cancels. Which
 * step comes next is decided by next-step.ts from what is stored, so it may be started by anything, any number of
 * times, and killed anywhere.
 */
import { sendJob } from "#app/jobs/queue.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import type { InsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { askToCancel, cancelOrderPlans } from "./cancel-plans.server.ts";
import { createPlan } from "./create-plan.server.ts";
import { takeLease } from "./lease.server.ts";
import type { Lease } from "./lease.server.ts";
import { lookForPlans } from "./look-up-plans.server.ts";
import { nextStep } from "./next-step.ts";
import type { Step } from "./next-step.ts";
import { readWorkingOrder } from "./working-order.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";
import { recordOrder } from "./record-order.server.ts";
import { movedOne } from "./step.server.ts";
import type { StepResult, Work } from "./step.server.ts";
import { closeTasks, closeUnitTasks, openTask } from "#app/plans/tasks/tasks.server.ts";
import { noteTrouble } from "./connection-trouble.server.ts";
import { moveUnit } from "#app/plans/ledger/units.server.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";

/** There is work for the service and the merchant has no account there. */
export class NotConnectedError extends Error {
  override name = "NotConnectedError";
  constructor(shop: string) {
    super(`${shop} has paid plans waiting and is not connected to the insurance service`);
  }
}

/** How the work on an order ended: nothing is left to do for the facts that were seen. */
interface Through {
  facts: number;
  record?: WorkingOrder["record"];
}

/**
 * Does all that can be done for the order now. Where another worker has it, that one sees what is stored; in case it
 * died with its claim, the order is looked at again when that has ended.
 * @throws InsuranceError, NotConnectedError: not done, try again later
 */
export async function workOnOrder(shop: string, orderId: string): Promise<void> {
  for (;;) {
    const claim = await takeLease(shop, orderId);
    if (!claim) return;
    if ("freeAt" in claim) {
      await sendJob(
        "order-work",
        { shop, orderId },
        { startAfter: claim.freeAt, singletonKey: `${shop}:${orderId}:held` },
      );
      return;
    }
    const { lease, order } = claim;
    let through: Through | null;
    try {
      const known = order ?? (await readWorkingOrder(shop, orderId));
      through = known && (await workThrough(shop, known, lease));
    } catch (error) {
      await lease.abandon();
      throw error;
    }
    if (through === null) await lease.abandon();
    else if (await lease.release(through.facts, through.record)) return;
  }
}

/** @returns null where the order changed meanwhile */
async function workThrough(shop: string, found: WorkingOrder, lease: Lease): Promise<Through | null> {
  const { orderId, facts } = found;
  let order = found;
  let asked: Promise<InsuranceConnection | null> | undefined;
  const service = () => (asked ??= connectionIn(shop, found.environment));
  for (;;) {
    const step = nextStep(order);
    if (step.do === "nothing") return { facts };
    const result: StepResult = await perform(shop, order, step, lease, service);
    if (result === "changed") return null;
    if ("lastly" in result) return { facts, record: result.lastly };
    if ("waitUntil" in result) {
      await sendJob(
        "order-work",
        { shop, orderId },
        { startAfter: result.waitUntil, singletonKey: `${shop}:${orderId}:${result.waitUntil.getTime()}` },
      );
      return { facts };
    }
    const { units, record = order.record }: { units: Unit[]; record?: WorkingOrder["record"] } = result;
    order = {
      ...order,
      record,
      units: order.units.map(
        (unit) => units.find((each) => each.lineId === unit.lineId && each.unit === unit.unit) ?? unit,
      ),
    };
  }
}

async function perform(
  shop: string,
  order: WorkingOrder,
  step: Exclude<Step<Unit>, { do: "nothing" }>,
  lease: Lease,
  serviceOfOrder: () => Promise<InsuranceConnection | null>,
): Promise<StepResult> {
  if (step.do === "abandon") return movedOne(await moveUnit(step.unit, "abandon"));
  if (step.do === "drop") return drop(step.unit);
  const service = await serviceOfOrder();
  if (!service) {
    // An order without insurance can wait to be recorded until the merchant has connected (backfill).
    if (step.do === "record") return { units: [], record: "refused" };
    await openTask({ shop, kind: "connection", details: { problem: "missing" } });
    throw new NotConnectedError(shop);
  }
  try {
    return await ask({ shop, order, lease, client: service.client }, step);
  } catch (error) {
    await noteTrouble(shop, order.environment, step.do, error);
    throw error;
  }
}

async function ask(
  work: Work,
  step: Exclude<Step<Unit>, { do: "nothing" | "abandon" | "drop" }>,
): Promise<StepResult> {
  switch (step.do) {
    case "create":
      return createPlan(work, step.unit);
    case "look":
      return lookForPlans(work, step.units);
    case "record":
      return recordOrder(work);
    case "cancel":
      return cancelOrderPlans(work, step.units);
    case "ask_to_cancel":
      return askToCancel(work, step.unit);
  }
}

/** Ends a unit that has no contract, with whatever was asked about it. */
async function drop(unit: Unit): Promise<StepResult> {
  const dropped = await moveUnit(unit, "drop");
  if (dropped && unit.reason !== null) {
    await closeUnitTasks(unit);
    if (unit.reason === "missing_customer_data") {
      await closeTasks(unit.shop, { orderId: unit.orderId, kind: "customer_data" }, "gone");
    }
  }
  return movedOne(dropped);
}
