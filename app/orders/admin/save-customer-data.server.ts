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
import { hasSentContracts, isEndable } from "#app/orders/book/answers.ts";
import { appendToBook } from "#app/orders/book/book.server.ts";
import type { Item, Order } from "#app/orders/book/evolve.ts";
import { lacksCustomer } from "#app/orders/book/money.ts";
import { stateOf } from "#app/orders/book/projection.ts";
import { openCustomer, sealCustomer } from "#app/orders/sealed.server.ts";
import { db } from "#app/platform/db.server.ts";
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
    const result: { checked: Checked } = { checked: { state: "unknown" } };
    // Under the order's lock: an erasure that comes in between must not be undone.
    await appendToBook(tx, shop, orderId, async ({ order }) => {
      const row = await tx.order.findUnique({
        where: { shop_orderId: { shop, orderId } },
        select: { sealedCustomer: true },
      });
      if (row === null || row.sealedCustomer === null) return null;
      const checked = check(order, openCustomer(key, orderId, row.sealedCustomer), entered);
      result.checked = checked;
      if (checked.state !== "done") return null;
      const sealed = sealCustomer(key, orderId, checked.customer);
      await tx.order.updateMany({ where: { shop, orderId }, data: sealed });
      return lacksCustomer(order) ? [{ type: "details_missing", missing: [], refused: null }] : [];
    });
    if (result.checked.state !== "done") return result.checked;
    // Which fields, never what is in them.
    const given = Object.entries(entered).filter(([, value]) => value.trim() !== "");
    const after = Object.fromEntries(given.map(([field]) => [field, "entered"]));
    await recordAudit({ shop, actor, action: "customer_data_saved", subject: orderId, after }, tx);
    return { state: "done" };
  });
}

type Checked =
  | { state: "unknown" | "conflict" }
  | { state: "invalid"; problems: CustomerDataProblems }
  | { state: "done"; customer: InsuredCustomer };

/** The customer with what was entered, or why it is not saved. */
function check(
  order: Order,
  known: InsuredCustomer,
  entered: Partial<Record<CustomerField, string>>,
): Checked {
  // A plan that a person still has to decide about needs the details, too, before it can be issued.
  const isWaiting = (item: Item) =>
    stateOf(order, item) === "attention" && isEndable(order, item) && item.insuredAt === null;
  if (!order.items.some(isWaiting)) return { state: "conflict" };
  const customer = merge(known, entered);
  // Not every contract needs a phone number.
  const missing = missingFields(customer, order.details.missing.includes("phone"));
  if (isUnreadable(entered.phone, customer.phone)) missing.push("phone");
  if (missing.length > 0) return { state: "invalid", problems: toProblems(missing) };
  // The insurer's contracts are found by the address that they were requested with.
  if (known.email !== null && customer.email !== known.email && hasSentContracts(order))
    return { state: "invalid", problems: { email: "email_known" } };
  return { state: "done", customer };
}

function merge(known: InsuredCustomer, entered: Partial<Record<CustomerField, string>>): InsuredCustomer {
  const given = Object.entries(entered).flatMap(([field, value]) =>
    value.trim() === "" ? [] : [[field, value.trim()]],
  );
  const merged = insuredCustomer.parse({ ...known, ...Object.fromEntries(given) });
  const country = merged.country?.toUpperCase() ?? null;
  return { ...merged, country, email: readEmail(merged.email), phone: readPhone(merged.phone, country) };
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
