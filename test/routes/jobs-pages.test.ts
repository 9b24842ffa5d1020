import { beforeAll, describe, expect, test } from "vitest";
import { DEAD_LETTER, jobQueue } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import { action as act, loader as open } from "#app/routes/app.jobs._index/route.tsx";
import { action as start, loader as runs } from "#app/routes/app.jobs.runs/route.tsx";
import { refused, success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { setUpSellingShop, buy, insuredLines } from "#test/plans/selling-shop.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { ask, responseOf } from "./ask.ts";

const selling = setUpSellingShop();
beforeAll(() => connectShop(otherShop.shopDomain, insurance.stores.at(-1)));

const domain = shop.shopDomain;
const page = (search = "", of = domain) => ask(open, `/app/jobs${search}`, { domain: of });
const run = (form: Record<string, string>, of = domain) => ask(act, "/app/jobs?index", { form, domain: of });

/** A job about an order that nobody knows, as it stands in the dead-letter queue after its last attempt. */
async function deadLetter(orderId: string): Promise<string> {
  const queue = await jobQueue();
  const data = { shop: domain, orderId };
  // Due in a while, so that no worker takes it before it is failed here.
  const sent = await queue.send("order-issuing", data, {
    retryLimit: 0,
    singletonKey: `${domain}:${orderId}`,
    startAfter: 3_600,
    group: { id: domain },
  });
  const id = sent ?? "";
  await db.$executeRaw`UPDATE pgboss.job SET state = 'active', started_on = now() WHERE id::text = ${id}`;
  await queue.fail("order-issuing", id, { message: "The service is away" });
  const [letter] = await queue.findJobs(DEAD_LETTER, { data });
  if (!letter) throw new Error("The failed job left no dead letter");
  return letter.id;
}

async function waitingFor(orderId: string): Promise<number> {
  return (await (await jobQueue()).findJobs("order-issuing", { data: { shop: domain, orderId } })).filter(
    ({ state }) => state === "created" || state === "active" || state === "completed",
  ).length;
}

describe("failed jobs", () => {
  test("are listed with what they were about and why they failed", async () => {
    const id = await deadLetter("101");
    const { letters, health } = await page();
    expect(letters.items).toMatchObject([
      { id, job: "order-issuing", orderId: "101", attempts: 1, reason: "The service is away" },
    ]);
    expect(health.deadLetters).toBe(1);
  });

  test("are invisible to another shop, which can restart or discard none of them", async () => {
    const of = otherShop.shopDomain;
    const { letters, health } = await page("", of);
    expect([letters.items, health.deadLetters]).toEqual([[], 0]);
    const id = (await page()).letters.items[0]?.id ?? "";
    expect(await run({ intent: "replay_all" }, of)).toEqual(success({ message: "replay", count: 0 }));
    expect(await run({ intent: "replay", id }, of)).toEqual(success({ message: "replay", count: 0 }));
    expect(await run({ intent: "discard", id }, of)).toEqual(success({ message: "discard", count: 0 }));
    expect((await page()).letters.items).toHaveLength(1);
  });

  test("are restarted one by one", async () => {
    const first = (await page()).letters.items[0]?.id ?? "";
    const second = await deadLetter("102");
    expect(await run({ intent: "replay", id: first })).toEqual(success({ message: "replay", count: 1 }));
    expect((await page()).letters.items.map(({ id }) => id)).toEqual([second]);
    expect(await waitingFor("101")).toBe(1);
    expect(await waitingFor("102")).toBe(0);
  });

  test("are restarted all at once, and discarded one by one", async () => {
    const given = await deadLetter("103");
    expect(await run({ intent: "discard", id: given })).toEqual(success({ message: "discard", count: 1 }));
    await deadLetter("104");
    expect(await run({ intent: "replay_all" })).toEqual(success({ message: "replay", count: 2 }));
    expect((await page()).letters.items).toEqual([]);
    expect([await waitingFor("102"), await waitingFor("103"), await waitingFor("104")]).toEqual([1, 0, 1]);
  });

  test("are paged, also where many failed at the same moment", async () => {
    for (let index = 0; index < 30; index++) await deadLetter(`2${index}`);
    await db.$executeRaw`
      UPDATE pgboss.job SET created_on = '2026-11-01T10:00:00.123456Z' WHERE name = ${DEAD_LETTER}`;
    const first = (await page()).letters;
    const second = (await page(`?after=${encodeURIComponent(first.next ?? "")}`)).letters;
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
    expect(second.next).toBeNull();
  });

  test("have ids: a word instead of one is refused", async () => {
    expect((await responseOf(run({ intent: "replay", id: "all" }))).status).toBe(400);
  });
});

test("the queue is stalled when jobs are due for minutes and no worker takes them", async () => {
  expect((await page()).health.stalled).toBe(false);
  const queue = await jobQueue();
  const id = await queue.send(
    "reconciliation",
    { shop: domain, runId: "none" },
    {
      startAfter: 3_600,
      group: { id: domain },
    },
  );
  expect((await page()).health.queues.find(({ job }) => job === "reconciliation")).toMatchObject({
    scheduled: 1,
  });
  // Held back from the workers, as if there were none.
  await db.$executeRaw`
    UPDATE pgboss.job SET start_after = now() - interval '5 minutes', blocked = true WHERE id::text = ${id}`;
  expect((await page()).health.stalled).toBe(true);
  expect((await page("", otherShop.shopDomain)).health).toMatchObject({ stalled: false, queues: [] });
  await queue.deleteJob("reconciliation", id ?? "");
});

describe("runs over the shop's orders", () => {
  const list = async (of = domain) => (await ask(runs, "/app/jobs/runs", { domain: of })).runs.items;
  const begin = (form: Record<string, string>, of = domain) =>
    ask(start, "/app/jobs/runs", { form, domain: of });
  const today = async () => (await ask(runs, "/app/jobs/runs")).today;

  test("are started for days of the shop, and show how far they are and what they found", async () => {
    const { phone, plan } = insuredLines(selling.references);
    shop.webhooks.behaviour.dropShare = 1;
    buy([phone, plan]);
    shop.webhooks.behaviour.dropShare = 0;
    const day = await today();
    expect(await begin({ intent: "start", kind: "manual", start: day, end: day })).toEqual(
      success("started"),
    );
    const run = await eventually(async () => {
      const [found] = await list();
      if (found?.state !== "done") throw new Error("It is not done");
      return found;
    });
    expect(run).toMatchObject({ kind: "manual", total: 1, counts: { orders: 1, missed: 1 }, error: null });
    expect(run.finishedAt).not.toBeNull();
  });

  test("are refused for days that are none, are to come, end before they start, or are too long ago", async () => {
    const day = await today();
    const problems = async (form: Record<string, string>) => {
      const answer = await begin({ intent: "start", kind: "manual", start: day, end: day, ...form });
      return answer.state === "invalid" ? answer.problems : answer.state;
    };
    expect(await problems({ start: "yesterday" })).toEqual({ start: "missing" });
    expect(await problems({ end: "2999-01-01" })).toEqual({ end: "future" });
    expect(await problems({ start: day, end: "2026-01-01" })).toEqual({ end: "order" });
    expect(await problems({ start: "2019-01-01" })).toEqual({ start: "too_long" });
    expect((await responseOf(problems({ kind: "hourly" }))).status).toBe(400);
  });

  test("run one of a kind at a time, and can be stopped by their own shop", async () => {
    const row = {
      ...{ shop: domain, kind: "backfill", state: "running" },
      ...{ from: new Date("2026-01-01"), until: new Date() },
    };
    const { id } = await db.reconciliationRun.create({ data: row });
    const day = await today();
    expect(await begin({ intent: "start", kind: "backfill", start: day, end: day })).toEqual(
      refused("running"),
    );
    expect(await begin({ intent: "stop", id }, otherShop.shopDomain)).toEqual(refused("over"));
    expect((await list()).find((run) => run.id === id)?.state).toBe("running");
    expect(await begin({ intent: "stop", id })).toEqual(success("stopped"));
    expect(await begin({ intent: "stop", id })).toEqual(refused("over"));
    expect(await list(otherShop.shopDomain)).toEqual([]);
  });

  test("every hour are listed only where they found something", async () => {
    const hourly = (counts: object) => ({
      ...{ shop: otherShop.shopDomain, kind: "hourly", state: "done", counts },
      ...{ from: new Date(0), until: new Date(), finishedAt: new Date() },
    });
    await db.reconciliationRun.createMany({
      data: [hourly({ orders: 9 }), hourly({ orders: 9, missed: 2 })],
    });
    expect(await list(otherShop.shopDomain)).toMatchObject([{ kind: "hourly", counts: { missed: 2 } }]);
    expect((await page("", otherShop.shopDomain)).reconciledAt).not.toBeNull();
  });
});
