/** The operators' view of a process: Prometheus metrics, the worker's liveness, traces. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import pg from "pg";
import { parse } from "yaml";
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { DEAD_LETTER } from "#app/jobs/queue-tables.server.ts";
import { jobQueue } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import { serveOperations } from "#app/processes/operations.server.ts";
import type { OperationsServer } from "#app/processes/operations.server.ts";
import { exportTraces } from "#app/processes/trace-export.server.ts";
import { action as receive } from "#app/routes/webhooks.tsx";
import { eventually } from "#test/eventually.ts";
import { settleJobs } from "#test/job-worker.ts";
import { setUpSellingShop } from "#test/orders/selling-shop.ts";
import { listen } from "#test/sandbox/listen.ts";
import { statementsOf } from "#test/routes/statements.ts";
import { insurance, shop, webhookRequest } from "#test/world.ts";

vi.mock("@prisma/adapter-pg", async (original) => {
  const { recording } = await import("#test/routes/statements.ts");
  return recording(await original());
});

const selling = setUpSellingShop();
let operations: OperationsServer;
beforeAll(async () => {
  operations = await serveOperations({ host: "127.0.0.1", port: 0 });
});
afterAll(() => operations.close());

async function ask(path: string, { port } = operations): Promise<{ status: number; body: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, body: await response.text() };
}

/** The value of a line such as `parasol_webhooks_total{topic="orders/paid",outcome="stored"}`; null: no such line. */
function valueOf(text: string, series: string): number | null {
  const line = text.split("\n").find((each) => each.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

const post = (topic: string, options: Parameters<typeof webhookRequest>[2] = {}) =>
  receive({ request: webhookRequest(topic, { id: 1 }, options), params: {}, context: {} });

describe("the metrics", () => {
  test("show an order's way from the webhook to the plan, and what is late", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 429, times: 1 });
    await selling.buyAndIssue();
    const late = await selling.buyAndIssue();
    await db.$executeRaw`UPDATE "InsuredItem" SET state = 'unknown' WHERE "orderId" = ${late.id}`;
    await db.$executeRaw`UPDATE "Order" SET "paidAt" = now() - interval '2 minutes' WHERE "orderId" = ${late.id}`;
    await (await jobQueue()).send(DEAD_LETTER, { shop: shop.shopDomain });

    const done = 'parasol_job_duration_seconds_count{job="webhook",outcome="done"}';
    await eventually(async () => expect(valueOf((await ask("/metrics")).body, done)).toBeGreaterThan(1));
    const { body } = await ask("/metrics");
    expect(valueOf(body, 'parasol_webhooks_total{outcome="stored",topic="orders/paid"}')).toBe(2);
    expect(valueOf(body, "parasol_webhook_stored_lag_seconds_count")).toBeGreaterThan(1);
    expect(valueOf(body, "parasol_webhook_done_lag_seconds_count")).toBeGreaterThan(1);
    expect(valueOf(body, 'parasol_plan_delay_seconds_count{waited_for="insurer"}')).toBe(2);
    const calls = "parasol_insurer_call_duration_seconds_count";
    expect(valueOf(body, `${calls}{endpoint="POST plans",outcome="ok"}`)).toBe(2);
    expect(valueOf(body, 'parasol_items_overdue{after="60"}')).toBe(1);
    expect(valueOf(body, 'parasol_items_overdue{after="900"}')).toBe(0);
    expect(valueOf(body, "parasol_dead_letters")).toBe(1);
    expect(valueOf(body, 'parasol_queue_oldest_seconds{job="webhook"}')).toBe(0);
    expect(valueOf(body, "parasol_reconciliation_lag_seconds")).toBe(0);
    expect(valueOf(body, 'parasol_circuits{state="closed"}')).toBeGreaterThan(0);
    expect(valueOf(body, "parasol_worker_idle_seconds")).toBeLessThan(60);
    // The queue's polls sometimes wait for a connection.
    for (const pool of ["app", "queue"])
      await eventually(async () => {
        const series = `parasol_database_connections{pool="${pool}",state="waiting"}`;
        expect(valueOf((await ask("/metrics")).body, series)).toBe(0);
      });
    expect(valueOf(body, "parasol_admin_api_points_total")).not.toBeNull();
    expect(body).toContain("nodejs_eventloop_lag_p99_seconds");
  });

  test("have no label that an outsider wrote, and none of a shop", async () => {
    await post("orders/paid", { signature: "forged" });
    await post("evil/topic");
    await post("orders/paid", { domain: "stranger.myshopify.com" });
    const { body } = await ask("/metrics");
    expect(valueOf(body, 'parasol_webhooks_total{outcome="forged",topic="other"}')).toBe(1);
    expect(valueOf(body, 'parasol_webhooks_total{outcome="stored",topic="other"}')).toBe(1);
    expect(valueOf(body, 'parasol_webhooks_total{outcome="unknown_shop",topic="orders/paid"}')).toBe(1);
    expect(body).not.toMatch(/evil|myshopify/);
  });

  test("are all that there is beside the liveness", async () => {
    expect((await ask("/")).status).toBe(404);
    const posted = await fetch(`http://127.0.0.1:${operations.port}/metrics`, { method: "POST", body: "x" });
    expect(posted.status).toBe(404);
  });
});

