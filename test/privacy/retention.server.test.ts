import { soldPlan } from "#test/orders/samples.ts";
import { staff } from "#app/audit/actor.ts";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { eraseDueShops } from "#app/privacy/shop-erasure.server.ts";
import { hourlyTasks } from "#app/jobs/definitions.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { readMerchantSettings, saveMerchantSettings } from "#app/merchants/settings.server.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import type { BookEvent } from "#app/orders/book/events.ts";
import { db } from "#app/platform/db.server.ts";
import { monthsBefore } from "#app/privacy/retention.server.ts";
import { openTask } from "#app/orders/tasks/tasks.server.ts";
import { installApp } from "#test/install.ts";
import { allTables, databasePrint } from "#test/routes/database-print.ts";
import { sessionStorage } from "#app/shopify/sessions.server.ts";
import { otherShop, shop } from "#test/world.ts";

const mine = shop.shopDomain;
const theirs = otherShop.shopDomain;
/** Months differ in length, so the limit may move by days during the tests. */
const WEEK_MS = 7 * 86_400_000;
const MONTHS = 6;

const limit = monthsBefore(new Date(), MONTHS);
const older = new Date(limit.getTime() - WEEK_MS);
const younger = new Date(limit.getTime() + WEEK_MS);

/** The hourly erasure, as the worker runs it. */
async function hourly(signal = new AbortController().signal): Promise<void> {
  for (const task of hourlyTasks)
    await jobHandlers.hourly({ task }, { signal, isTimeSliceUsed: () => false });
}

const plan = (number: number) => ({ lineId: "1", number });

/** An item that is sold, and what became of it. */
function itemEvents(orderId: string, number: number, state: string): BookEvent[] {
  const contract = {
    type: "contract",
    contractId: `${orderId}-${number}`,
    item: plan(number),
    statusText: "",
    referenceId: "REF",
    activatesOn: null,
    expiresOn: null,
  } as const;
  const active: BookEvent = { ...contract, status: "active" };
  const byState: Record<string, BookEvent[]> = {
    active: [active],
    cancelled: [active, { ...contract, status: "cancelled" }],
    refused: [
      { type: "requested", item: plan(number), attempt: 1 },
      {
        type: "answered",
        item: plan(number),
        attempt: 1,
        outcome: "refused",
        contractId: null,
        activatesOn: null,
        expiresOn: null,
        message: "No",
      },
    ],
  };
  return [
    soldPlan({
      item: plan(number),
      termMonths: null,
      finding: state === "attention" ? "no_insured_line" : null,
    }),
    ...(byState[state] ?? []),
  ];
}

async function append(domain: string, orderId: string, events: readonly BookEvent[]): Promise<void> {
  await appendToOrder(domain, orderId, () => events, { sendsJob: false });
}

async function writeOrder(
  domain: string,
  orderId: string,
  at: Date,
  states: string[],
  { isPaid = true }: { isPaid?: boolean } = {},
): Promise<void> {
  const name = `#${orderId}`;
  const placed = { name, currency: "EUR", paymentMethod: "credit_card", salesChannel: "online" };
  await db.order.create({
    data: {
      ...placed,
      shop: domain,
      orderId,
      purchasedAt: at,
      changedAt: at,
      environment: "test",
      sealedCustomer: "sealed",
      sealedConsents: "sealed",
      emailDigest: "digest",
    },
  });
  const count = states.length;
  await append(domain, orderId, [
    { type: "placed", ...placed, isTest: false, environment: "test", placedAt: at, language: null },
    {
      type: "line",
      lineId: "1",
      kind: "plan",
      pairId: "1",
      productId: null,
      variantId: "1",
      title: "Plan",
      listPriceMinor: 1_990,
      paidMinor: 1_990,
      currency: "EUR",
      requiresShipping: false,
      isLater: false,
      categoryId: "",
      isOffered: false,
      isSelected: false,
      offeredAt: null,
      productFormat: null,
    },
    { type: "quantity", lineId: "1", ordered: count, current: count, refunded: 0, fulfilled: 0, asOf: at },
    ...(isPaid ? [{ type: "paid" as const, asOf: at, paymentMethod: "credit_card" }] : []),
    ...states.flatMap((state, index) => itemEvents(orderId, index + 1, state)),
  ]);
}

/** A person ended the insurance, and its contract is to be cancelled by hand. */
const handedOver: BookEvent[] = [
  { type: "decided", question: "", items: [plan(1)], answer: "end", amountMinor: 0, by: "1" },
  { type: "handed_over", item: plan(1), message: "" },
];

