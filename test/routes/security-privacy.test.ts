/**
 * The erasure of personal data, of a customer and of a shop, by Shopify's own events. The tests follow one shop from a
 * customer's request to the deletion of all data.
 */
import { createSecretKey, randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { claimLink } from "#app/customers/customer-links.server.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { loader as claimPage } from "#app/routes/claims.$shop.$link.tsx";
import { responseOf } from "./ask.ts";
import { staff } from "#app/audit/actor.ts";
import { eraseDueShops } from "#app/privacy/shop-erasure.server.ts";
import { sealQuoteCustomer } from "#app/quotes/quotes.server.ts";
import type { ContractClaim } from "#app/claims/claims.ts";
import { suppressAddress } from "#app/quotes/of-orders/suppression.server.ts";
import { organisationAccount, storeConnection } from "#app/merchants/accounts.server.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import { dataKeyOf, forgetDataKey } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { resealSecrets } from "#app/processes/reseal-secrets.server.ts";
import { loader as quotesPage } from "#app/routes/app.quotes._index/route.tsx";
import { loader as orderPage } from "#app/routes/app.orders.$orderId/route.tsx";
import { loader as customerData } from "#app/routes/app.tasks.$taskId.data.tsx";
import { loader as taskPage } from "#app/routes/app.tasks._index/route.tsx";
import { action as receive } from "#app/routes/webhooks.tsx";
import { sessionStorage } from "#app/shopify/sessions.server.ts";
import { findWebhook } from "#app/inbox/stored-webhooks.server.ts";
import { processWebhook } from "#app/webhooks/process-webhook.server.ts";
import { webhookInboxId } from "#app/shopify/webhook.server.ts";
import { eventually } from "#test/eventually.ts";
import { madeQuote } from "#test/quotes/told-quote.ts";
import { connectShop } from "#test/install.ts";
import type { ShopEvent } from "#test/sandbox/shop/events.ts";
import { webhookPayload } from "#test/sandbox/shop/webhooks/payloads.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { adminRequest, insurance, otherShop, shop, webhookRequest } from "#test/world.ts";
import { answerOf } from "./answer.ts";
import { databasePrint, rowsWith } from "./database-print.ts";
import type { Handler } from "./every-route.ts";
import { openFullShop } from "./full-shop.ts";
import type { FullShop } from "./full-shop.ts";

const domain = shop.shopDomain;
let full: FullShop;
/** The customer's identifiers, in every form that shop and insurer use. */
let person: string[];
/** Digests that identify the customer without a name. */
let digests: string[];
beforeAll(async () => {
  full = await openFullShop();
  digests = await addRest(full);
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
  person = [full.email, "Marchand", "Zoé", "rue des Lilas", "33612345678", "06 12 34 56 78"];
});

/**
 * Adds to the full shop the missing data of a customer and of a shop.
 * @returns the digests that identify the customer
 */
async function addRest({ ids, email, item: { lineId } }: FullShop): Promise<string[]> {
  const { orderId = "", quoteId = "", variantId = "", planId: contractId = "" } = ids;
  await suppressAddress(domain, email, staff("1"));
  await suppressAddress(domain, "other@example.com", staff("1"));
  const [shared, environment] = [{ shop: domain }, "test" as const];
  const product = { variantId, title: "Phone", priceMinor: 1, categoryId: "phones", environment } as const;
  await appendToOrder(domain, orderId, () => madeQuote({ lineId, number: 1 }, product, { quoteId }), {
    sendsJob: false,
  });
  await db.quoteSettings.create({ data: { ...shared, delayHours: 24 } });
  await db.waitingOrder.create({ data: { ...shared, orderId, environment } });
  const kept = { ...shared, environment, readAt: new Date() };
  await db.contractClaims.createMany({
    data: [
      { ...kept, contractId, claims: [claimOf("CLM-OF-CUSTOMER")] },
      { ...kept, contractId: "CT-OF-ANOTHER", claims: [claimOf("CLM-OF-ANOTHER")] },
    ],
  });
  const order = await db.order.findFirstOrThrow({ where: { ...shared, orderId } });
  const quote = await db.quote.findFirstOrThrow({ where: { ...shared, quoteId } });
  return z.array(z.string()).parse([order.emailDigest, order.customerDigest, ...quote.nameDigests]);
}

const claimOf = (claimId: string): ContractClaim => ({
  id: claimId,
  type: "theft",
  approval: "pending",
  status: "pending_documents",
  filedOn: "2026-01-02",
  closedOn: null,
});

/** The tables that contain one of the words. */
async function tablesWith(...words: string[]): Promise<string[]> {
  return [...new Set((await rowsWith(...words)).map((row) => row.split(" ")[0] ?? ""))];
}

/** Shopify sends an event, and the worker processes it. */
async function happens(
  event: ShopEvent,
  webhookId: string,
  to = domain,
  triggeredAt = new Date(),
): Promise<void> {
  const state = to === domain ? shop.state : otherShop.state;
  const body = JSON.stringify(webhookPayload(state, event, { protectedCustomerData: true }));
  const request = webhookRequest(event.topic, body, { webhookId, domain: to, triggeredAt });
  expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
  await processWebhook({ shop: to, inboxId: webhookInboxId(event.topic, webhookId) });
}

function orderOf(orderId: string): Order {
  const order = shop.state.orders.get(orderId);
  if (!order) throw new Error("The shop has no such order");
  return order;
}

async function open(handler: Handler, path: string, params: Record<string, string> = {}) {
  return answerOf(handler, await adminRequest(path), params);
}

const requested = () => ({
  customerId: "1",
  email: full.email.toUpperCase(),
  phone: "+33612345678",
  orderIds: [],
});

test("the search below finds the customer wherever they are, and they are sealed everywhere", async () => {
  const rows = await rowsWith(...person);
  const places = new Set(rows.map((row) => row.split(" ")[0]));
  expect(places).toContain("public.Webhook");
  expect(places).toContain("public.Order");
  expect(places).toContain("public.Quote");
  expect(rows.filter((row) => !row.includes(", sealed: "))).toEqual([]);
  expect(await tablesWith(...digests)).toEqual(
    expect.arrayContaining(["public.Order", "public.Quote", "public.QuoteSuppression"]),
  );
});

test("of an order without insurance, nothing of its customer is left once it is processed", async () => {
  const plain = structuredClone(orderOf(full.ids["orderId"] ?? ""));
  const [product] = plain.lines;
  if (!product) throw new Error("The order has no line");
  Object.assign(plain, { id: "820982911946154507", name: "#2002", email: "paul.durand@example.com" });
  Object.assign(plain, {
    lines: [{ ...product, properties: [] }],
    billingAddress: null,
    shippingAddress: null,
    customer: null,
  });
  await happens({ topic: "orders/paid", order: plain }, "plain-order");
  // Erased with the order, even if the customer's request contains no address.
  for (const topic of ["orders/fulfilled", "orders/partially_fulfilled"] as const) {
    await happens({ topic, order: plain }, `plain-${topic}`);
    const event = await db.webhook.findFirst({ where: { id: webhookInboxId(topic, `plain-${topic}`) } });
    expect([topic, event?.orderId]).toEqual([topic, plain.id]);
  }
  expect(await db.order.count({ where: { orderId: plain.id } })).toBe(1);
  expect(await rowsWith("paul.durand@example.com")).toEqual([]);
});

test("the quote of a named order is reported and erased, though its customer has another address now", async () => {
  const orderId = "820982911946154507";
  const quote = await db.quote.findFirstOrThrow({
    where: { shop: domain, quoteId: full.ids["quoteId"] ?? "" },
  });
  const customer = sealQuoteCustomer(await dataKeyOf(domain), {
    customerName: "Paul Durand",
    customerEmail: "paul.durand@example.com",
    subscriptionLink: "https://insurer.example/quote",
    signatureLink: null,
    // The customer's data in an unconfirmed quote.
    entries: { birthDate: "1971-02-03" },
  });
  const quoteId = "quote-of-the-previous-address";
  await db.quote.create({ data: { ...quote, ...customer, offers: [], quoteId, requestId: null } });
  const item = { lineId: "1", number: 1 };
  await appendToOrder(domain, orderId, () => madeQuote(item, { environment: "test" }, { quoteId }), {
    sendsJob: false,
  });
  const current = { customerId: "3", email: "paul@new.example", phone: null, orderIds: [orderId] };

  await happens({ topic: "customers/data_request", ...current }, "data-request-paul");
  const inboxId = webhookInboxId("customers/data_request", "data-request-paul");
  const task = await db.task.findFirstOrThrow({ where: { shop: domain, key: { contains: inboxId } } });
  const report = await open(customerData, `/app/tasks/${task.id}/data`, { taskId: task.id });
  expect(report.text).toContain(quoteId);
  expect(report.text).toContain("paul.durand@example.com");
  expect(report.text).toContain("1971-02-03");

  await happens({ topic: "customers/redact", ...current }, "redact-paul");
  const { text } = await open(quotesPage, "/app/quotes");
  expect(text).toContain(quoteId);
  expect(text).not.toContain("Durand");
  expect(await rowsWith("paul.durand@example.com", "Durand")).toEqual([]);
  expect(await db.quote.findMany({ where: { shop: domain, quoteId } })).toMatchObject([
    { sealedCustomer: null, emailDigest: null, nameDigests: [] },
  ]);
  expect(await db.orderQuote.findMany({ where: { shop: domain, orderId } })).toMatchObject([
    { state: "revoked", reason: "erased" },
  ]);
  await db.quote.deleteMany({ where: { shop: domain, quoteId } });
});

test("a customer's question for their data is a task that names where it is, and its text is not kept", async () => {
  await happens({ topic: "customers/data_request", ...requested() }, "data-request");
  const { text } = await open(taskPage, "/app/tasks?kind=customer_data_request");
  expect(text).toContain("customer_data_request");
  expect(text).toContain(full.ids["orderId"]);
  expect(text).toContain(full.ids["quoteId"]);
  const inboxId = webhookInboxId("customers/data_request", "data-request");
  expect((await findWebhook(domain, inboxId))?.body).not.toContain("@");
  const task = await db.task.findFirstOrThrow({ where: { shop: domain, key: { contains: inboxId } } });
  const report = await open(customerData, `/app/tasks/${task.id}/data`, { taskId: task.id });
  expect(report.text).toContain("CLM-OF-CUSTOMER");
  expect(report.text).not.toContain("CLM-OF-ANOTHER");
});

test("after a new encryption key, everything is sealed again while it is being read, and the old key can go", async () => {
  const keys = env.ENCRYPTION_KEYS;
  const old = keys.map(({ id }) => id);
  keys.unshift({ id: "new", key: createSecretKey(randomBytes(32)) });
  const read = async () => {
    forgetDataKey(domain);
    const store = await storeConnection(domain, "test");
    const tokens = [store?.account, await organisationAccount(domain, "test")];
    const [session] = await sessionStorage.findSessionsByShop(domain);
    const event = await findWebhook(domain, full.ids["inboxId"] ?? "");
    return [...tokens.map((account) => account?.token), session?.accessToken, event?.body];
  };
  const before = await read();
  expect(before.every((value) => value !== undefined && value !== "")).toBe(true);
  const resealing = { isDone: false };
  const reading = (async () => {
    let steps = 0;
    for (; !resealing.isDone; steps += 1) expect(await read()).toEqual(before);
    return steps;
  })();
  const counts = await resealSecrets();
  resealing.isDone = true;
  expect(await reading).toBeGreaterThan(0);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  expect(await resealSecrets()).toEqual({ sessions: 0, tokens: 0, dataKeys: 0 });
  for (const id of old)
    keys.splice(
      keys.findIndex((key) => key.id === id),
      1,
    );
  expect(await read()).toEqual(before);
});

test("another shop's deletion of a customer of the same name leaves this shop's customer", async () => {
  const before = await databasePrint(domain);
  await happens({ topic: "customers/redact", ...requested() }, "their-redact", otherShop.shopDomain);
  expect(await databasePrint(domain)).toEqual(before);
});

test("customers/redact of another customer leaves this one: without an address, or with the end of theirs", async () => {
  const known = await rowsWith(full.email);
  const [name = "", host = ""] = full.email.split("@");
  const others = [
    null,
    "",
    " ",
    `${name.slice(1)}@${host}`,
    `${name}@${host.slice(0, host.lastIndexOf("."))}`,
  ];
  for (const [index, email] of others.entries()) {
    await happens(
      { topic: "customers/redact", customerId: "2", email, phone: "+33700000000", orderIds: [] },
      `nobody-${index}`,
    );
  }
  expect((await rowsWith(full.email)).filter((row) => !row.includes("customers/redact"))).toEqual(known);
});

test("after customers/redact no row of any table knows the customer, and other customers are still known", async () => {
  const others = structuredClone(orderOf(full.ids["orderId"] ?? ""));
  const name = { first_name: "Omar", last_name: "Haddad" };
  const address = { ...name, address1: "9 quai Ouest", phone: "0698765432" };
  const billingAddress = others.billingAddress && { ...others.billingAddress, ...address };
  const customer = others.customer && {
    ...others.customer,
    ...name,
    id: "207119",
    email: "omar@example.com",
  };
  Object.assign(others, { id: "820982911946154508", name: "#2001", email: "omar@example.com" });
  Object.assign(others, { customer, billingAddress, shippingAddress: null });
  await happens({ topic: "orders/paid", order: others }, "others-order");
  const known = await rowsWith("omar@example.com");
  expect(known.length).toBeGreaterThan(0);

  const entries = await db.auditEntry.count({ where: { shop: domain, action: "customer_erased" } });
  // In a note the address follows JSON-escaped text. There are more events than one batch opens.
  const notes = [`mail:\\n${full.email}`, `\\u003c${full.email}\\u003e`, ...Array<string>(100).fill("none")];
  for (const [index, note] of notes.entries()) {
    const request = webhookRequest("products/update", `{"id":1,"note":"${note}"}`, {
      webhookId: `note-${index}`,
    });
    expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
  }

  // The request is erased last, after its result is recorded: it is one of the erased events.
  await db.$executeRaw`
    ALTER TABLE "AuditEntry" ADD CONSTRAINT "full" CHECK (action <> 'customer_erased') NOT VALID`;
  await expect(happens({ topic: "customers/redact", ...requested() }, "redact")).rejects.toThrow("full");
  await db.$executeRaw`ALTER TABLE "AuditEntry" DROP CONSTRAINT "full"`;
  const inboxId = webhookInboxId("customers/redact", "redact");
  const last = { shop: domain, id: "zzz" };
  await db.webhook.create({
    data: {
      ...last,
      topic: "products/update",
      webhookId: "zzz",
      eventId: "",
      sealedBody: "not sealed",
      state: "done",
    },
  });
  await expect(processWebhook({ shop: domain, inboxId })).rejects.toThrow();
  await db.webhook.deleteMany({ where: last });
  await processWebhook({ shop: domain, inboxId });
  expect(await db.auditEntry.count({ where: { shop: domain, action: "customer_erased" } })).toBe(entries + 2);
  expect(await rowsWith(...person)).toEqual([]);
  expect(await rowsWith("omar@example.com")).toEqual(known);
  expect(await rowsWith("CLM-OF-CUSTOMER")).toEqual([]);
  expect(await tablesWith("CLM-OF-ANOTHER")).toEqual(["public.ContractClaims"]);
  // The customer's digests are gone, and the quote's link is dead.
  expect(await rowsWith(...digests)).toEqual([]);
  expect(
    await db.orderQuote.findMany({ where: { shop: domain, orderId: full.ids["orderId"] ?? "" } }),
  ).toMatchObject([{ state: "revoked", reason: "erased" }]);
  expect(await db.quoteSuppression.count({ where: { shop: domain } })).toBe(1);
});

test("a later event of the order is processed and leaves nothing of the customer", async () => {
  await happens({ topic: "orders/cancelled", order: orderOf(full.ids["orderId"] ?? "") }, "cancelled");
  const kept = await db.webhook.findFirstOrThrow({ where: { shop: domain, webhookId: "cancelled" } });
  expect(kept).toMatchObject({ state: "done", sealedBody: "" });
  expect(await rowsWith(...person)).toEqual([]);
});

test("claims that the insurer still shows of the contract are not kept again", async () => {
  const { planId: contractId = "", orderId = "" } = full.ids;
  const claim = JSON.stringify({ plan_id: contractId, claim_type: "theft" });
  expect((await fetch(`${insurance.control_url}/claims`, { method: "POST", body: claim })).ok).toBe(true);
  const address = claimLink(domain, orderId);
  const params = { shop: domain, link: address.slice(address.lastIndexOf("/") + 1) };
  const page = await responseOf(claimPage({ request: new Request(address), params, context: {} }));
  expect(await page.text()).toContain(contractId);
  await jobHandlers["claim-changes"](
    { shop: domain },
    { signal: new AbortController().signal, isTimeSliceUsed: () => false },
  );
  expect(await db.contractClaims.count({ where: { shop: domain, contractId } })).toBe(0);
});

test("the contract stays on record under its number, on a page without its customer", async () => {
  const orderId = full.ids["orderId"] ?? "";
  const { status, text } = await open(orderPage, `/app/orders/${orderId}`, { orderId });
  expect(status).toBeNull();
  expect(text).toContain(full.ids["planId"]);
  expect(text).not.toContain(full.email);
});

test("app/scopes_update: a page says what is not granted any more", async () => {
  const current = ["read_products", "write_products"];
  // Shopify sends this event: the app discards its token, and the next token lists the granted scopes.
  if (shop.state.installation) shop.state.installation.scopes = current;
  await happens({ topic: "app/scopes_update", previous: [], current }, "scopes");
  const [session] = await sessionStorage.findSessionsByShop(domain);
  expect(session?.scope).toBe(current.join(","));
  const { status, text } = await open(taskPage, "/app/tasks");
  expect(status).toBe(403);
  expect(text).toContain("read_orders");
});

test("shop/redact of a shop that has the app deletes nothing", async () => {
  const before = await databasePrint(domain);
  await happens({ topic: "shop/redact" }, "early-redact");
  const after = await databasePrint(domain);
  for (const table of ["Order", "Connection", "Session", "Reference", "Quote"]) {
    expect(after[table]).toBe(before[table]);
  }
});

test("app/uninstalled takes the shop's access away, and no other shop's", async () => {
  shop.uninstall();
  await happens({ topic: "app/uninstalled" }, "uninstalled");
  expect(await db.session.count({ where: { shop: domain } })).toBe(0);
  expect(await db.session.count({ where: { shop: otherShop.shopDomain } })).toBe(1);
});

test("shop/redact after that, and its time of grace, leave no row of the shop in any table, and all of another shop's", async () => {
  const others = await databasePrint(otherShop.shopDomain);
  const tables = ["OrderQuote", "QuoteSuppression", "QuoteSettings", "WaitingOrder", "ContractClaims"];
  expect(await tablesWith(domain)).toEqual(expect.arrayContaining(tables.map((name) => `public.${name}`)));
  await happens({ topic: "shop/redact" }, "shop-redact");
  await eraseDueShops(new Date(Date.now() + 8 * 24 * 3_600_000));
  // pg-boss refreshes its list of active jobs, which names shops, about every minute.
  await eventually(async () => expect(await rowsWith(domain)).toEqual([]), "no row is left", {
    withinMs: 180_000,
  });
  expect(await rowsWith("omar@example.com")).toEqual([]);
  expect(await databasePrint(otherShop.shopDomain)).toEqual(others);
});
