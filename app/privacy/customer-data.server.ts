/**
 * Handles Shopify's requests about a customer's data (shopify.dev, "Privacy law compliance") with all features that
 * store some.
 */
import { system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { findOrderMails } from "#app/outbox/outbox.server.ts";
import { findOrderClaims } from "#app/claims/stored-claims.server.ts";
import { eraseCustomerWebhooks } from "#app/inbox/erase-customer.server.ts";
import {
  eraseQuoteCustomer,
  findCustomerQuotes,
  findQuotedOrders,
  readQuotes,
} from "#app/quotes/quotes.server.ts";
import { eraseOrderQuoteCustomer } from "#app/quotes/of-orders/suppression.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { log } from "#app/platform/log.server.ts";
import { findCustomerOrders, eraseCustomer } from "./order-privacy.server.ts";
import { findTask, openTask } from "#app/orders/tasks/tasks.server.ts";
import type { CustomerPayload } from "#app/shopify/payloads/customers.ts";

/** After `customers/redact`: erases personal data and keeps contracts under their numbers. */
export async function handleCustomerRedact(
  shop: string,
  { email, customerId, orderIds: named }: CustomerPayload,
): Promise<void> {
  const orderIds = [...named, ...(await findQuotedOrders(shop, email))];
  const orders = await eraseCustomer(shop, { email, customerId, orderIds });
  const customer = { email, orderIds: [...orders, ...orderIds] };
  await eraseOrderQuoteCustomer(shop, customer);
  const quotes = await eraseQuoteCustomer(shop, customer);
  const after = { orders: orders.length, quotes };
  await recordAudit({ shop, actor: system("customers/redact"), action: "customer_erased", after });
  // Last, because one of these webhooks is the request itself: after a crash the queue must find it for the retry.
  const events = await eraseCustomerWebhooks(shop, customer);
  log.info({ shop, ...after, events }, "Customer data erased");
}

/** After `customers/data_request`: opens a task for the merchant, who has to answer the customer. */
export async function handleDataRequest(
  shop: string,
  { email, customerId, orderIds: named }: CustomerPayload,
  inboxId: string,
): Promise<void> {
  const orderIds = [...named, ...(await findQuotedOrders(shop, email))];
  const orders = await findCustomerOrders(shop, { email, customerId, orderIds });
  const storedOrderIds = orders.map(({ orderId }) => orderId);
  const quotes = await findCustomerQuotes(shop, { email, orderIds: [...storedOrderIds, ...orderIds] });
  await openTask({
    shop,
    kind: "customer_data_request",
    subjectId: inboxId,
    details: {
      orderIds: storedOrderIds,
      quotes: quotes.map((quote) => ({
        environment: environment.parse(quote.environment),
        quoteId: quote.quoteId,
      })),
    },
  });
  await recordAudit({ shop, actor: system("customers/data_request"), action: "customer_data_requested" });
}

/**
 * The data of the customer in a data request's task: orders with plans, mails, claims on the contracts, and quotes.
 * @returns null if the shop has no such task
 */
export async function findRequestedData(shop: string, taskId: string) {
  const task = await findTask(shop, taskId);
  if (task?.kind !== "customer_data_request") return null;
  const { orderIds } = task.details;
  const [orders, mails, claims, quotes] = await Promise.all([
    findCustomerOrders(shop, { email: null, customerId: null, orderIds }),
    findOrderMails(shop, orderIds),
    findOrderClaims(shop, orderIds),
    readQuotes(shop, task.details.quotes),
  ]);
  return { orders, mails, claims, quotes };
}
