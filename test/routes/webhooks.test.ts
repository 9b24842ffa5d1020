import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { findWebhook } from "#app/inbox/stored-webhooks.server.ts";
import { handleWebhookRequest } from "#app/webhooks/intake.server.ts";
import { DEAD_LETTER } from "#app/jobs/queue-tables.server.ts";
import { jobQueue, notifyChannel, sendJob } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import { action, loader } from "#app/routes/webhooks.tsx";
import { webhookInboxId } from "#app/shopify/webhook.server.ts";
import { listen } from "#test/sandbox/listen.ts";
import { eventually } from "#test/eventually.ts";
import { installApp } from "#test/install.ts";
import { secrets, shop, webhookRequest } from "#test/world.ts";

const order = { id: 820982911946154500, name: "#1001" };

beforeAll(() => installApp());

async function send(request: Request): Promise<Response> {
  return action({ request, params: {}, context: {} });
}

async function waitingJobs(webhookId: string): Promise<number> {
  const inboxId = webhookInboxId("orders/paid", webhookId);
  const jobs = await (await jobQueue()).findJobs("webhook", { data: { inboxId } });
  return jobs.length;
}

async function eventOf(webhookId: string) {
  const { id } = await db.webhook.findFirstOrThrow({ where: { shop: shop.shopDomain, webhookId } });
  return findWebhook(shop.shopDomain, id);
}

test("a signed webhook is stored with its job, body to the letter, and answered with 200", async () => {
  const body = `{"id":820982911946154508,"note":"é"}`;
  const response = await send(webhookRequest("orders/paid", body, { webhookId: "webhook-1" }));
  expect(response.status).toBe(200);
  expect(await eventOf("webhook-1")).toMatchObject({ topic: "orders/paid", body, state: "received" });
  expect(await waitingJobs("webhook-1")).toBe(1);
});

test("webhooks of one action share its event id, and each of them is stored with its job", async () => {
  const eventId = "one-action";
  for (const topic of ["orders/cancelled", "refunds/create", "ORDERS/PAID", "orders/paid"]) {
    await send(webhookRequest(topic, order, { eventId, webhookId: "one-id" }));
  }
  await send(webhookRequest("orders/paid", order, { eventId, webhookId: "another-id" }));
  const stored = await db.webhook.findMany({ where: { eventId }, orderBy: { id: "asc" } });
  expect(stored.map(({ topic, webhookId }) => `${topic} ${webhookId}`)).toEqual([
    "orders/cancelled one-id",
    "orders/paid another-id",
    "orders/paid one-id",
    "refunds/create one-id",
  ]);
  expect(await waitingJobs("one-id")).toBe(1);
  expect(await waitingJobs("another-id")).toBe(1);
});

test("the same webhook delivered fifty times at once is stored once, with one job", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => send(webhookRequest("orders/paid", order, { webhookId: "webhook-2" }))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await db.webhook.count({ where: { webhookId: "webhook-2" } })).toBe(1);
  expect(await waitingJobs("webhook-2")).toBe(1);
});

test.each([
  [
    "a forged signature",
    () => webhookRequest("orders/paid", order, { webhookId: "bad", signature: "Zm9yZ2Vk" }),
  ],
  ["no signature", () => webhookRequest("orders/paid", order, { webhookId: "bad", signature: "" })],
  ["another secret", () => webhookRequest("orders/paid", order, { webhookId: "bad", secret: "other" })],
  [
    "an altered body",
    () => {
      const signed = webhookRequest("orders/paid", order, { webhookId: "bad" });
      return new Request(signed.url, {
        method: "POST",
        headers: signed.headers,
        body: JSON.stringify({ ...order, id: 1 }),
      });
    },
  ],
])("%s gets 401 and stores nothing", async (_, request) => {
  expect((await send(request())).status).toBe(401);
  expect(await db.webhook.count({ where: { webhookId: "bad" } })).toBe(0);
});

test("ids that no index can hold are refused or left out, and a moment of another age is none", async () => {
  const digits = Array.from({ length: 9_000 }, (_, index) => (index * index) % 10).join("");
  const ids = Array.from({ length: 100 }, () => randomBytes(40).toString("hex")).join("");
  expect((await send(webhookRequest("orders/paid", order, { webhookId: ids }))).status).toBe(400);
  expect((await send(webhookRequest("orders/paid", order, { eventId: ids }))).status).toBe(400);
  for (const year of ["0000", "9999"]) {
    const request = webhookRequest("orders/paid", `{"id":1${digits}}`, { webhookId: `in ${year}` });
    request.headers.set("x-shopify-triggered-at", `${year}-12-01T00:00:00Z`);
    expect((await send(request)).status).toBe(200);
    const row = await db.webhook.findFirstOrThrow({ where: { webhookId: `in ${year}` } });
    expect(row).toMatchObject({ orderId: null, triggeredAt: null });
  }
});

