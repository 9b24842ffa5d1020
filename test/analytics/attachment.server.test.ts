import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type AttachmentFigures,
  type AttachmentOverview,
  bandStarts,
  noFigures,
} from "#app/analytics/attachment.ts";
import {
  attachmentOverview,
  type AttachmentRange,
  attachmentMonth,
} from "#app/analytics/attachment.server.ts";
import { db } from "#app/platform/db.server.ts";
import { eraseNow } from "#test/erase.ts";
import { writeHistory } from "#test/shop-history.ts";
import { otherShop, shop as first } from "#test/world.ts";

const mine = first.shopDomain;
const FIRST = Date.UTC(2023, 10, 20);
const HOURS = 24 * 500;
const settings = { timezone: "Europe/Paris", currency: "EUR" };

const any = {
  /** the hour of the order, over a year and a half */
  hour: fc.integer({ min: 0, max: HOURS - 1 }),
  category: fc.constantFrom("", "Phones", "Bikes"),
  touchpoint: fc.constantFrom(null, "product_page", "cart"),
  product: fc.constantFrom(null, ...Array.from({ length: 25 }, (_, n) => `70${n}`)),
  environment: fc.constantFrom("test" as const, "production" as const),
  day: fc.integer({ min: -3, max: HOURS / 24 + 3 }).map((day) => dayAt(FIRST + day * 86_400_000)),
};
const item = fc.record({
  state: fc.constantFrom("pending", "active", "cancelled", "refused"),
  wanted: fc.boolean(),
  premiumMinor: fc.integer({ min: 0, max: 50_000 }),
  currency: fc.constantFrom("EUR", "EUR", "USD"),
  touchpoint: any.touchpoint,
});
const line = fc.record({
  productId: any.product,
  priceMinor: fc.integer({ min: 0, max: 250_000 }),
  currentQuantity: fc.constantFrom(0, 1, 1, 1),
  categoryId: any.category,
  insuranceOffered: fc.boolean(),
  insuranceSelected: fc.boolean(),
  offeredAt: any.touchpoint,
  productFormat: fc.constantFrom(null, "radio", "modal"),
  items: fc.array(item, { maxLength: 2 }),
});
const order = fc.record({
  hour: any.hour,
  paid: fc.boolean(),
  environment: any.environment,
  salesRecordStatus: fc.constantFrom("recorded", "recorded", "test_order"),
  lines: fc.array(line, { maxLength: 3 }),
});
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never;

function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

let written = 0;
async function write(shop: string, { hour, paid, lines, ...facts }: Order): Promise<void> {
  const orderId = String((written += 1));
  const at = new Date(FIRST + hour * 3_600_000);
  await db.order.create({
    data: {
      shop,
      orderId,
      name: `#${orderId}`,
      purchasedAt: at,
      changedAt: at,
      paidAt: paid ? at : null,
      currency: "EUR",
      paymentMethod: "credit_card",
      salesChannel: "online",
      ...facts,
    },
  });
  for (const [index, { items, ...line }] of lines.entries()) {
    const lineId = String(index);
    await db.orderLine.create({
      data: {
        shop,
        orderId,
        lineId,
        pairId: lineId,
        title: `Product ${line.productId ?? "gone"}`,
        quantity: 1,
        currency: "EUR",
        listPriceMinor: line.priceMinor,
        ...line,
      },
    });
    await db.insuredItem.createMany({
      data: items.map((item, number) => ({
        shop,
        orderId,
        environment: facts.environment,
        lineId: `plan ${lineId}`,
        itemNumber: number,
        offerReferenceId: "REF",
        planTitle: "Plan",
        insuredLineId: lineId,
        offerPriceMinor: item.premiumMinor,
        changedAt: at,
        ...item,
      })),
    });
  }
}