test("a worker whose queue does not answer any more is found, and again alive once it does", async () => {
  const watched = await serveOperations({ host: "127.0.0.1", port: 0, stalledAfterMs: 4_000 });
  onTestFinished(() => watched.close());
  const client = new pg.Client({ connectionString: process.env["DATABASE_URL"] });
  await client.connect();
  onTestFinished(() => client.end());
  await eventually(async () => expect((await ask("/livez", watched)).status).toBe(200));
  await client.query("BEGIN; LOCK TABLE pgboss.job IN ACCESS EXCLUSIVE MODE");
  await eventually(async () =>
    expect(await ask("/livez", watched)).toMatchObject({
      status: 503,
      body: expect.stringContaining("has not looked for work") as string,
    }),
  );
  // The scrape does not wait, and reports the database as down.
  const databaseUp = async () => valueOf((await ask("/metrics", watched)).body, "parasol_database_up");
  await eventually(async () => expect(await databaseUp()).toBe(0));
  await client.query("ROLLBACK");
  await eventually(async () => expect((await ask("/livez", watched)).status).toBe(200));
  await eventually(async () => expect(await databaseUp()).toBe(1));
});

const exported = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string(),
              attributes: z.array(
                z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** A trace collector. @returns its URL, and the received spans */
async function startCollector() {
  const spans: z.infer<typeof exported>["resourceSpans"][number]["scopeSpans"][number]["spans"] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const sent = exported.parse(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
      spans.push(...sent.flatMap((each) => each.spans));
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { endpoint: url, spans };
}

test("one trace quotes from the webhook to its plan, whatever trace a request claims to belong to, and names no person", async () => {
  const { endpoint, spans } = await startCollector();
  const stop = exportTraces(endpoint);
  const order = await selling.buyAndIssue({ email: "camille.martin@example.com" });
  const claimed = "0123456789abcdef0123456789abcdef";
  const forged = webhookRequest("shop/update", { id: 1, myshopify_domain: shop.shopDomain });
  forged.headers.set("traceparent", `00-${claimed}-0123456789abcdef-01`);
  await receive({ request: forged, params: {}, context: {} });
  await eventually(async () =>
    expect(await db.webhook.findMany({ where: { topic: "shop/update" } })).toMatchObject([{ state: "done" }]),
  );
  // A span is sent after it has ended.
  await settleJobs();
  await stop();

  const isOf = (value: string) => (span: (typeof spans)[number]) =>
    span.attributes.some((attribute) => attribute.value.stringValue === value);
  const webhook = spans.find(
    (span) => span.name === "POST /webhooks" && isOf("orders/paid")(span) && isOf(order.id)(span),
  );
  const names = spans.filter(({ traceId }) => traceId === webhook?.traceId).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["POST /webhooks", "webhook", "POST plans", "POST orders"]));
  expect(spans.some(isOf("shop/update"))).toBe(true);
  expect(spans.map(({ traceId }) => traceId)).not.toContain(claimed);
  expect(JSON.stringify(spans)).not.toMatch(/camille|martin|@/i);
});

describe("the operators' files", () => {
  const folder = "docs/operations";
  const rule = z.object({
    alert: z.string().optional(),
    expr: z.string(),
    annotations: z.object({ runbook: z.string() }).optional(),
  });
  const ruleFile = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) });

  async function readRules() {
    const { groups } = ruleFile.parse(parse(await readFile(join(folder, "alerts.yml"), "utf8")));
    return groups.flatMap(({ rules }) => rules);
  }

  test("name metrics that a process shows, and no others", async () => {
    const dashboard = await readFile(join(folder, "dashboard.json"), "utf8");
    const text = [dashboard, ...(await readRules()).map(({ expr }) => expr)].join("\n");
    const named = new Set(text.match(/\b(?:parasol|nodejs|process)_[a-z0-9_]+/g));
    const { body } = await ask("/metrics");
    const shown = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name));
    const isShown = (name: string) =>
      shown.has(name) || shown.has(name.replace(/_(?:bucket|count|sum)$/, ""));
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !isShown(name))).toEqual([]);
    const ours = [...shown].filter((name) => name.startsWith("parasol_"));
    expect(ours.filter((name) => !text.includes(name))).toEqual([]);
  });

  test("keep the label `job` of the metrics, which the alerts name", async () => {
    const scrapeFile = z.object({
      scrape_configs: z.array(z.object({ honor_labels: z.boolean().optional() })),
    });
    const { scrape_configs } = scrapeFile.parse(
      parse(await readFile(join(folder, "prometheus.yml"), "utf8")),
    );
    expect((await ask("/metrics")).body).toMatch(/^\w+\{[^}]*\bjob="/m);
    expect(scrape_configs.map(({ honor_labels }) => honor_labels)).toEqual([true]);
  });

  test("have a section of docs/operations.md and a test for each alert", async () => {
    const guide = await readFile("docs/operations.md", "utf8");
    const alertTests = await readFile(join(folder, "alerts.test.yml"), "utf8");
    const alerts = (await readRules()).filter(({ alert }) => alert !== undefined);
    const chapters = [...guide.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(chapters).toEqual(alerts.map(({ alert }) => alert));
    for (const { alert = "", annotations } of alerts) {
      expect(annotations?.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      expect(alertTests).toContain(`alertname: ${alert}`);
    }
  });
});

// The last test: its clock is ahead, so a later test would not read again.
test("the metrics query the database once in ten seconds, however often they are scraped", async () => {
  // The test sets the clock, however long the scrapes take.
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  const scrape = async (at: number) => {
    clock.mockReturnValue(at);
    const statements = await statementsOf(async () => {
      const scraped = await serveOperations({ host: "127.0.0.1", port: 0 });
      await Promise.all(Array.from({ length: 20 }, () => ask("/metrics", scraped)));
      await scraped.close();
    });
    return statements.length;
  };
  // A whole number: with a fraction, ten seconds later can round up.
  const start = Math.ceil(performance.now()) + 10_001;
  const once = await scrape(start);
  expect(once).toBeGreaterThan(0);
  expect(await scrape(start + 10_000)).toBe(0);
  expect(await scrape(start + 10_001)).toBe(once);
});
