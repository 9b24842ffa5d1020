/**
 * The first shop with one of each thing, created through the app's own entry points: catalogue, rules, orders with
 * plans, tasks, quotes, the organisation's figures, a data request. No job is running when the test gets it: every
 * later write is the test's.
 */
import { randomUUID } from "node:crypto";
import { keepDocuments } from "#app/documents/legal-documents.server.ts";
import { staff } from "#app/audit/actor.ts";
import { z } from "zod";
import { organisationOf, requestImport } from "#app/analytics/import.server.ts";
import { jobQueue, stopQueue } from "#app/jobs/queue.server.ts";
import { createQuote } from "#app/quotes/create-quote.server.ts";
import { quoteForm } from "#app/quotes/quote-form.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { handleDataRequest } from "#app/privacy/customer-data.server.ts";
import { startReconciliation } from "#app/reconciliation/reconciliation.server.ts";
import { sessionStorage } from "#app/shopify/sessions.server.ts";
import { applyRules, service, sync, variantOf } from "#test/catalogue/world.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { startJobs } from "#test/job-worker.ts";
import { customer, linesFor } from "#test/orders/references.ts";
import { buy, listItems, startWebhookServer, readItemStates } from "#test/orders/selling-shop.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import { insurance, shop } from "#test/world.ts";

const PHONES = "Smartphone casse et vol";

export interface FullShop {
  /** an id of each kind, by its route parameter: `orderId`, `quoteId`, … */
  ids: Record<string, string>;
  /** an item of the order, as the order's page names it */
  item: { lineId: string; itemNumber: string };
  /** values of this shop alone: ids, names and addresses */
  marks: string[];
  email: string;
}

export async function openFullShop(): Promise<FullShop> {
  const domain = shop.shopDomain;
  await connectShop();
  await applyRules([
    { id: "phones", conditions: [{ field: "product_type", value: "Smartphone" }], categoryId: PHONES },
  ]);
  const run = await sync();
  await keepDocuments(domain, AbortSignal.timeout(10_000));
  const closeWebhookServer = await startWebhookServer();
  await startJobs();

  const { references } = await service.catalogue();
  const sold = references
    .filter((each) => each.category_id === PHONES && each.product_reference_ids === null)
    .map((each) => ({
      ...each,
      title: each.reference_id,
      currency_code: "EUR",
      variantId: variantOf(each.reference_id).variant.id,
    }));
  const email = "zoe.marchand@example.com";
  const buyer = { email, billingAddress: { ...customer, first_name: "Zoé", last_name: "Marchand" } };
  const { phone, plan, reference: insuredBy } = linesFor(shop.state, sold, { quantity: 2 });
  const order = buy([phone, plan], buyer);
  await eventually(async () => {
    const states = await readItemStates(order);
    if (states.join() !== "active,active") throw new Error(`The plan is ${states.join()}`);
  });
  insurance.faults.add({ operation: "plans.create", kind: "status", status: 422, message: "Not insurable" });
  const again = linesFor(shop.state, sold);
  const refused = buy([again.phone, again.plan], buyer);
  const task = await eventually(() => db.task.findFirstOrThrow({ where: { orderId: refused.id } }));

  const merchant = await findMerchant(domain);
  if (!merchant) throw new Error("The shop has no merchant");
  const made = await createQuote(
    merchant,
    { requestId: randomUUID(), attempt: 0 },
    quoteForm.parse(quoteEntry(phone.variantId)),
    staff("1"),
  );
  if (made.state !== "created") throw new Error(`The quote is ${made.state}`);

  const organisation = await organisationOf(domain, "test");
  if (!organisation) throw new Error("The organisation's token is missing");
  await requestImport(domain, "test", organisation.id);
  await eventually(() => db.analyticsImport.findFirstOrThrow({ where: { shop: domain, state: "done" } }));
  // All jobs have finished: from here on the shop writes nothing.
  await eventually(async () => {
    const open = await db.webhook.count({ where: { shop: domain, NOT: { state: "done" } } });
    const working = await db.order.count({ where: { shop: domain, salesRecordStatus: "none" } });
    if (open + working > 0) throw new Error(`${open} events and ${working} orders are not processed`);
  });
  // The worker stops, a queue stays: a queue that starts inside a transaction would wait for itself.
  await stopQueue();
  await jobQueue();
  await closeWebhookServer();
  await handleDataRequest(domain, { email, customerId: null, orderIds: [] }, "asked");
  const request = await db.task.findFirstOrThrow({ where: { kind: "customer_data_request" } });
  const withdrawalId = await withdrawnOrder(refused.id);
  const reconciliationId = await startReconciliation(domain, "backfill", new Date(0), new Date());

  const [item] = await listItems(order);
  if (!item) throw new Error("The order has no insured item");
  const event = await db.webhook.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
  const planId = z.string().parse(item.contractId);
  const ids = {
    orderId: order.id,
    item: `${item.lineId}-${item.itemNumber}`,
    /** of a legal document of the item */
    name: "conditions",
    quoteId: made.quoteId,
    inboxId: event.id,
    runId: run.id,
    /** the customer's data request; the other task is about a plan that the insurer refused */
    taskId: request.id,
    refusedTaskId: task.id,
    withdrawalId,
    reconciliationId,
    planId,
    productId: phoneProduct(phone.variantId),
    variantId: phone.variantId,
    referenceId: insuredBy.reference_id,
    categoryId: PHONES,
  };
  return {
    ids,
    item: { lineId: item.lineId, itemNumber: String(item.itemNumber) },
    marks: [
      domain,
      order.id,
      refused.id,
      made.quoteId,
      event.id,
      run.id,
      task.id,
      request.id,
      planId,
      email,
      "Marchand",
    ],
    email,
  };
}