test("a body can be read with the shop's own key alone, short or long", async () => {
  for (const [webhookId, filler] of [
    ["short", "ana@example.com"],
    ["long", randomBytes(60_000).toString("hex")],
  ] as const) {
    const body = JSON.stringify({ id: 1, email: "ana@example.com", filler });
    expect((await send(webhookRequest("orders/paid", body, { webhookId }))).status).toBe(200);
    const { sealedBody } = await db.webhook.findFirstOrThrow({ where: { webhookId } });
    expect((await eventOf(webhookId))?.body).toBe(body);
    const { dataKeyId } = await db.merchant.findFirstOrThrow({ where: { shop: shop.shopDomain } });
    expect(sealedBody.startsWith(`${dataKeyId}.`)).toBe(true);
  }
});

test("a shop that was erased by another process and has another key by now is stored with that one", async () => {
  const where = { shop: shop.shopDomain };
  const { dataKeyId } = await db.merchant.findFirstOrThrow({ where });
  // This process still remembers the erased key.
  await db.merchant.updateMany({ where, data: { dataKeyId: null, sealedDataKey: null } });
  const body = `{"id":1}`;
  const response = await send(webhookRequest("orders/paid", body, { webhookId: "new-key" }));
  expect(await response.text()).toBe("stored");
  expect((await db.merchant.findFirstOrThrow({ where })).dataKeyId).not.toBe(dataKeyId);
  expect((await eventOf("new-key"))?.body).toBe(body);
});

test("the secret before a rotation is still accepted", async () => {
  const response = await send(
    webhookRequest("orders/paid", order, { webhookId: "webhook-3", secret: secrets.previousSecret }),
  );
  expect(response.status).toBe(200);
  expect(await db.webhook.count({ where: { webhookId: "webhook-3" } })).toBe(1);
});

test("headers that are not Shopify's get 400 and store nothing", async () => {
  const response = await send(
    webhookRequest("orders/paid", order, { webhookId: "webhook-4", domain: "evil.example.com" }),
  );
  expect(response.status).toBe(400);
  expect(await db.webhook.count({ where: { webhookId: "webhook-4" } })).toBe(0);
});

test("a shop that does not have the app gets 200 and nothing is stored", async () => {
  const response = await send(
    webhookRequest("orders/paid", order, { webhookId: "webhook-5", domain: "stranger.myshopify.com" }),
  );
  expect(response.status).toBe(200);
  expect(await db.webhook.count({ where: { webhookId: "webhook-5" } })).toBe(0);
});

test("a body that is no JSON object is refused, because Shopify sends none", async () => {
  for (const body of ["<html>", "[]", "null", '"text"']) {
    expect((await send(webhookRequest("orders/paid", body, { webhookId: "webhook-6" }))).status).toBe(401);
  }
  expect(await db.webhook.count({ where: { webhookId: "webhook-6" } })).toBe(0);
});

test("an object that is no order is stored as received: the worker makes a task of it, and Shopify does not retry", async () => {
  expect(
    (await send(webhookRequest("orders/paid", { html: "<p>" }, { webhookId: "webhook-6" }))).status,
  ).toBe(200);
  expect((await eventOf("webhook-6"))?.body).toBe('{"html":"<p>"}');
});

test("a body with characters that no database's text can hold is stored all the same", async () => {
  expect((await send(webhookRequest("orders/paid", '{"a":"\0"}', { webhookId: "webhook-7" }))).status).toBe(
    200,
  );
  expect((await eventOf("webhook-7"))?.body).toBe('{"a":"\uFFFD"}');
});

test("of events that are stored together, one that the database refuses does not take the others with it", async () => {
  await db.$executeRaw`ALTER TABLE "Webhook" ADD CONSTRAINT refused CHECK ("webhookId" <> 'refused') NOT VALID`;
  onTestFinished(async () => {
    await db.$executeRaw`ALTER TABLE "Webhook" DROP CONSTRAINT refused`;
  });
  const answers = await Promise.all(
    ["beside-1", "refused", "beside-2"].map((webhookId) =>
      send(webhookRequest("orders/paid", order, { webhookId })),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 503, 200]);
  expect(answers[1]?.headers.get("retry-after")).toBe("10");
  expect(await db.webhook.count({ where: { webhookId: { startsWith: "beside-" } } })).toBe(2);
  expect(await waitingJobs("beside-2")).toBe(1);
});

