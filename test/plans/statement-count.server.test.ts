/** What a paid order costs the database, from its report to the end of issuing, and the service where its answer was lost. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { dataKeyOf, forgetDataKey } from "#app/merchants/data-key.server.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { checkOptionalScopes } from "#app/merchants/optional-scopes.server.ts";
import { db } from "#app/platform/db.server.ts";
import { hourlyTasks } from "#app/jobs/definitions.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { pauseAccount } from "#app/plans/reconciler/account.server.ts";
import { probeAccount } from "#app/plans/reconciler/probe-account.server.ts";
import { reconcileOrder } from "#app/plans/reconciler/reconcile-order.server.ts";
import { jobQueue } from "#app/jobs/queue.server.ts";
import { eraseCustomer } from "#app/plans/privacy.server.ts";
import { storeAndReconcile } from "#app/plans/reconciler/store-and-reconcile.server.ts";
import { CONSENT, INSURED_VARIANT, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import { connectShop } from "#test/install.ts";
import { catalogueRows, customer, linesFor, sellReferences } from "#test/plans/references.ts";
import type { SoldReference } from "#test/plans/references.ts";
import { line, plan, product, shopOrder } from "#test/plans/samples.ts";
import { listAllContracts } from "#test/plans/selling-shop.ts";
import { statementsOf } from "#test/routes/statements.ts";
import { fulfilmentState } from "#test/sandbox/shop/fulfilments.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import { findVariant } from "#test/sandbox/shop/products.ts";
import { webhookPayload } from "#test/sandbox/shop/webhooks/payloads.ts";
import { action as receive } from "#app/routes/webhooks.tsx";
import { insurance, shop, webhookRequest } from "#test/world.ts";

vi.mock("@prisma/adapter-pg", async (original) => {
  const { recording } = await import("#test/routes/statements.ts");
  return recording(await original());
});

const domain = shop.shopDomain;
let references: SoldReference[] = [];
let insuredLines: ReturnType<typeof line>[] = [];

beforeAll(async () => {
  await connectShop();
  await setMail(false);
  // A process reads a merchant's key once in five minutes.
  await dataKeyOf(domain);
  references = await sellReferences(shop.state, insurance.control_url);
  const rows = catalogueRows(domain, shop.state, references);
  await db.reference.createMany({ data: rows.references });
  await db.syncedVariant.createMany({ data: rows.variants });
  await db.shopProduct.createMany({ data: rows.products });
  const sold = linesFor(shop.state, references);
  const phone = [...shop.state.products.values()].find(({ variants }) =>
    variants.some(({ id }) => id === sold.phone.variantId),
  );
  const variant = phone?.variants.find(({ id }) => id === sold.phone.variantId);
  if (!phone || !variant) throw new Error("The demo shop has no smartphone");
  const { reference_id, price } = sold.reference;
  insuredLines = [
    product("1", variant.price, "p", { productId: phone.id, variantId: variant.id }),
    plan("2", "p", {
      variantId: sold.reference.variantId,
      sku: reference_id,
      amounts: [{ currency: "EUR", unitPriceMinor: price, discountsMinor: 0 }],
      properties: {
        [PAIR]: "p",
        [INSURED_VARIANT]: variant.id,
        [REFERENCE]: reference_id,
        [CONSENT]: "1 2026-11-20T09:59:00.000Z",
      },
    }),
  ];
});

async function setMail(mailsContracts: boolean): Promise<void> {
  const row = { shop: domain, settings: { ...defaultMerchantSettings, mailsContracts } };
  await db.merchantSettings.upsert({ where: { shop: domain }, create: row, update: row });
}

async function countStatements(order: ReturnType<typeof shopOrder>): Promise<number> {
  const statements = await statementsOf(async () => {
    await storeAndReconcile(domain, order, "delivered");
  });
  if (process.env["PRINT_STATEMENTS"]) console.log(statements.join("\n---\n"));
  return statements.length;
}

test("an insured order is stored, insured, recorded and announced to Shopify Flow in eight statements", async () => {
  const count = await countStatements(shopOrder(insuredLines, { id: "1" }));
  expect(await db.insuredUnit.findMany({ where: { orderId: "1" } })).toMatchObject([{ state: "active" }]);
  expect(await db.order.findFirst({ where: { orderId: "1" } })).toMatchObject({
    salesRecordStatus: "recorded",
    leaseHolder: null,
  });
  expect(count).toBe(8);
});

test("the mail about its contracts takes four more", async () => {
  await setMail(true);
  expect(await countStatements(shopOrder(insuredLines, { id: "20" }))).toBe(12);
  await setMail(false);
});

test("an insured order is stored, insured, recorded, fulfilled and shown in seventeen statements from its webhook on", async () => {
  const scopes = [...shop.app.scopes, ...shop.app.optionalScopes];
  const { installation } = shop.state;
  if (!installation) throw new Error("The app is not installed");
  shop.state.installation = { ...installation, scopes };
  await checkOptionalScopes(domain);
  const { phone, plan: cover } = linesFor(shop.state, references);
  // What is not shipped is fulfilled at once.
  const handedOver = findVariant(shop.state, phone.variantId)?.variant;
  if (handedOver) handedOver.requiresShipping = false;
  const sell = () => {
    const lines = [phone, cover];
    const sold = createPaidOrder(shop.state, { lines, email: "a@b.fr", billingAddress: customer });
    const said = { topic: "orders/paid", order: sold } as const;
    const payload = webhookPayload(shop.state, said, { protectedCustomerData: true });
    return { sold, request: webhookRequest("orders/paid", payload) };
  };
  // The first one refreshes the shop's token, which has the scopes then.
  const deliver = async ({ sold, request }: ReturnType<typeof sell>) => {
    const intake = await statementsOf(() => receive({ request, params: {}, context: {} }));
    const { id } = await db.webhook.findFirstOrThrow({ where: { orderId: sold.id } });
    const { signal } = new AbortController();
    const context = { signal, isTurnOver: () => false };
    const event = { shop: domain, inboxId: id };
    const work = await statementsOf(() => jobHandlers["webhook"](event, context));
    return { sold, count: intake.length + work.length };
  };
  await deliver(sell());
  const { sold, count } = await deliver(sell());
  expect(await db.order.findFirst({ where: { orderId: sold.id } })).toMatchObject({
    salesRecordStatus: "recorded",
    coverDigest: expect.any(String) as string,
    leaseHolder: null,
  });
  expect(await db.insuredUnit.findFirst({ where: { orderId: sold.id } })).toMatchObject({
    state: "active",
    fulfilledAt: expect.any(Date) as Date,
  });
  expect(fulfilmentState(sold)).toBe("partial");
  expect(findMetafield(shop.state, `gid://shopify/Order/${sold.id}`, "$app", "cover")?.value).toContain(
    "active",
  );
  // Five of them read the shop's session for its requests. The queue's own two fetch the job and complete it.
  expect(count).toBeLessThanOrEqual(17);
  await db.merchant.updateMany({
    where: { shop: domain },
    data: { canFulfil: false, canWriteOrders: false },
  });
});

test("an order without insurance is stored and recorded in three statements, without its customer", async () => {
  const count = await countStatements(shopOrder([line("1", 34_900)], { id: "2" }));
  expect(await db.order.findFirst({ where: { orderId: "2" } })).toMatchObject({
    salesRecordStatus: "recorded",
    sealedCustomer: null,
    emailDigest: null,
  });
  expect(count).toBe(3);
});

test("concurrent readers of a shop's key wait for one reading, and a shop without the app is queried once", async () => {
  forgetDataKey(domain);
  const reading = await statementsOf(() => Promise.all(Array.from({ length: 20 }, () => dataKeyOf(domain))));
  expect(reading).toHaveLength(1);
  const request = webhookRequest("orders/paid", { id: 1 }, { domain: "gone.myshopify.com" });
  const asking = await statementsOf(() => receive({ request, params: {}, context: {} }));
  expect(asking).toHaveLength(1);
});

test("an order whose account is paused is stored and waits, in three statements and without a call; then it goes on", async () => {
  await pauseAccount(domain, "test");
  const calls = (await listAllContracts()).length;
  expect(await countStatements(shopOrder(insuredLines, { id: "3" }))).toBe(3);
  expect(await db.waitingOrder.findMany()).toMatchObject([{ shop: domain, orderId: "3" }]);
  expect(await listAllContracts()).toHaveLength(calls);

  await probeAccount({ shop: domain, environment: "test" });
  expect(await db.waitingOrder.count()).toBe(0);
  const queue = await jobQueue();
  expect(await queue.findJobs("order")).toMatchObject([{ data: { shop: domain, orderId: "3" } }]);
  await reconcileOrder(domain, "3");
  expect(await db.insuredUnit.findMany({ where: { orderId: "3" } })).toMatchObject([{ state: "active" }]);
});

test("an erased customer's order, whose plan the service may have made, has all of the store's plans listed once, when the answer is final", async () => {
  const where = { shop: domain, orderId: "4" };
  const listings = () => insurance.traffic.counts.get("plans.list") ?? 0;
  insurance.faults.add({ operation: "plans.create", kind: "reset_before" });
  await storeAndReconcile(domain, shopOrder(insuredLines, { id: "4" }), "delivered");
  await eraseCustomer(domain, { email: null, customerId: null, orderIds: ["4"] });
  await db.insuredUnit.updateMany({ where, data: { changedAt: new Date(Date.now() + 3_600_000) } });
  const before = listings();
  await reconcileOrder(domain, "4");
  expect(await db.insuredUnit.findMany({ where })).toMatchObject([{ state: "unknown" }]);
  expect(listings() - before).toBe(0);

  await db.insuredUnit.updateMany({ where, data: { changedAt: new Date(0) } });
  await reconcileOrder(domain, "4");
  expect(await db.task.findMany({ where })).toMatchObject([{ kind: "customer_erased" }]);
  expect(listings() - before).toBe(1);
});

describe("the hourly job", () => {
  const context = (signal: AbortSignal) => ({ signal, isTurnOver: () => false });
  async function hourly(signal = new AbortController().signal): Promise<void> {
    for (const task of hourlyTasks) await jobHandlers.hourly({ task }, context(signal));
  }
  const install = async (name: string, shops: number) => {
    const idle = Array.from({ length: shops }, (_, index) => `${name}-${index}.myshopify.com`);
    await db.merchant.createMany({ data: idle.map((each) => ({ shop: each })) });
    return idle;
  };

  test("costs as many statements for fifty idle shops as for one", async () => {
    await hourly();
    await install("one", 1);
    const one = await statementsOf(() => hourly());
    const idle = await install("fifty", 50);
    expect(await statementsOf(() => hourly())).toHaveLength(one.length);
    expect(await db.reconciliationRun.count({ where: { shop: { in: idle } } })).toBe(50);
    // Their runs begin one after another, and none is started again while it waits.
    await hourly();
    expect(await db.reconciliationRun.count({ where: { shop: { in: idle } } })).toBe(50);
    const jobs = await db.$queryRaw`
      SELECT name, count(*)::int AS jobs, count(DISTINCT start_after)::int AS times FROM pgboss.job
      WHERE group_id = ANY(${idle}) GROUP BY name ORDER BY name`;
    expect(jobs).toEqual([{ name: "reconciliation", jobs: 50, times: 50 }]);
  });

  test("sends each of its tasks as a job of its own, and none twice", async () => {
    const { signal } = new AbortController();
    for (let hour = 0; hour < 2; hour++) await jobHandlers.hourly({}, context(signal));
    const jobs = await (await jobQueue()).findJobs<{ task: string }>("hourly", { queued: true });
    expect(jobs.map(({ data }) => data.task).sort()).toEqual([...hourlyTasks].sort());
  });

  test("ends before the next shop where it has run out of time", async () => {
    await expect(hourly(AbortSignal.abort())).rejects.toThrow("aborted");
  });
});
