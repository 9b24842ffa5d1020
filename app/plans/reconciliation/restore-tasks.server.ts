/**
 * Every paid unit that is to be insured has a contract, is on its way to one, or has an open task (the first invariant).
 * Issuing resumes what is on its way; this opens the tasks that are missing, whatever closed or deleted them.
 */
import { z } from "zod";
import { type DataKey, dataKeyOf } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { missingFields, requiredFields } from "#app/plans/ledger/customer.ts";
import { findings, reasons } from "#app/plans/ledger/unit-states.ts";
import { openCustomer } from "#app/plans/ledger/sealed.server.ts";
import { type NewTask, openTasks } from "#app/plans/tasks/tasks.server.ts";
import { taskDetails, type TaskKind } from "#app/plans/tasks/tasks.ts";

/** Far more than were ever missing; the next run opens the rest. */
const MAX_TASKS = 1_000;

const uncoveredUnits = z.array(
  z.object({
    orderId: z.string(),
    lineId: z.string(),
    unitNumber: z.int(),
    reason: z.enum(reasons).nullable(),
    planTitle: z.string(),
    insuredTitle: z.string().nullable(),
    offerReferenceId: z.string(),
    premiumMinor: z.int(),
    currency: z.string(),
    sealedCustomer: z.string().nullable(),
    /** what the service said when it refused the unit, or was unclear about it */
    refusal: z.string().nullable(),
    /** of the task that was closed, where there is one */
    details: z.unknown(),
  }),
);
type UncoveredUnit = z.infer<typeof uncoveredUnits>[number];

/**
 * Opens the missing tasks of all orders of the shop, and notes it in the history of their units. The state of a unit and
 * its task are always written in one transaction, so a unit without its task is never just being written.
 * @returns how many units had no task
 */
export async function restoreTasks(shop: string): Promise<number> {
  return db.$transaction(async (tx) => {
    const uncovered = uncoveredUnits.parse(
      await tx.$queryRaw`
        SELECT waiting.*, task.details FROM (
          SELECT u."orderId", u."lineId", u."unitNumber", u.reason, u."planTitle", u."insuredTitle",
            u."offerReferenceId", u."premiumMinor", u.currency, o."sealedCustomer",
            (SELECT h.note FROM "UnitHistory" AS h WHERE h.shop = u.shop AND h."orderId" = u."orderId"
              AND h."lineId" = u."lineId" AND h."unitNumber" = u."unitNumber" AND h.cause IN ('refused', 'doubted')
              ORDER BY h.id DESC LIMIT 1) AS refusal,
            CASE WHEN u.reason = 'missing_customer_data' THEN 'customer_data:' || u."orderId"
              ELSE CASE u.reason WHEN 'customer_erased' THEN 'customer_erased:'
                WHEN 'refused_by_service' THEN 'plan_refused:'
                WHEN 'contract_unclear' THEN 'contract_unclear:' ELSE 'check_plan:' END
                || u."orderId" || ':' || u."lineId" || ':' || u."unitNumber" END AS key
          FROM "InsuredUnit" AS u JOIN "Order" AS o USING (shop, "orderId")
          WHERE u.shop = ${shop} AND u.state IN ('attention', 'refused') AND u.wanted AND u."contractId" IS NULL
            AND o."paidAt" IS NOT NULL AND o."cancelledAt" IS NULL
        ) AS waiting LEFT JOIN "Task" AS task ON task.shop = ${shop} AND task.key = waiting.key
        WHERE task.id IS NULL OR task."closedAt" IS NOT NULL
        LIMIT ${MAX_TASKS}`,
    );
    if (uncovered.length === 0) return 0;
    const key = await dataKeyOf(shop);
    await openTasks(withoutDoubles(uncovered.map((unit) => taskOf(shop, unit, key))), tx);
    const units = uncovered.map(({ orderId, lineId, unitNumber }) => ({ orderId, lineId, unitNumber }));
    await tx.$executeRaw`
      INSERT INTO "UnitHistory" (shop, "orderId", "lineId", "unitNumber", before, after, cause, attempt, note)
      SELECT u.shop, u."orderId", u."lineId", u."unitNumber", u.state, u.state, 'task_restored', u.attempt, u.reason
      FROM "InsuredUnit" AS u JOIN jsonb_to_recordset(${JSON.stringify(units)}::jsonb)
        AS uncovered("orderId" text, "lineId" text, "unitNumber" int) USING ("orderId", "lineId", "unitNumber")
      WHERE u.shop = ${shop}`;
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
