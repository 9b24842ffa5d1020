/** Saves what a person added to the data of an order's customer. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import {
  type CustomerField,
  type InsuredCustomer,
  insuredCustomer,
  missingFields,
  readEmail,
  readPhone,
} from "#app/orders/customer.ts";
import type { Reason } from "#app/orders/book/item-states.ts";
import { openCustomer, sealCustomer } from "#app/orders/sealed.server.ts";
import { lockOrder, retryCause, transitionItem, itemRow } from "#app/orders/ledger/items.server.ts";
import { scheduleIssuing } from "#app/orders/schedule.server.ts";
import { closeCustomerDataTask } from "#app/orders/tasks/tasks.server.ts";
import { taskDetails } from "#app/orders/tasks/tasks.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { CustomerDataProblems } from "./order-forms.ts";
import type { OrderActionOutcome } from "./order-actions.server.ts";

export type SaveCustomerDataResult =
  { state: OrderActionOutcome } | { state: "invalid"; problems: CustomerDataProblems };

/**
 * Fills in what the order lacks of its customer, and issues the plans that waited for nothing else. Where no plan
 * waits, the customer stays as the insurer knows them: their plans are found by their e-mail address.
 * @param entered fields that are absent or empty stay as they are
 * @returns `invalid` with the fields that are still missing, cannot be right (a phone number, an e-mail address), or have
 * to stay (the address of other plans)
 */
export async function saveCustomerData(
  shop: string,
  orderId: string,
  entered: Partial<Record<CustomerField, string>>,
  actor: Actor,
): Promise<SaveCustomerDataResult> {
  const key = await dataKeyOf(shop);
  return db.$transaction(async (tx): Promise<SaveCustomerDataResult> => {
    // An erasure that comes in between must not be undone.
    await lockOrder(tx, shop, orderId);
    const order = await tx.order.findUnique({ where: { shop_orderId: { shop, orderId } } });
    if (!order || order.sealedCustomer === null) return { state: "unknown" };
    // A plan that a person still has to decide about needs the details, too, before it can be issued.
    const waiting = await tx.insuredItem.findMany({
      where: { shop, orderId, state: "attention", wanted: true, contractId: null },
    });
    if (waiting.length === 0) return { state: "conflict" };
    const known = openCustomer(key, orderId, order.sealedCustomer);
    const customer = merge(known, entered);
    const missing = missingFields(customer, await needsPhone(tx, shop, orderId));
    if (isUnreadable(entered.phone, customer.phone)) missing.push("phone");
    if (missing.length > 0) return { state: "invalid", problems: toProblems(missing) };
    if (known.email !== null && customer.email !== known.email && (await hasOtherPlans(tx, shop, orderId)))
      return { state: "invalid", problems: { email: "email_known" } };
    await tx.order.updateMany({
      where: { shop, orderId },
      data: sealCustomer(key, orderId, customer),
    });
    for (const row of waiting.filter(({ reason }) => reason === "missing_customer_data")) {
      const item = itemRow.parse(row);
      const note = "missing_customer_data" satisfies Reason;
      await transitionItem(item, retryCause(item), { note, responded: true, transaction: tx });
    }
    await closeCustomerDataTask(tx, shop, orderId, "done");
    await scheduleIssuing(tx, shop, orderId);
    // Which fields, never what is in them.
    const given = Object.entries(entered).filter(([, value]) => value.trim() !== "");
    const after = Object.fromEntries(given.map(([field]) => [field, "entered"]));
    await recordAudit({ shop, actor, action: "customer_data_saved", subject: orderId, after }, tx);
    return { state: "done" };
  });
}

function merge(known: InsuredCustomer, entered: Partial<Record<CustomerField, string>>): InsuredCustomer {
  const given = Object.entries(entered).flatMap(([field, value]) =>
    value.trim() === "" ? [] : [[field, value.trim()]],
  );
  const merged = insuredCustomer.parse({ ...known, ...Object.fromEntries(given) });
  const country = merged.country?.toUpperCase() ?? null;
  return { ...merged, country, email: readEmail(merged.email), phone: readPhone(merged.phone, country) };
}

/** Whether the insurer has plans of the order, or may have: they are found by the address that they were sent with. */
async function hasOtherPlans(tx: Transaction, shop: string, orderId: string): Promise<boolean> {
  const sent = [
    { state: { in: ["creating", "unknown"] } },
    { reason: "contract_unclear" },
    { contractId: { not: null } },
  ];
  const where = { shop, orderId, state: { not: "cancelled" }, OR: sent };
  return (await tx.insuredItem.count({ where })) > 0;
}

/** Whether the order's task requests a phone number, which not every contract needs. */
async function needsPhone(tx: Transaction, shop: string, orderId: string): Promise<boolean> {
  const where = { shop, orderId, kind: "customer_data", closedAt: null };
  const task = await tx.task.findFirst({ where, select: { details: true } });
  return task !== null && taskDetails.customer_data.parse(task.details).missing.includes("phone");
}

/** A number was entered, and no country has it. */
const isUnreadable = (entered: string | undefined, phone: string | null) =>
  phone === null && (entered ?? "").trim() !== "";

/** An e-mail address or a phone number may look right to the form and be none: a number that no country has, say. */
function toProblems(missing: readonly CustomerField[]): CustomerDataProblems {
  return Object.fromEntries(
    missing.map((field) => [field, field === "email" || field === "phone" ? field : "missing"]),
  );
}
