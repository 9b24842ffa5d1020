/**
 * Every paid unit that is to be insured has a contract, is on its way to one, or has an open task (the first invariant).
 * Issuing resumes what is on its way; this opens the tasks that are missing, whatever closed or deleted them.
 */
import { type DataKey, dataKeyOf } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { missingFields, requiredFields } from "#app/plans/ledger/customer.ts";
import { findings } from "#app/plans/ledger/unit-states.ts";
import { openCustomer } from "#app/plans/ledger/sealed.server.ts";
import { type NewTask, openTasks } from "#app/plans/tasks/tasks.server.ts";
import { taskDetails, type TaskKind } from "#app/plans/tasks/tasks.ts";
import { noteRestoredTasks, readUncoveredUnits, type UncoveredUnit } from "./rows.server.ts";

/**
 * Opens the missing tasks of all orders of the shop, and notes it in the history of their units. The state of a unit and
 * its task are always written in one transaction, so a unit without its task is never just being written.
 * @returns how many units had no task
 */
export async function restoreTasks(shop: string): Promise<number> {
  return db.$transaction(async (tx) => {
    const uncovered = await readUncoveredUnits(tx, shop);
    if (uncovered.length === 0) return 0;
    const key = await dataKeyOf(shop);
    await openTasks(withoutDoubles(uncovered.map((unit) => taskOf(shop, unit, key))), tx);
    await noteRestoredTasks(tx, shop, uncovered);
    log.error(
      { shop, tasks: uncovered.length },
      "Paid units without contract had no open task; it was opened",
    );
    return uncovered.length;
  });
}

/** The units of an order that wait for customer data share one task. */
function withoutDoubles(tasks: NewTask<TaskKind>[]): NewTask<TaskKind>[] {
  const isOfOrder = ({ kind }: NewTask<TaskKind>) => kind === "customer_data";
  const ofOrders = new Map(tasks.filter(isOfOrder).map((task) => [task.orderId, task]));
  return [...tasks.filter((task) => !isOfOrder(task)), ...ofOrders.values()];
}

/** The same task that issuing or the ledger opened for the unit. */
function taskOf(shop: string, unit: UncoveredUnit, key: DataKey): NewTask<TaskKind> {
  const { orderId, lineId, unitNumber, planTitle, reason } = unit;
  const subject = { shop, orderId, lineId, unitNumber };
  switch (reason) {
    case "missing_customer_data":
      return { shop, orderId, kind: "customer_data", details: customerDataDetails(unit, key) };
    case "customer_erased":
      return { ...subject, kind: "customer_erased", details: { planTitle } };
    case "refused_by_service":
      return { ...subject, kind: "plan_refused", details: { planTitle, serviceMessage: unit.refusal ?? "" } };
    case "contract_unclear":
      return {
        ...subject,
        kind: "contract_unclear",
        details: { planTitle, serviceMessage: unit.refusal ?? "" },
      };
    default: {
      const { insuredTitle, offerReferenceId, premiumMinor, currency } = unit;
      const finding = findings.find((each) => each === reason) ?? "no_insured_line";
      const details = { finding, planTitle, insuredTitle, offerReferenceId, premiumMinor, currency };
      return { ...subject, kind: "check_plan", details };
    }
  }
}

/** What is missing, as the closed task said it, or else as the stored customer shows it. */
function customerDataDetails({ details, orderId, sealedCustomer }: UncoveredUnit, key: DataKey) {
  const closed = taskDetails.customer_data.safeParse(details);
  if (closed.success) return closed.data;
  const customer = sealedCustomer === null ? null : openCustomer(key, orderId, sealedCustomer);
  const [missing = [...requiredFields]] = [false, true]
    .map((needsPhone) => (customer === null ? [] : missingFields(customer, needsPhone)))
    .filter((fields) => fields.length > 0);
  return { missing: requiredFields.filter((field) => missing.includes(field)), refused: null };
}