test("a webhook's job carries the id of its request, by which a reader of the log finds both", async () => {
  const inboxId = webhookInboxId("orders/paid", "webhook-8");
  await send(webhookRequest("orders/paid", order, { webhookId: "webhook-8" }));
  const [job] = await (await jobQueue()).findJobs<{ requestId: string }>("webhook", { data: { inboxId } });
  expect(job?.data.requestId).toMatch(/^[0-9a-f-]{36}$/);
});

test("of a shop's flood, what comes behind the first hundred waits in its backlog, and what comes then, too", async () => {
  await db.$executeRaw`DELETE FROM pgboss.job WHERE name = 'webhook'`;
  const flood = (length: number) =>
    Promise.all(Array.from({ length }, () => send(webhookRequest("orders/paid", order))));
  const waiting = () => db.$queryRaw<{ priority: number; jobs: number }[]>`
    SELECT priority, count(*)::int AS jobs FROM pgboss.job WHERE name = 'webhook' GROUP BY 1 ORDER BY 1 DESC`;
  await flood(100);
  expect(await waiting()).toEqual([{ priority: 0, jobs: 100 }]);
  await flood(20);
  expect(await waiting()).toEqual([
    { priority: 0, jobs: 100 },
    { priority: -1, jobs: 20 },
  ]);
  await db.$executeRaw`DELETE FROM pgboss.job WHERE name = 'webhook' AND priority = 0`;
  await flood(1);
  expect(await waiting()).toEqual([{ priority: -1, jobs: 21 }]);
  await db.$executeRaw`DELETE FROM pgboss.job WHERE name = 'webhook'`;
});

const productJobs = () => db.$queryRaw<{ state: string }[]>`
  SELECT state::text FROM pgboss.job WHERE name = 'product-webhooks' ORDER BY created_on`;

test("a shop's product webhooks share one waiting job; one that comes while it runs gets another", async () => {
  const queue = await jobQueue();
  const update = (id: number) => send(webhookRequest("products/update", { id }));
  await Promise.all(Array.from({ length: 20 }, (_, index) => update(index)));
  expect(await productJobs()).toEqual([{ state: "created" }]);
  expect(await queue.fetch("product-webhooks")).toHaveLength(1);
  await update(20);
  expect(await productJobs()).toEqual([{ state: "active" }, { state: "created" }]);
  await db.$executeRaw`DELETE FROM pgboss.job WHERE name = 'product-webhooks'`;
});

test("a product webhook that is delivered again, because the web server died before its job was sent, gets the job", async () => {
  const deliver = () => send(webhookRequest("products/update", { id: 1 }, { webhookId: "webhook-13" }));
  await deliver();
  await db.$executeRaw`DELETE FROM pgboss.job WHERE name = 'product-webhooks'`;
  expect(await (await deliver()).text()).toBe("duplicate");
  expect(await productJobs()).toEqual([{ state: "created" }]);
  await db.$executeRaw`DELETE FROM pgboss.job WHERE name = 'product-webhooks'`;
});

test("a job that is due is announced where the worker listens, from the intake and from the queue", async () => {
  const heard: string[] = [];
  const listening = await (await jobQueue()).getDb().listen?.(
    notifyChannel,
    (name) => heard.push(name),
    () => undefined,
  );
  await send(webhookRequest("orders/paid", order, { webhookId: "webhook-9" }));
  await eventually(() => expect(heard).toEqual(["webhook"]));
  await sendJob(db, "order", { shop: shop.shopDomain, orderId: "1" });
  await eventually(() => expect(heard).toEqual(["webhook", "order"]));
  await listening?.close();
});

test("over the network, before the framework: stored, forged, too long", async () => {
  const server = createServer((request, response) => void handleWebhookRequest(request, response));
  const { url, close } = await listen(server);
  const post = async (request: Request) =>
    fetch(`${url}/webhooks`, {
      method: "POST",
      headers: request.headers,
      body: await request.arrayBuffer(),
    });
  const stored = await post(webhookRequest("orders/paid", order, { webhookId: "webhook-10" }));
  expect([stored.status, await stored.text()]).toEqual([200, "stored"]);
  const forged = await post(
    webhookRequest("orders/paid", order, { webhookId: "webhook-11", signature: "Zm9yZ2Vk" }),
  );
  expect(forged.status).toBe(401);
  const long = await post(
    webhookRequest("orders/paid", "x".repeat(17 * 1024 * 1024), { webhookId: "webhook-12" }),
  );
  expect(long.status).toBe(413);
  expect(
    await db.webhook.count({ where: { webhookId: { in: ["webhook-10", "webhook-11", "webhook-12"] } } }),
  ).toBe(1);
  await close();
});

test("opening the address in a browser is answered, and the dead-letter queue exists from the start", async () => {
  expect(loader().status).toBe(405);
  expect(await (await jobQueue()).getQueue(DEAD_LETTER)).not.toBeNull();
});
