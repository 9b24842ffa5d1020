import { beforeAll, describe, expect, test } from "vitest";
import { listActivity } from "#app/activity/activity.server.ts";
import type { ActivityEntry, ActivityFilter } from "#app/activity/activity.ts";
import { db } from "#app/platform/db.server.ts";
import { otherShop, shop } from "#test/world.ts";

const mine = shop.shopDomain;
const SIZE = 7;
const everything: ActivityFilter = { source: null, query: null };

/** Few moments, so that rows of every source share them. */
const moment = (n: number) => new Date(Date.UTC(2026, 4, 1, 12, 0, n % 5));

async function write(domain: string, count: number, prefix: string): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const orderId = (n: number) => `${prefix}${n % 6}`;
  await db.order.createMany({
    data: numbers.slice(0, 6).map((n) => ({
      shop: domain,
      orderId: orderId(n),
      name: `#${1001 + n}`,
      purchasedAt: moment(n),
      changedAt: moment(n),
      currency: "EUR",
      paymentMethod: "credit_card",
      salesChannel: "online",
      environment: "test",
    })),
  });
  await db.insuredUnit.createMany({
    data: numbers.slice(0, 12).map((n) => ({
      shop: domain,
      orderId: orderId(n),
      lineId: "1",
      unitNumber: n < 6 ? 1 : 2,
      offerReferenceId: "REF",
      planVariantId: "1",
      planTitle: "Plan",
      premiumMinor: 100,
      currency: "EUR",
      contractId: `${prefix}CT-${n}`,
    })),
  });
  await db.unitHistory.createMany({
    data: numbers.map((n) => ({
      shop: domain,
      orderId: orderId(n),
      lineId: "1",
      unitNumber: n % 12 < 6 ? 1 : 2,
      at: moment(n),
      after: "pending",
      cause: "paid_for",
      attempt: 0,
    })),
  });
  await db.inboxEvent.createMany({
    data: numbers.map((n) => ({
      shop: domain,
      id: `${prefix}event-${n}`,
      eventId: "action",
      topic: n % 2 === 0 ? "orders/paid" : "orders/cancelled",
      orderId: orderId(n),
      webhookId: `webhook-${n}`,
      receivedAt: moment(n),
      sealedBody: "",
    })),
  });
  await db.auditEntry.createMany({
    data: numbers.map((n) => ({
      id: `${prefix}activity-${n}`,
      shop: domain,
      at: moment(n),
      actorKind: "staff",
      actorId: "1",
      action: "connected",
      subject: "test",
    })),
  });
  await db.syncRun.createMany({
    data: numbers.map((n) => ({
      id: `${prefix}run-${n}`,
      shop: domain,
      kind: "catalogue",
      environment: "test",
      reason: "schedule",
      state: "done",
      active: null,
      createdAt: moment(n),
    })),
  });
}

beforeAll(async () => {
  await write(mine, 40, "500");
  await write(otherShop.shopDomain, 10, "600");
});

const named = (entries: ActivityEntry[]) => entries.map(({ source, id }) => `${source} ${id}`);

/** All pages from the first to the last. */
async function walk(filter: ActivityFilter) {
  const pages = [await listActivity(mine, filter, { after: null, before: null }, SIZE)];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
    pages.push(await listActivity(mine, filter, { after: next, before: null }, SIZE));
  }
  return pages;
}

describe("the timeline", () => {
  test("holds every row of every source once, latest first, however many share a moment", async () => {
    const pages = await walk(everything);
    const entries = pages.flatMap(({ items }) => items);
    expect(entries).toHaveLength(160);
    expect(new Set(named(entries)).size).toBe(160);
    const times = entries.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    for (const source of ["plan", "event", "catalogue", "app"]) {
      expect(entries.filter((entry) => entry.source === source)).toHaveLength(40);
    }
  });

  test("goes back to the page that one came from", async () => {
    const pages = await walk(everything);
    for (const [index, page] of pages.entries()) {
      if (page.previous === null) continue;
      const back = await listActivity(mine, everything, { after: null, before: page.previous }, SIZE);
      expect(named(back.items)).toEqual(named(pages[index - 1]?.items ?? []));
    }
  });

  test("of one source is what all sources have of it, in the same order", async () => {
    const all = (await walk(everything)).flatMap(({ items }) => items);
    for (const source of ["plan", "event"] as const) {
      const own = (await walk({ source, query: null })).flatMap(({ items }) => items);
      expect(named(own)).toEqual(named(all.filter((entry) => entry.source === source)));
    }
  });

  test("finds what happened to an order by its name or id, and to one plan by its number", async () => {
    const found = async (query: string) =>
      (await walk({ source: "plan", query })).flatMap(({ items }) => items);
    const all = (await walk({ source: "plan", query: null })).flatMap(({ items }) => items);
    const ofOrder = all.flatMap((entry) =>
      entry.source === "plan" && entry.orderId === "5002" ? [entry] : [],
    );
    expect(ofOrder.length).toBeGreaterThan(3);
    for (const query of ["5002", "#1003", "1003"]) expect(named(await found(query))).toEqual(named(ofOrder));
    const ofPlan = named(await found("500CT-2"));
    const otherPlan = named(await found("500CT-8"));
    expect([...ofPlan, ...otherPlan].sort()).toEqual(named(ofOrder).sort());
    expect(await found("600CT-2")).toEqual([]);
    expect(await found("nothing")).toEqual([]);
  });

  test("finds events by their topic, their order or their own id", async () => {
    const found = async (query: string) =>
      (await walk({ source: "event", query })).flatMap(({ items }) => items);
    expect(await found("orders/paid")).toHaveLength(20);
    expect(await found("orders/edited")).toEqual([]);
    const ofOrder = await found("5002");
    expect(ofOrder.map((entry) => entry.source === "event" && entry.orderId)).toEqual(
      Array.from({ length: 7 }, () => "5002"),
    );
    expect(named(await found("500event-3"))).toEqual(["event 500event-3"]);
    expect(await found("600event-3")).toEqual([]);
  });

  test.each([
    "soon",
    "2026-05-01T12:00:01.000Z|plan|none",
    `2026-05-01T12:00:01.000Z|plan|${"9".repeat(30)}`,
  ])("answers a cursor that it never gave: %s", async (after) => {
    const { items } = await listActivity(mine, everything, { after, before: null }, SIZE);
    expect(items).toHaveLength(SIZE);
  });
});
