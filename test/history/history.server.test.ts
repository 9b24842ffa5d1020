import { beforeAll, describe, expect, test } from "vitest";
import { type HistoryFilter, listHistory } from "#app/history/history.server.ts";
import type { HistoryEntry } from "#app/history/history.ts";
import type { BookEvent } from "#app/orders/book/events.ts";
import { db } from "#app/platform/db.server.ts";
import { otherShop, shop } from "#test/world.ts";

const mine = shop.shopDomain;
const SIZE = 7;
const everything: HistoryFilter = { what: null, who: null, start: null, end: null };
const reader = { shop: mine, timezone: "Europe/Paris" };

/** Few timestamps, so that rows of every source share them. */
const moment = (n: number) => new Date(Date.UTC(2026, 4, 1, 12, 0, n % 5));

const contract = {
  type: "contract",
  status: "active",
  statusText: "active",
  referenceId: "REF",
  activatesOn: null,
  expiresOn: null,
} as const;

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
  await db.insuredItem.createMany({
    data: numbers.slice(0, 12).map((n) => ({
      shop: domain,
      orderId: orderId(n),
      environment: "test",
      lineId: "1",
      itemNumber: n < 6 ? 1 : 2,
      state: "active",
      wanted: true,
      offerReferenceId: "REF",
      planTitle: "Plan",
      offerPriceMinor: 100,
      premiumMinor: 100,
      currency: "EUR",
      contractId: `${prefix}CT-${n}`,
      changedAt: moment(n),
    })),
  });
  await db.orderEvent.createMany({
    data: numbers.map((n) => {
      const item = { lineId: "1", number: n % 12 < 6 ? 1 : 2 };
      const event: BookEvent =
        n === 0
          ? { type: "requested", item, attempt: 1 }
          : { ...contract, item, contractId: `${prefix}CT-${n}` };
      return {
        shop: domain,
        orderId: orderId(n),
        key: `${event.type} ${n}`,
        at: moment(n),
        type: event.type,
        data: event,
      };
    }),
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

const named = (entries: HistoryEntry[]) => entries.map(({ source, id }) => `${source} ${id}`);

/** All pages from the first to the last. */
async function walk(filter: HistoryFilter) {
  const pages = [await listHistory(reader, filter, { after: null, before: null }, SIZE)];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
    pages.push(await listHistory(reader, filter, { after: next, before: null }, SIZE));
  }
  return pages;
}

describe("the timeline", () => {
  test("holds every row of every source once, latest first, however many share a moment", async () => {
    const pages = await walk(everything);
    const entries = pages.flatMap(({ items }) => items);
    // A pending request for a contract shows on its order's page alone.
    const counts = { audit: 40, plan: 39, run: 40 };
    expect(entries).toHaveLength(119);
    expect(new Set(named(entries)).size).toBe(119);
    const times = entries.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    for (const [source, count] of Object.entries(counts))
      expect(entries.filter((entry) => entry.source === source)).toHaveLength(count);
  });

  test("goes back to the page that one came from", async () => {
    const pages = await walk(everything);
    for (const [index, page] of pages.entries()) {
      if (page.previous === null) continue;
      const back = await listHistory(reader, everything, { after: null, before: page.previous }, SIZE);
      expect(named(back.items)).toEqual(named(pages[index - 1]?.items ?? []));
    }
  });

  test.each([
    ["what", "orders", ["plan"]],
    ["what", "catalogue", ["run"]],
    ["what", "settings", ["audit"]],
    ["what", "views", []],
    ["who", "app", ["plan", "run"]],
    ["who", "staff", ["audit"]],
    ["who", "1", ["audit"]],
    ["who", "2", []],
  ])("with %s = %s it is what the whole one has of it, in the same order", async (name, value, kept) => {
    const all = (await walk(everything)).flatMap(({ items }) => items);
    const own = (await walk({ ...everything, [name]: value })).flatMap(({ items }) => items);
    expect(named(own)).toEqual(named(all.filter(({ source }) => kept.includes(source))));
  });

  test("of a period has the shop's own days", async () => {
    const of = async (start: string, end: string) =>
      (await walk({ ...everything, start, end })).flatMap(({ items }) => items).length;
    expect([await of("2026-05-01", "2026-05-01"), await of("2026-05-02", "2026-05-03")]).toEqual([119, 0]);
  });

  test.each([
    "soon",
    "2026-05-01T12:00:01.000Z|plan|none",
    `2026-05-01T12:00:01.000Z|plan|${"9".repeat(30)}`,
  ])("answers a cursor that it never gave: %s", async (after) => {
    const { items } = await listHistory(reader, everything, { after, before: null }, SIZE);
    expect(items).toHaveLength(SIZE);
  });
});