/** The expected figures by their definition (app/analytics/attachment.ts), one line at a time. */
async function judge(shop: string, range: AttachmentRange): Promise<AttachmentOverview> {
  const inZone = new Intl.DateTimeFormat("en-CA", { timeZone: range.timezone, dateStyle: "short" });
  const orders = await db.order.findMany({
    where: { shop, environment: range.environment, salesRecordStatus: { not: "test_order" } },
  });
  const lines = await db.orderLine.findMany({ where: { shop, NOT: { categoryId: "" } } });
  const items = await db.insuredItem.findMany({ where: { shop } });
  const sums = new Map<string, AttachmentFigures>();
  const titles = new Map<string, string>();
  for (const each of lines) {
    const of = orders.find(({ orderId }) => orderId === each.orderId);
    if (!of) continue;
    const day = inZone.format(of.purchasedAt);
    if ((range.start !== null && day < range.start) || (range.end !== null && day > range.end)) continue;
    const own = items.filter(
      ({ orderId, insuredLineId }) => orderId === each.orderId && insuredLineId === each.lineId,
    );
    const wanted = own.filter((item) => item.wanted && item.state !== "cancelled");
    const chosenAt = own.flatMap(({ touchpoint }) => touchpoint ?? []).sort();
    // Of an exchange the replacement counts, because cover and premium moved to it.
    const isMoved = own.every((item) => !item.wanted && item.premiumMinor === 0);
    if (each.currentQuantity === 0 && each.insuranceSelected && isMoved) continue;
    const chosen = each.insuranceSelected || own.length > 0;
    const paid = chosen && of.paidAt !== null;
    const price = each.priceMinor / (range.currency === "JPY" ? 1 : 100);
    const keys = [
      "total",
      `day ${day}`,
      `category ${each.categoryId}`,
      `touchpoint ${chosenAt.at(-1) ?? each.offeredAt ?? ""}`,
      ...((chosenAt.at(-1) ?? each.offeredAt) === "product_page"
        ? [`format ${each.productFormat ?? ""}`]
        : []),
      `product ${each.productId ?? ""}`,
      `band ${bandStarts.filter((start) => start <= price).length}`,
    ];
    titles.set(each.productId ?? "", each.title);
    for (const key of keys) {
      const sum = sums.get(key) ?? { ...noFigures };
      sum.eligible += 1;
      sum.seen += Number(each.insuranceOffered || own.length > 0);
      sum.chosen += Number(chosen);
      sum.paid += Number(paid);
      sum.cancelled += Number(paid && own.length > 0 && wanted.length === 0);
      if (of.paidAt !== null) {
        for (const { state, premiumMinor, currency } of wanted) {
          if (state === "active" && currency === range.currency) sum.premiumMinor += premiumMinor;
        }
      }
      sums.set(key, sum);
    }
  }
  const by = (dimension: string) =>
    [...sums].flatMap(([key, sum]) =>
      key.startsWith(`${dimension} `) ? [{ value: key.slice(dimension.length + 1), sum }] : [],
    );
  const mostFirst = (dimension: string) =>
    by(dimension).sort((a, b) => b.sum.eligible - a.sum.eligible || (a.value < b.value ? -1 : 1));
  const starts = bandStarts.map((start) => start * (range.currency === "JPY" ? 1 : 100));
  return {
    total: sums.get("total") ?? noFigures,
    days: by("day")
      .sort((a, b) => (a.value < b.value ? -1 : 1))
      .map(({ value, sum }) => ({ day: value, ...sum })),
    categories: mostFirst("category").map(({ value, sum }) => ({ category: value, ...sum })),
    touchpoints: mostFirst("touchpoint").map(({ value, sum }) => ({ touchpoint: value, ...sum })),
    formats: mostFirst("format").map(({ value, sum }) => ({ format: value, ...sum })),
    products: mostFirst("product")
      .slice(0, 20)
      .map(({ value, sum }) => ({ product: value, title: titles.get(value) ?? "", ...sum })),
    bands: by("band")
      .sort((a, b) => Number(a.value) - Number(b.value))
      .map(({ value, sum }) => ({
        fromMinor: starts[Number(value) - 1] ?? 0,
        toMinor: starts[Number(value)] ?? null,
        ...sum,
      })),
  };
}
beforeEach(async () => {
  await eraseNow(mine);
  await eraseNow(otherShop.shopDomain);
});

const whole: AttachmentRange = { ...settings, environment: "test", start: null, end: null };

describe("the statistics", () => {
  test("of any period are what the orders' lines add up to", async () => {
    const period = fc
      .record({ start: fc.option(any.day), end: fc.option(any.day) })
      .filter(({ start, end }) => start === null || end === null || start <= end);
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { minLength: 1, maxLength: 25 }),
        fc.array(fc.record({ period, environment: any.environment }), { minLength: 1, maxLength: 4 }),
        async (orders, looks) => {
          await eraseNow(mine);
          for (const each of orders) await write(mine, each);
          for (const { period, environment } of looks) {
            const range = { ...settings, ...period, environment };
            expect(await attachmentOverview(mine, range)).toEqual(await judge(mine, range));
          }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
  });

  test("have other days in another time zone and other bands in another currency", async () => {
    for (const each of fc.sample(order, { numRuns: 40, seed: 7 })) await write(mine, each);
    for (const other of [settings, { timezone: "Pacific/Auckland" }, { currency: "JPY" }]) {
      const range = { ...whole, start: "2024-03-01", ...other };
      expect(await attachmentOverview(mine, range)).toEqual(await judge(mine, range));
    }
  });

  test("hold no other shop's orders", async () => {
    for (const each of fc.sample(order, { numRuns: 20, seed: 5 })) await write(mine, each);
    expect((await attachmentOverview(mine, whole)).total.eligible).toBeGreaterThan(0);
    expect((await attachmentOverview(otherShop.shopDomain, whole)).total).toEqual(noFigures);
  });

  test("of Home are those of the last thirty days and of today", async () => {
    await writeHistory(db, { shop: mine, orders: 3_000, references: 30, organisation: null });
    const today = dayAt(Date.now());
    const summary = await attachmentMonth(mine, whole, today);
    const start = dayAt(Date.now() - 29 * 86_400_000);
    const month = await attachmentOverview(mine, { ...whole, start, end: today });
    const { total } = await attachmentOverview(mine, { ...whole, start: today, end: today });
    expect(summary.month).toEqual({ ...month.total, insuredOrders: expect.any(Number) as number });
    expect(summary.today).toEqual({ ...total, insuredOrders: expect.any(Number) as number });
    expect(summary.month.insuredOrders).toBeGreaterThan(10);
    expect(summary.month.insuredOrders).toBeLessThanOrEqual(month.total.paid);
  });
});
