import { beforeAll, expect, test } from "vitest";
import { DEAD_LETTER, jobQueue } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import { action, loader } from "#app/routes/webhooks.tsx";
import { installApp } from "#test/install.ts";
import { secrets, shop, webhookRequest } from "#test/world.ts";

const order = { id: 820982911946154500, name: "#1001" };

beforeAll(() => installApp());

async function send(request: Request): Promise<Response> {
  return action({ request, params: {}, context: {} });
}

async function waitingJobs(eventId: string): Promise<number> {
  const jobs = await (await jobQueue()).findJobs("platform-event", { data: { eventId } });
  return jobs.length;
}

test("a signed webhook is stored with its job, body to the letter, and answered with 200", async () => {
  const body = `{"id":820982911946154508,"note":"é"}`;
  const response = await send(webhookRequest("orders/paid", body, { eventId: "event-1" }));
  expect(response.status).toBe(200);
  expect(
    await db.inboxEvent.findUnique({
      where: { shop_eventId: { shop: shop.shopDomain, eventId: "event-1" } },
    }),
  ).toMatchObject({
    topic: "orders/paid",
    body,
    state: "received",
  });
  expect(await waitingJobs("event-1")).toBe(1);
});

test("the same event delivered fifty times at once is stored once, with one job", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => send(webhookRequest("orders/paid", order, { eventId: "event-2" }))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await db.inboxEvent.count({ where: { eventId: "event-2" } })).toBe(1);
  expect(await waitingJobs("event-2")).toBe(1);
});

test.each([
  [
    "a forged signature",
    () => webhookRequest("orders/paid", order, { eventId: "bad", signature: "Zm9yZ2Vk" }),
  ],
  ["no signature", () => webhookRequest("orders/paid", order, { eventId: "bad", signature: "" })],
  ["somebody else's secret", () => webhookRequest("orders/paid", order, { eventId: "bad", secret: "other" })],
  [
    "an altered body",
    () => {
      const signed = webhookRequest("orders/paid", order, { eventId: "bad" });
      return new Request(signed.url, {
        method: "POST",
        headers: signed.headers,
        body: JSON.stringify({ ...order, id: 1 }),
      });
    },
  ],
])("%s gets 401 and stores nothing", async (_, request) => {
  expect((await send(request())).status).toBe(401);
  expect(await db.inboxEvent.count({ where: { eventId: "bad" } })).toBe(0);
});

test("the secret before a rotation is still accepted", async () => {
  const response = await send(
    webhookRequest("orders/paid", order, { eventId: "event-3", secret: secrets.previousSecret }),
  );
  expect(response.status).toBe(200);
  expect(await db.inboxEvent.count({ where: { eventId: "event-3" } })).toBe(1);
});

test("headers that are not the platform's get 400 and store nothing", async () => {
  const response = await send(
    webhookRequest("orders/paid", order, { eventId: "event-4", domain: "evil.example.com" }),
  );
  expect(response.status).toBe(400);
  expect(await db.inboxEvent.count({ where: { eventId: "event-4" } })).toBe(0);
});

test("a shop that does not have the app gets 200 and nothing is stored", async () => {
  const response = await send(
    webhookRequest("orders/paid", order, { eventId: "event-5", domain: "stranger.myshopify.com" }),
  );
  expect(response.status).toBe(200);
  expect(await db.inboxEvent.count({ where: { eventId: "event-5" } })).toBe(0);
});

test("a body that is not JSON is stored as it came: the worker makes a task of it, the platform does not repeat it", async () => {
  expect((await send(webhookRequest("orders/paid", "<html>", { eventId: "event-6" }))).status).toBe(200);
  expect((await db.inboxEvent.findFirst({ where: { eventId: "event-6" } }))?.body).toBe("<html>");
});

test("opening the address in a browser is answered, and the dead-letter queue exists from the start", async () => {
  expect(loader().status).toBe(405);
  expect(await (await jobQueue()).getQueue(DEAD_LETTER)).not.toBeNull();
});
