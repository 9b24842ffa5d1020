/** Creates the plan of one unit at the service. */
import { askOnce } from "#app/insurance/ask-once.ts";
import { type InsuranceError, Rejected } from "#app/insurance/errors.ts";
import { planStanding } from "#app/insurance/fields.ts";
import type { CreatedPlan, NewPlan } from "#app/insurance/plans.ts";
import { savePhoneNumberNeed } from "#app/merchants/connection-state.server.ts";
import type { CustomerField } from "#app/plans/ledger/customer.ts";
import type { Reason } from "#app/plans/ledger/reasons.ts";
import { ContractTakenError, inWords, transitionUnit, type Unit } from "#app/plans/ledger/units.server.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";
import { db } from "#app/platform/db.server.ts";
import { isAboutPhone, refusedFields, toNewPlan } from "./service-requests.ts";
import { afterTransition, noteServiceResponse } from "./run-step.server.ts";
import type { StepContext, StepResult } from "./run-step.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";

/**
 * Stores that the request is about to be sent, sends it, and stores the outcome. Whatever happens in between, the unit
 * shows that a contract may exist.
 * @throws InsuranceError where later may be better
 */
export async function createPlan(context: StepContext, unit: Unit): Promise<StepResult> {
  const { order, lease, client, phoneNumber } = context;
  const { shop } = order;
  if (order.isOfStoreBefore) return requestAttention(context, unit, { reason: "other_account", missing: [] });
  const needsPhone = phoneNumber !== "optional" || order.phoneNeeded === true;
  const request = toNewPlan(order.orderId, unit, order.customer, needsPhone);
  if (!request.ok) {
    // The merchant set that the checkout requires it, but this order has none.
    if (phoneNumber === "asked" && request.missing.includes("phone")) {
      await savePhoneNumberNeed(shop, order.environment, "needed");
    }
    return requestAttention(context, unit, request);
  }

  if (isToBeLookedUp(order, unit)) return afterTransition(order, await transitionUnit(unit, "restored"));

  const { plan } = request;
  const fence = { leaseHolder: lease.holder, revision: order.revision };
  const lost = ({ message, status }: InsuranceError) => ({ note: message, responded: status !== null });
  const result = await askOnce<Unit, CreatedPlan, StepResult>({
    canLookUp: true,
    noteIntent: () => transitionUnit(unit, "send", { fence }),
    request: () => client.plans.create(plan, { maySend: () => lease.isHeld() }),
    noteMade: async (creating, created) => {
      await noteServiceResponse(context);
      return afterTransition(order, await activate(creating, created));
    },
    noteRefused: (creating, error) => noteRefusal(context, creating, plan, error),
    noteUnclear: async (creating, error) => {
      const isConflict = error instanceof Rejected;
      return afterTransition(
        order,
        isConflict
          ? await doubt(creating, error.message)
          : await transitionUnit(creating, "response_lost", lost(error)),
      );
    },
    noteNotDone: (creating, error) => transitionUnit(creating, "deferred", lost(error)),
  });
  return result ?? "changed";
}

/** The refusal is final, or names what of the customer a person has to correct. */
async function noteRefusal(
  context: StepContext,
  creating: Unit,
  plan: NewPlan,
  error: Rejected,
): Promise<StepResult> {
  const { order } = context;
  const { serviceMessage, message: note } = error;
  const lacking = { reason: "missing_customer_data", note } as const;
  if (plan.customer.phone === null && isAboutPhone(serviceMessage, creating.insuredTitle)) {
    await savePhoneNumberNeed(order.shop, order.environment, "needed");
    const needing = { ...context, order: { ...order, phoneNeeded: true as const } };
    return requestAttention(needing, creating, { ...lacking, missing: ["phone"] });
  }
  const fields = refusedFields(serviceMessage, creating.insuredTitle);
  if (fields.length === 0) return afterTransition(order, await refuse(creating, error));
  // A person corrects them: the order's page has a form for the customer.
  return requestAttention(context, creating, {
    ...lacking,
    missing: [],
    refused: { fields, serviceMessage },
  });
}

/** After a restored backup the service may have a plan of every unit, until a query shows otherwise. */
const isToBeLookedUp = ({ restoredAt }: WorkingOrder, { lookedUpAt }: Unit): boolean =>
  restoredAt !== null && (lookedUpAt === null || lookedUpAt < restoredAt);

const required = (fields: readonly CustomerField[]) => fields.filter((field) => field !== "address2");

/** A contract that the response does not call active, or whose number another unit has, is not believed. */
async function activate(unit: Unit, created: CreatedPlan): Promise<Unit | null> {
  const { contractId, status } = created;
  if (planStanding(status) !== "active") return doubt(unit, inWords(contractId, status));
  try {
    return await transitionUnit(unit, "created", {
      contractId,
      activatesOn: created.activationDate ?? undefined,
      expiresOn: created.expirationDate ?? undefined,
      note: contractId,
    });
  } catch (error) {
    if (!(error instanceof ContractTakenError)) throw error;
    return doubt(unit, error.message);
  }
}

/** The look-up decides by the service's own list; where that shows no active contract, a person does. */
async function doubt(unit: Unit, note: string): Promise<Unit | null> {
  return transitionUnit(unit, "doubted", { reason: "contract_unclear", note, responded: true });
}

async function refuse(unit: Unit, { serviceMessage, message }: Rejected): Promise<Unit | null> {
  return db.$transaction(async (tx) => {
    const move = { reason: "refused_by_service", note: message, transaction: tx } as const;
    const refused = await transitionUnit(unit, "refused", move);
    if (refused) {
      const { shop, orderId, lineId, unitNumber, planTitle } = unit;
      const details = { planTitle, serviceMessage };
      const task = { shop, kind: "plan_refused", orderId, lineId, unitNumber, details } as const;
      await openTask(task, tx);
    }
    return refused;
  });
}

interface Lacking {
  reason: Reason;
  missing: readonly CustomerField[];
  /** what the service does not take as it is */
  refused?: { fields: CustomerField[]; serviceMessage: string };
  /** what the service said of it */
  note?: string;
}

/** The request lacks something that only a person can add: opens a task about it. */
async function requestAttention(
  { order }: StepContext,
  unit: Unit,
  { reason, missing, refused, note }: Lacking,
): Promise<StepResult> {
  return db.$transaction(async (tx) => {
    const handed = await transitionUnit(unit, "needs_attention", { reason, note, transaction: tx });
    if (!handed) return "changed";
    const { shop, orderId, lineId, unitNumber, planTitle, insuredTitle } = unit;
    const subject = { shop, orderId, lineId, unitNumber };
    if (reason === "missing_customer_data") {
      // One form for the order, however many plans wait for it.
      const details = {
        missing: required(missing),
        refused: refused ? { ...refused, fields: required(refused.fields) } : null,
      };
      await openTask({ shop, kind: "customer_data", orderId, details }, tx);
    } else if (reason === "customer_erased") {
      await openTask({ ...subject, kind: "customer_erased", details: { planTitle } }, tx);
    } else {
      const { offerReferenceId, premiumMinor, currency } = unit;
      const finding = reason === "other_account" ? reason : ("no_insured_line" as const);
      const details = { finding, planTitle, insuredTitle, offerReferenceId, premiumMinor, currency };
      await openTask({ ...subject, kind: "check_plan", details }, tx);
    }
    return afterTransition(order, handed);
  });
}