async function writeQuote(domain: string, quoteId: string, at: Date): Promise<void> {
  await db.quote.create({
    data: {
      shop: domain,
      environment: "test",
      quoteId,
      createdAt: at,
      status: "active",
      purchasedOn: "2026-01-01",
      expiresOn: "2026-02-01",
      categoryId: "Phones",
      variantId: "1",
      productTitle: "Phone",
      priceMinor: 49_900,
      currency: "EUR",
      chargedBy: "insurer",
      sealedCustomer: "sealed",
      emailDigest: "digest",
      nameDigests: ["one", "two"],
      offers: [],
    },
  });
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function writeEvent(
  domain: string,
  id: string,
  at: Date,
  state: string,
  topic = "orders/paid",
): Promise<void> {
  await db.webhook.create({
    data: {
      shop: domain,
      id,
      topic,
      webhookId: id,
      eventId: id,
      receivedAt: at,
      state,
      sealedBody: "sealed",
      doneAt: state === "done" ? at : null,
    },
  });
}

async function writeAll(domain: string): Promise<void> {
  await writeOrder(domain, "1", older, ["active", "cancelled", "refused"]);
  await writeOrder(domain, "2", older, []);
  await writeOrder(domain, "3", older, ["active", "pending"]);
  await writeOrder(domain, "4", younger, ["active"]);
  await writeQuote(domain, "old", older);
  await writeQuote(domain, "young", younger);
  await writeEvent(domain, "done 13", daysAgo(13), "done");
  await writeEvent(domain, "done 15", daysAgo(15), "done");
  await writeEvent(domain, "failed 59", daysAgo(59), "failed");
  await writeEvent(domain, "failed 61", daysAgo(61), "failed");
  await writeEvent(domain, "request", older, "failed", "customers/redact");
}

async function everythingOf(domain: string) {
  const where = { shop: domain };
  return {
    orders: await db.order.findMany({ where, orderBy: { orderId: "asc" }, include: { items: true } }),
    quotes: await db.quote.findMany({ where, orderBy: { quoteId: "asc" } }),
    events: await db.webhook.findMany({ where, orderBy: { id: "asc" } }),
  };
}

/**
 * The events whose bodies stay: processed within two weeks, received within sixty days, or a customer's open request.
 */
const keptEvents = ["done 13", "failed 59", "request"];

async function keep(domain: string, retentionMonths: number): Promise<void> {
  await saveMerchantSettings(
    domain,
    { ...(await readMerchantSettings(domain)), retentionMonths },
    staff("1"),
  );
}

/** The audit entries of the first shop's erasure. */
async function erasureEntries(): Promise<string[]> {
  const entries = await db.auditEntry.findMany({
    where: { shop: mine, action: { startsWith: "erasure_" } },
    orderBy: [{ at: "asc" }, { id: "asc" }],
  });
  return entries.map(({ action, actorId }) => `${action} ${actorId}`);
}

beforeAll(async () => {
  await installApp(mine);
  await installApp(theirs);
});

beforeEach(async () => {
  await db.order.deleteMany();
  await db.$transaction([
    // A book takes no changes from anybody else.
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.orderEvent.deleteMany(),
  ]);
  await db.task.deleteMany();
  await db.quote.deleteMany();
  await db.webhook.deleteMany();
  await writeAll(mine);
  await writeAll(theirs);
  await keep(mine, MONTHS);
  await keep(theirs, 0);
});

const someDate: unknown = expect.any(Date);

describe("the hourly job", () => {
  test("deletes the personal data that is older than the merchant wants, and nothing else of those rows", async () => {
    const before = await everythingOf(mine);
    await hourly();
    const after = await everythingOf(mine);
    expect(after.orders.map(({ erasedAt }) => erasedAt !== null)).toEqual([true, true, false, false]);
    expect(after.quotes.map(({ sealedCustomer }) => sealedCustomer)).toEqual([null, "sealed"]);
    expect(after.events.filter(({ sealedBody }) => sealedBody !== "").map(({ id }) => id)).toEqual(
      keptEvents,
    );
    expect(after).toEqual({
      orders: before.orders.map((order) =>
        order.orderId < "3"
          ? {
              ...order,
              sealedCustomer: null,
              sealedConsents: "",
              emailDigest: null,
              erasedAt: someDate,
              // Its book says so.
              revision: order.revision + 1,
            }
          : order,
      ),
      quotes: before.quotes.map((quote) =>
        quote.quoteId === "old"
          ? { ...quote, sealedCustomer: null, emailDigest: null, nameDigests: [] }
          : quote,
      ),
      events: before.events.map((event) =>
        keptEvents.includes(event.id) ? event : { ...event, sealedBody: "" },
      ),
    });
  });

  test("leaves the customers of a shop alone that keeps them, whatever another one wants, but not old webhooks", async () => {
    const before = await everythingOf(theirs);
    await hourly();
    const after = await everythingOf(theirs);
    expect({ ...after, events: [] }).toEqual({ ...before, events: [] });
    expect(after.events.filter(({ sealedBody }) => sealedBody !== "").map(({ id }) => id)).toEqual(
      keptEvents,
    );
  });

  test("deletes product webhooks of a month ago, and keeps order webhooks", async () => {
    await writeEvent(mine, "product 29", daysAgo(29), "done", "products/update");
    await writeEvent(mine, "product 31", daysAgo(31), "done", "products/update");
    await writeEvent(mine, "waiting 31", daysAgo(31), "failed", "products/update");
    await writeEvent(mine, "order 31", daysAgo(31), "done");
    await hourly();
    const ids = (await everythingOf(mine)).events.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["product 29", "waiting 31", "order 31"]));
    expect(ids).not.toContain("product 31");
  });

  test("deletes old mails that came after their order was erased, and no others", async () => {
    const mail = (id: string, orderId: string, createdAt: Date, state = "sent") => {
      return { shop: mine, id, orderId, createdAt, state, sealed: "sealed" };
    };
    await writeOrder(mine, "erased", older, ["active"]);
    await hourly();
    const orderId = "erased";
    const kept = await db.order.findFirstOrThrow({ where: { shop: mine, erasedAt: null } });
    await db.outgoingMail.createMany({
      data: [
        mail("old", orderId, older),
        mail("recent", orderId, younger),
        mail("waiting", orderId, older, "waiting"),
        mail("of a kept order", kept.orderId, older),
      ],
    });
    await hourly();
    const mails = await db.outgoingMail.findMany({ where: { shop: mine, sealed: null } });
    expect(mails.map(({ id }) => id)).toEqual(["old"]);
    await db.outgoingMail.deleteMany({ where: { shop: mine } });
  });

  test("keeps the body of a webhook while a task offers to process it again, a customer's own for good", async () => {
    for (const topic of ["orders/paid", "customers/redact"]) {
      for (const days of [15, 61]) {
        const inboxId = `${topic} ${days}`;
        await writeEvent(mine, inboxId, daysAgo(days), "done", topic);
        const details = { inboxId, topic, problem: "" };
        const kind = days === 15 ? "webhook_failed" : "unreadable_webhook";
        await openTask({ shop: mine, kind, subjectId: inboxId, details });
      }
    }
    await hourly();
    const kept = (await everythingOf(mine)).events.filter(({ sealedBody }) => sealedBody !== "");
    const ids = kept.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(["orders/paid 15", "customers/redact 15", "customers/redact 61"]),
    );
    expect(ids).not.toContain("orders/paid 61");
    await db.task.deleteMany({ where: { shop: mine } });
  });

  test("takes an order once its last plan is settled", async () => {
    await hourly();
    await append(mine, "3", itemEvents("3", 2, "refused"));
    await hourly();
    const order = await db.order.findFirstOrThrow({ where: { shop: mine, orderId: "3" } });
    expect(order).toMatchObject({ erasedAt: someDate, sealedCustomer: null, emailDigest: null });
  });

  test("takes an order that was never paid, and one whose contract a person left as it is", async () => {
    for (const orderId of ["left", "open"]) {
      await writeOrder(mine, orderId, older, ["active"]);
      await append(mine, orderId, handedOver);
    }
    await writeOrder(mine, "unpaid", older, ["pending", "attention"], { isPaid: false });
    const answered = { items: [plan(1)], amountMinor: 1_990, by: "1" };
    await append(mine, "left", [
      { type: "decided", question: "manual_cancellation:1:1", answer: "dismissed", ...answered },
      { type: "decided", question: "premium_kept:1", answer: "premium_kept", ...answered },
    ]);
    await hourly();
    const where = { shop: mine, orderId: { in: ["left", "open", "unpaid"] } };
    const orders = await db.order.findMany({ where, orderBy: { orderId: "asc" } });
    expect(orders.map(({ orderId, erasedAt }) => [orderId, erasedAt !== null])).toEqual([
      ["left", true],
      ["open", false],
      ["unpaid", true],
    ]);
  });

  test("goes on with the other shops where one's settings cannot be read", async () => {
    const broken = [mine, theirs].toSorted()[0] === mine ? mine : theirs;
    const fine = broken === mine ? theirs : mine;
    await keep(fine, MONTHS);
    await db.merchantSettings.update({ where: { shop: broken }, data: { settings: "unreadable" } });
    await hourly();
    const order = await db.order.findFirstOrThrow({ where: { shop: fine, orderId: "1" } });
    expect(order.erasedAt).not.toBeNull();
    await db.merchantSettings.delete({ where: { shop: broken } });
  });

  test("ends before the next shop when its signal aborts", async () => {
    await keep(mine, MONTHS);
    const before = await everythingOf(mine);
    await expect(hourly(AbortSignal.abort())).rejects.toThrow("aborted");
    expect(await everythingOf(mine)).toEqual(before);
  });

  test("does the same for a shop that has removed the app", async () => {
    const where = { shop: mine };
    await db.merchant.update({ where, data: { uninstalledAt: new Date() } });
    await hourly();
    const { orders, quotes, events } = await everythingOf(mine);
    expect(orders.map(({ erasedAt }) => erasedAt !== null)).toEqual([true, true, false, false]);
    expect(quotes.map(({ sealedCustomer }) => sealedCustomer)).toEqual([null, "sealed"]);
    expect(events.filter(({ sealedBody }) => sealedBody !== "").map(({ id }) => id)).toEqual(keptEvents);
    await db.merchant.update({ where, data: { uninstalledAt: null } });
  });

  test("schedules the erasure of a shop that removed the app two months ago, without shop/redact", async () => {
    const where = { shop: mine };
    await db.merchant.update({ where, data: { uninstalledAt: daysAgo(59) } });
    await hourly();
    expect((await db.merchant.findUniqueOrThrow({ where })).eraseAt).toBeNull();
    await db.merchant.update({ where, data: { uninstalledAt: daysAgo(61) } });
    await hourly();
    const { eraseAt } = await db.merchant.findUniqueOrThrow({ where });
    expect(eraseAt?.getTime()).toBeGreaterThan(Date.now() + 6 * 86_400_000);
    expect(await erasureEntries()).toEqual(["erasure_scheduled retention"]);
    await db.merchant.update({ where, data: { uninstalledAt: null, eraseAt: null } });
  });

  test("cancels the erasure of a shop that has the app after all, and does not schedule it again", async () => {
    const where = { shop: mine };
    const noted = (await erasureEntries()).length;
    await db.merchant.update({ where, data: { uninstalledAt: daysAgo(70), eraseAt: daysAgo(1) } });
    await hourly();
    await hourly();
    expect(await db.merchant.findUniqueOrThrow({ where })).toMatchObject({
      eraseAt: null,
      uninstalledAt: null,
    });
    expect((await erasureEntries()).slice(noted)).toEqual(["erasure_cancelled shop/redact"]);
  });
});