/** The customer of the order withdraws from its insurance. @returns the task's id */
async function withdrawnOrder(orderId: string): Promise<string> {
  const where = { shop: shop.shopDomain, orderId };
  const { lineId, itemNumber } = await db.insuredItem.findFirstOrThrow({ where });
  const item = { lineId, number: itemNumber };
  const refundBy = new Date().toISOString().slice(0, 10);
  // Until a person has looked for claims, its contract is still to be created.
  const withdrawal = { items: [item], unchecked: [item], refundBy, isMailed: false };
  await appendToOrder(where.shop, orderId, () => [{ type: "withdrew", ...withdrawal }], { sendsJob: false });
  return (await db.task.findFirstOrThrow({ where: { ...where, kind: "withdrawal" } })).id;
}

/** The form of a new quote. */
export function quoteEntry(variantId: string): Record<string, string> {
  return {
    requestId: randomUUID(),
    attempt: "0",
    variantId,
    purchaseDate: new Date().toISOString().slice(0, 10),
    chargedBy: "insurer",
    email: "zoe.marchand@example.com",
    firstName: "Zoé",
    lastName: "Marchand",
    phone: "+33612345678",
    birthDate: "",
    address1: "3 rue des Lilas",
    address2: "",
    zip: "75020",
    city: "Paris",
    country: "FR",
    sellerFirstName: "",
    sellerLastName: "",
  };
}

function phoneProduct(variantId: string): string {
  for (const { id, variants } of shop.state.products.values()) {
    if (variants.some((variant) => variant.id === variantId)) return id;
  }
  throw new Error("The shop has no such variant");
}

/** Every secret that must stay on the server: the insurer's tokens, and each shop's Shopify tokens. */
export async function secretsOfServer(): Promise<string[]> {
  const sessions = await Promise.all(
    [...shop.shops.keys()].map((name) => sessionStorage.findSessionsByShop(name)),
  );
  const held = sessions.flat().flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
  return [
    ...insurance.stores.flatMap(({ token_test, token_production, organisation_token }) => [
      token_test,
      token_production,
      organisation_token,
    ]),
    ...held.filter((token) => token !== undefined),
    ...["SHOPIFY_API_SECRET", "ENCRYPTION_KEYS"].map((name) => process.env[name] ?? ""),
  ].filter((secret) => secret !== "");
}
