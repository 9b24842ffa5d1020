import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { readMerchantSettings, saveMerchantSettings } from "#app/merchants/settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import { monthsBefore } from "#app/compliance/retention.ts";
import { installApp } from "#test/install.ts";
import { otherShop, shop } from "#test/world.ts";

const mine = shop.shopDomain;
const theirs = otherShop.shopDomain;
/** Months differ in length: the limit may move by days while the tests run. */
const WEEK_MS = 7 * 86_400_000;
const MONTHS = 6;

const limit = monthsBefore(new Date(), MONTHS);
const older = new Date(limit.getTime() - WEEK_MS);
const younger = new Date(limit.getTime() + WEEK_MS);

/** The hourly job, as the worker runs it. */
const hourly = () => jobHandlers.hourly({}, { signal: new AbortController().signal });

const email = "ana@example.com";

async function writeOrder(domain: string, orderId: string, at: Date, states: string[]): Promise<void> {
  await db.order.create({
    data: {
      shop: domain,
      orderId,
      name: `#${orderId}`,
      purchasedAt: at,
      changedAt: at,
      paidAt: at,
      currency: "EUR",
      paymentMethod: "credit_card",
      salesChannel: "online",
      environment: "test",
      sealedCustomer: "sealed",
      emailDigest: "digest",
      units: {
        create: states.map((state, index) => ({
          lineId: "1",
          unitNumber: index + 1,
          state,
          offerReferenceId: "REF",
          planVariantId: "1",
          planTitle: "Plan",
          premiumMinor: 1_990,
          currency: "EUR",
          contractId: state === "active" ? `${orderId}-${index}` : null,
        })),
      },
    },
  });
}

async function writeLead(domain: string, leadId: string, at: Date): Promise<void> {
  await db.lead.create({
    data: {
      shop: domain,
      environment: "test",
      leadId,
      createdAt: at,
      status: "active",
      purchasedOn: "2026-01-01",
      expiresOn: "2026-02-01",
      categoryId: "Phones",
      variantId: "1",
      productTitle: "Phone",
      priceMinor: 49_900,
      currency: "EUR",
      subscriptionLink: "https://assurance.example/subscribe",
      signatureLink: "https://assurance.example/sign",
      chargedBy: "service",
      customerName: "Ana Blanc",
      customerEmail: email,
      offers: [],
    },
  });
}

async function writeEvent(domain: string, id: string, at: Date, state: string): Promise<void> {
  const body = JSON.stringify({ email });
  await db.inboxEvent.create({
    data: { shop: domain, id, eventId: id, topic: "orders/paid", webhookId: id, receivedAt: at, body, state },
  });
}

async function writeAll(domain: string): Promise<void> {
  await writeOrder(domain, "1", older, ["active", "cancelled", "refused"]);
  await writeOrder(domain, "2", older, []);
  await writeOrder(domain, "3", older, ["active", "pending"]);
  await writeOrder(domain, "4", younger, ["active"]);
  await writeLead(domain, "old", older);
  await writeLead(domain, "young", younger);
  await writeEvent(domain, "old", older, "done");
  await writeEvent(domain, "failed", older, "failed");
  await writeEvent(domain, "young", younger, "done");
}

async function everythingOf(domain: string) {
  const where = { shop: domain };
  return {
    orders: await db.order.findMany({ where, orderBy: { orderId: "asc" }, include: { units: true } }),
    leads: await db.lead.findMany({ where, orderBy: { leadId: "asc" } }),
    events: await db.inboxEvent.findMany({ where, orderBy: { id: "asc" } }),
  };
}

async function keep(domain: string, retentionMonths: number): Promise<void> {
  await saveMerchantSettings(domain, { ...(await readMerchantSettings(domain)), retentionMonths });
}

beforeAll(async () => {
  await installApp(mine);
  await installApp(theirs);
});

beforeEach(async () => {
  await db.order.deleteMany();
  await db.lead.deleteMany();
  await db.inboxEvent.deleteMany();
  await writeAll(mine);
  await writeAll(theirs);
  await keep(mine, MONTHS);
  await keep(theirs, 0);
});

describe("the hourly job", () => {
  test("deletes the personal data that is older than the merchant wants, and nothing else of those rows", async () => {
    const before = await everythingOf(mine);
    await hourly();
    const after = await everythingOf(mine);
    expect(after.orders.map(({ erased }) => erased)).toEqual([true, true, false, false]);
    expect(after.leads.map(({ customerEmail }) => customerEmail)).toEqual([null, email]);
    expect(after.events.map(({ id, body }) => [id, body !== ""])).toEqual([
      ["failed", true],
      ["old", false],
      ["young", true],
    ]);
    expect(after).toEqual({
      orders: before.orders.map((order) =>
        order.orderId < "3" ? { ...order, sealedCustomer: null, emailDigest: null, erased: true } : order,
      ),
      leads: before.leads.map((lead) =>
        lead.leadId === "old"
          ? { ...lead, customerName: null, customerEmail: null, subscriptionLink: "", signatureLink: null }
          : lead,
      ),
      events: before.events.map((event) => (event.id === "old" ? { ...event, body: "" } : event)),
    });
  });

  test("leaves a shop alone that keeps everything, whatever another one wants", async () => {
    const before = await everythingOf(theirs);
    await hourly();
    expect(await everythingOf(theirs)).toEqual(before);
  });

  test("takes an order once its last plan is settled", async () => {
    await hourly();
    await db.insuredUnit.updateMany({
      where: { shop: mine, orderId: "3", state: "pending" },
      data: { state: "refused" },
    });
    await hourly();
    const order = await db.order.findFirstOrThrow({ where: { shop: mine, orderId: "3" } });
    expect(order).toMatchObject({ erased: true, sealedCustomer: null, emailDigest: null });
  });

  test("goes on with the other shops where one's settings cannot be read", async () => {
    const broken = [mine, theirs].toSorted()[0] === mine ? mine : theirs;
    const fine = broken === mine ? theirs : mine;
    await keep(fine, MONTHS);
    await db.merchantSettings.update({ where: { shop: broken }, data: { settings: "unreadable" } });
    await hourly();
    const order = await db.order.findFirstOrThrow({ where: { shop: fine, orderId: "1" } });
    expect(order.erased).toBe(true);
    await db.merchantSettings.delete({ where: { shop: broken } });
  });

  test("leaves a shop alone that has removed the app: its data goes when the platform says so", async () => {
    const where = { shop: mine };
    await db.merchant.update({ where, data: { uninstalledAt: new Date() } });
    const before = await everythingOf(mine);
    await hourly();
    expect(await everythingOf(mine)).toEqual(before);
    await db.merchant.update({ where, data: { uninstalledAt: null } });
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