describe("the erasure of a shop", () => {
  const where = { shop: mine };
  /** More than one step erases, so it takes several. */
  const MANY = 2_300;

  /**
   * The shop has removed the app long ago. Its order 3 has two items, and each of many orders has a line, an item and a
   * book.
   */
  beforeEach(async () => {
    await installApp(mine);
    await db.orderLine.create({
      data: {
        ...where,
        orderId: "4",
        lineId: "2",
        pairId: "1",
        title: "Phone",
        quantity: 1,
        currentQuantity: 1,
        currency: "EUR",
        listPriceMinor: 49_900,
        priceMinor: 49_900,
        categoryId: "Phones",
        insuranceOffered: true,
        insuranceSelected: true,
      },
    });
    for (const table of ["Order", "OrderLine", "InsuredItem", "OrderEvent"])
      await db.$executeRawUnsafe(
        `INSERT INTO "${table}" SELECT (jsonb_populate_record(t, jsonb_build_object(
           'orderId', 'many ' || n, 'contractId', 'many ' || n,
           'id', nextval(pg_get_serial_sequence('"OrderEvent"', 'id'))))).*
         FROM "${table}" AS t, generate_series(1, ${MANY}) AS n WHERE shop = $1 AND "orderId" = '4'`,
        mine,
      );
    await sessionStorage.deleteSession(`offline_${mine}`);
    await db.session.deleteMany({ where });
    await db.merchant.update({ where, data: { uninstalledAt: daysAgo(70), eraseAt: daysAgo(1) } });
  });

  /** The number of orders; fails if an order has no items, no line or no book. */
  async function wholeOrders(): Promise<number> {
    const isOf = `t.shop = o.shop AND t."orderId" = o."orderId"`;
    const broken = await db.$queryRawUnsafe(
      `SELECT "orderId" FROM "Order" AS o WHERE shop = $1 AND (
        (SELECT count(*) FROM "InsuredItem" AS t WHERE ${isOf}) <>
          CASE "orderId" WHEN '1' THEN 3 WHEN '2' THEN 0 WHEN '3' THEN 2 ELSE 1 END
        OR NOT EXISTS (SELECT FROM "OrderEvent" AS t WHERE ${isOf})
        OR "orderId" LIKE 'many%' AND NOT EXISTS (SELECT FROM "OrderLine" AS t WHERE ${isOf}))`,
      mine,
    );
    expect(broken).toEqual([]);
    return db.order.count({ where });
  }

  /** The tables with a row of the shop. */
  async function tablesLeft(): Promise<string[]> {
    const print = await databasePrint(mine);
    const names = (await allTables()).filter(({ schema, shop }) => schema === "public" && shop);
    return names.map(({ name }) => name).filter((name) => !print[name]?.startsWith("0 "));
  }

  test("ends where the shop installs the app again meanwhile, and leaves whole orders and all settings", async () => {
    await db.$executeRawUnsafe(`CREATE FUNCTION install_again() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN UPDATE "Merchant" SET "eraseAt" = NULL, "uninstalledAt" = NULL WHERE shop = '${mine}'; RETURN NULL; END $$`);
    await db.$executeRaw`CREATE TRIGGER install_again AFTER DELETE ON "InsuredItem" EXECUTE FUNCTION install_again()`;
    try {
      await eraseDueShops();
    } finally {
      await db.$executeRaw`DROP FUNCTION install_again CASCADE`;
    }
    expect(await wholeOrders()).toBe(2_000);
    expect(await db.merchant.count({ where })).toBe(1);
    expect(await db.merchantSettings.count({ where })).toBe(1);
  });

  test("ends where a new session has come, though the merchant is not noted as back yet", async () => {
    await db.$executeRawUnsafe(`CREATE FUNCTION new_session() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO "Session" (id, shop, sealed, "tokenIssuedAt")
        VALUES ('new', '${mine}', 'sealed', now()) ON CONFLICT DO NOTHING; RETURN NULL; END $$`);
    await db.$executeRaw`CREATE TRIGGER new_session AFTER DELETE ON "InsuredItem" EXECUTE FUNCTION new_session()`;
    try {
      await eraseDueShops();
    } finally {
      await db.$executeRaw`DROP FUNCTION new_session CASCADE`;
    }
    expect(await wholeOrders()).toBe(2_000);
    expect(await db.session.count({ where })).toBe(1);
    expect(await db.merchant.count({ where })).toBe(1);
  });

  test("leaves whole orders and the merchant wherever it is interrupted, and is resumed", async () => {
    const { signal } = new AbortController();
    let isDone = false;
    for (let steps = 1; !isDone; steps += 4) {
      let checks = 0;
      vi.spyOn(signal, "throwIfAborted").mockImplementation(() => {
        checks += 1;
        if (checks > steps) throw new Error("aborted");
      });
      isDone = await eraseDueShops(new Date(), signal).then(
        () => true,
        () => false,
      );
      await wholeOrders();
      if (!isDone) expect(await db.merchant.count({ where })).toBe(1);
    }
    expect(await tablesLeft()).toEqual([]);
  });

  test("takes what was written while the shop was erased the next time, and nothing of a shop that has the app", async () => {
    await eraseDueShops();
    await writeEvent(mine, "late", daysAgo(0), "received");
    await writeOrder(mine, "late", daysAgo(0), ["pending"]);
    const others = await everythingOf(theirs);
    await eraseDueShops();
    expect(await tablesLeft()).toEqual([]);
    expect(await everythingOf(theirs)).toEqual(others);
  });
});

test.each([
  ["2026-08-31T10:00:00.000Z", 6, "2026-02-28T10:00:00.000Z"],
  ["2024-08-31T10:00:00.000Z", 6, "2024-02-29T10:00:00.000Z"],
  ["2026-03-15T10:00:00.000Z", 12, "2025-03-15T10:00:00.000Z"],
  ["2024-02-29T10:00:00.000Z", 12, "2023-02-28T10:00:00.000Z"],
  ["2026-01-31T10:00:00.000Z", 24, "2024-01-31T10:00:00.000Z"],
])("%s, %i months before, is %s", (now, months, before) => {
  expect(monthsBefore(new Date(now), months).toISOString()).toBe(before);
});
