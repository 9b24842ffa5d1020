/**
 * The platform's requests about a customer's data (shopify.dev, "Privacy law compliance"), carried out by every
 * feature that keeps some.
 */
import { z } from "zod";
import { eraseCustomerEvents } from "#app/webhooks/inbox.server.ts";
import { eraseLeadCustomer, findCustomerLeads, readLeads } from "#app/leads/list.server.ts";
import { log } from "#app/platform/log.server.ts";
import { findCustomerOrders, eraseCustomer } from "#app/plans/privacy.server.ts";
import { findTask } from "#app/plans/tasks/task-list.server.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";
import { parsePlatformJson } from "#app/shopify/json.ts";

const id = z.union([z.string(), z.number().int()]).transform(String);
/** The address of e-mail; null where there is none: a customer may be known by a phone number only. */
const customer = z
  .object({ email: z.string().trim().nullish() })
  .nullish()
  .transform((value) => (value?.email ? value.email : null));
const ids = z
  .array(id)
  .nullish()
  .transform((value) => value ?? []);
const redact = z.object({ customer, orders_to_redact: ids });
const dataRequest = z.object({ customer, orders_requested: ids });

/** After `customers/redact`: personal data goes, contracts stay on record under their numbers. */
export async function handleCustomerRedact(shop: string, body: string): Promise<void> {
  const asked = redact.parse(parsePlatformJson(body));
  const email = asked.customer;
  const orders = await eraseCustomer(shop, { email, orderIds: asked.orders_to_redact });
  const leads = email === null ? 0 : await eraseLeadCustomer(shop, email);
  // Last, because this request is one of the events: until all the rest is gone it is read again after a crash.
  const events = await eraseCustomerEvents(shop, { email, orderIds: [...orders, ...asked.orders_to_redact] });
  log.info({ shop, orders: orders.length, leads, events }, "a customer's data is deleted");
}

/** After `customers/data_request`: a task for the merchant, who has to answer the customer. */
export async function handleDataRequest(shop: string, body: string, eventId: string): Promise<void> {
  const asked = dataRequest.parse(parsePlatformJson(body));
  const email = asked.customer;
  const orders = await findCustomerOrders(shop, { email, orderIds: asked.orders_requested });
  const leads = email === null ? [] : await findCustomerLeads(shop, email);
  await openTask({
    shop,
    kind: "customer_data_request",
    about: eventId,
    details: {
      orderIds: orders.map(({ orderId }) => orderId),
      leadIds: leads.map(({ leadId }) => leadId),
    },
  });
}

/**
 * What is kept of the customer whom a task of this kind is about: their orders with plans, and their quotes.
 * @returns null where the shop has no such task
 */
export async function findRequestedData(shop: string, taskId: string) {
  const task = await findTask(shop, taskId);
  if (task?.kind !== "customer_data_request") return null;
  const { orderIds, leadIds } = task.details;
  const [orders, leads] = await Promise.all([
    findCustomerOrders(shop, { email: null, orderIds }),
    readLeads(shop, leadIds),
  ]);
  return { orders, leads };
}
