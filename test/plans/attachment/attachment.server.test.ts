import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { jobQueue } from "#app/jobs/queue.server.ts";
import { recountAttachment, recountChangedDays } from "#app/plans/attachment/daily-sums.server.ts";
import {
  attachmentOverview,
  type AttachmentOverview,
  homeSummary,
} from "#app/plans/attachment/overview.server.ts";
import { type AttachmentFigures, bandStarts } from "#app/plans/attachment/overview.ts";
import { eraseNow } from "#test/erase.ts";
import { db } from "#app/platform/db.server.ts";
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
  environment: fc.constantFrom("test", "production"),
  day: fc.integer({ min: -3, max: HOURS / 24 + 3 }).map((day) => dayAt(FIRST + day * 86_400_000)),
};
const unit = fc.record({
  state: fc.constantFrom("pending", "active", "cancelled", "refused"),
  wanted: fc.boolean(),
  premiumMinor: fc.integer({ min: 0, max: 50_000 }),
  currency: fc.constantFrom("EUR", "EUR", "USD"),
  touchpoint: any.touchpoint,
});
const line = fc.record({
  productId: any.product,
  priceMinor: fc.integer({ min: 0, max: 250_000 }),
  categoryId: any.category,
  insuranceOffered: fc.boolean(),
  insuranceSelected: fc.boolean(),
  offeredAt: any.touchpoint,
  units: fc.array(unit, { maxLength: 2 }),
});
const order = fc.record({
  hour: any.hour,
  paid: fc.boolean(),
  environment: any.environment,
  lines: fc.array(line, { maxLength: 3 }),
});
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never;

function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

let written = 0;
async function write(shop: string, { hour, paid, environment, lines }: Order): Promise<void> {
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
      environment,
    },
  });
  for (const [index, { units, ...facts }] of lines.entries()) {
    const lineId = String(index);
    await db.orderLine.create({
      data: {
        shop,
        orderId,
        lineId,
        pairId: lineId,
        title: `Product ${facts.productId ?? "gone"}`,
        quantity: 1,
        currentQuantity: 1,
        currency: "EUR",
        listPriceMinor: facts.priceMinor,
        ...facts,
      },
    });
    await db.insuredUnit.createMany({
      data: units.map((each, number) => ({
        shop,
        orderId,
        environment,
        lineId: `plan ${lineId}`,
        unitNumber: number,
        offerReferenceId: "REF",
        planVariantId: "1",
        planTitle: "Plan",
        insuredLineId: lineId,
        offerPriceMinor: each.premiumMinor,
        ...each,
      })),
    });
  }
}

interface Range {
  environment: "test" | "production";
  start: string | null;
  end: string | null;
  timezone: string;
  currency: string;
}

/** The judge: the figures by their definition (app/plans/attachment/overview.ts), one line at a time. */
async function judge(shop: string, range: Range): Promise<AttachmentOverview> {
  const inZone = new Intl.DateTimeFormat("en-CA", { timeZone: range.timezone, dateStyle: "short" });
  const orders = await db.order.findMany({ where: { shop, environment: range.environment } });
  const lines = await db.orderLine.findMany({ where: { shop, NOT: { categoryId: "" } } });
  const units = await db.insuredUnit.findMany({ where: { shop } });
  const sums = new Map<string, AttachmentFigures>();
  const titles = new Map<string, string>();
  for (const each of lines) {
    const of = orders.find(({ orderId }) => orderId === each.orderId);
    if (!of) continue;
    const day = inZone.format(of.purchasedAt);
    if ((range.start !== null && day < range.start) || (range.end !== null && day > range.end)) continue;
    const own = units.filter(
      ({ orderId, insuredLineId }) => orderId === each.orderId && insuredLineId === each.lineId,
    );
    const wanted = own.filter((unit) => unit.wanted && unit.state !== "cancelled");
    const chosenAt = own.flatMap(({ touchpoint }) => touchpoint ?? []).sort();
    // Of an exchange the replacement counts, to which cover and premium moved.
    const isMoved = own.every((unit) => !unit.wanted && unit.premiumMinor === 0);
    if (each.currentQuantity === 0 && each.insuranceSelected && isMoved) continue;
    const chosen = each.insuranceSelected || own.length > 0;
    const paid = chosen && of.paidAt !== null;
    const price = each.priceMinor / (range.currency === "JPY" ? 1 : 100);
    const keys = [
      "total",
      `day ${day}`,
      `category ${each.categoryId}`,
      `touchpoint ${chosenAt.at(-1) ?? each.offeredAt ?? ""}`,
      `product ${each.productId ?? ""}`,
      `band ${bandStarts.filter((start) => start <= price).length}`,
    ];
    titles.set(each.productId ?? "", each.title);
    for (const key of keys) {
      const sum = sums.get(key) ?? { ...nothing };
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
    total: sums.get("total") ?? nothing,
    days: by("day")
      .sort((a, b) => (a.value < b.value ? -1 : 1))
      .map(({ value, sum }) => ({ day: value, ...sum })),
    categories: mostFirst("category").map(({ value, sum }) => ({ category: value, ...sum })),
    touchpoints: mostFirst("touchpoint").map(({ value, sum }) => ({ touchpoint: value, ...sum })),
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
const nothing: AttachmentFigures = {
  eligible: 0,
  seen: 0,
  chosen: 0,
  paid: 0,
  cancelled: 0,
  premiumMinor: 0,
};

/** What happens to orders after they were taken in. */
const change = fc.oneof(
  fc.record({ kind: fc.constant("pay" as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant("move" as const), pick: fc.nat(), hour: any.hour }),
  fc.record({
    kind: fc.constant("unit" as const),
    pick: fc.nat(),
    state: fc.constantFrom("active", "cancelled"),
  }),
  fc.record({ kind: fc.constant("refund" as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant("line" as const), pick: fc.nat(), categoryId: any.category }),
  fc.record({ kind: fc.constant("order" as const), order }),
  // The worker counts the days that changed so far, at any moment.
  fc.record({ kind: fc.constant("recount" as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

async function happen(shop: string, what: Change): Promise<void> {
  if (what.kind === "order") return write(shop, what.order);
  if (what.kind === "recount") return recountChangedDays(shop, settings);
  if (what.kind === "pay" || what.kind === "move") {
    const orders = await db.order.findMany({ where: { shop }, orderBy: { orderId: "asc" } });
    const picked = orders[what.pick % Math.max(orders.length, 1)];
    if (!picked) return;
    const at = what.kind === "pay" ? picked.purchasedAt : new Date(FIRST + what.hour * 3_600_000);
    await db.order.update({
      where: { shop_orderId: { shop, orderId: picked.orderId } },
      data: what.kind === "pay" ? { paidAt: at } : { purchasedAt: at },
    });
    return;
  }
  if (what.kind === "line") {
    const lines = await db.orderLine.findMany({
      where: { shop },
      orderBy: [{ orderId: "asc" }, { lineId: "asc" }],
    });
    const picked = lines[what.pick % Math.max(lines.length, 1)];
    if (!picked) return;
    const { orderId, lineId } = picked;
    await db.orderLine.updateMany({
      where: { shop, orderId, lineId },
      data: { categoryId: what.categoryId },
    });
    return;
  }
  const units = await db.insuredUnit.findMany({
    where: { shop },
    orderBy: [{ orderId: "asc" }, { lineId: "asc" }, { unitNumber: "asc" }],
  });
  const picked = units[what.pick % Math.max(units.length, 1)];
  if (!picked) return;
  const { orderId, lineId, unitNumber } = picked;
  const data = what.kind === "refund" ? { wanted: false } : { state: what.state };
  await db.insuredUnit.updateMany({ where: { shop, orderId, lineId, unitNumber }, data });
}

beforeEach(async () => {
  await eraseNow(mine);
  await eraseNow(otherShop.shopDomain);
});

describe("the statistics", () => {
  test("of any period are what the orders' lines add up to, whatever happened to them since the last look", async () => {
    const range = fc.record({
      environment: any.environment,
      start: fc.option(any.day),
      end: fc.option(any.day),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { minLength: 1, maxLength: 25 }),
        fc.array(fc.record({ changes: fc.array(change, { maxLength: 4 }), range }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (orders, looks) => {
          await eraseNow(mine);
          for (const each of orders) await write(mine, each);
          if (orders.length % 2 === 0) await recountChangedDays(mine, settings);
          for (const { changes, range } of looks) {
            for (const each of changes) await happen(mine, each);
            const [start, end] =
              range.start !== null && range.end !== null && range.start > range.end
                ? [range.end, range.start]
                : [range.start, range.end];
            const requested = { ...settings, ...range, environment: environmentOf(range), start, end };
            expect(await attachmentOverview(mine, requested)).toEqual(await judge(mine, requested));
          }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
  });

  const whole = { ...settings, environment: "test" as const, start: null, end: null };
  const sold: Order = {
    hour: 100,
    paid: true,
    environment: "test",
    lines: [
      {
        productId: "701",
        priceMinor: 49_900,
        categoryId: "Phones",
        insuranceOffered: true,
        insuranceSelected: true,
        offeredAt: "cart",
        units: [{ state: "active", wanted: true, premiumMinor: 1_990, currency: "EUR", touchpoint: "cart" }],
      },
    ],
  };
  const where = { shop: mine };
  const later = new Date(FIRST + 40 * 86_400_000);
  const withoutPlan = { ...sold, lines: sold.lines.map((line) => ({ ...line, units: [] })) };
  const changes: [what: string, change: () => Promise<unknown>, before?: Order][] = [
    ["an order is not paid after all", () => db.order.updateMany({ where, data: { paidAt: null } })],
    ["an order is of another day", () => db.order.updateMany({ where, data: { purchasedAt: later } })],
    [
      "an order is of the other environment",
      () => db.order.updateMany({ where, data: { environment: "production" } }),
    ],
    ["another order comes", () => write(mine, sold)],
    ["a line is of another product", () => db.orderLine.updateMany({ where, data: { productId: "702" } })],
    ["a product has another name", () => db.orderLine.updateMany({ where, data: { title: "Renamed" } })],
    ["a line has another price", () => db.orderLine.updateMany({ where, data: { priceMinor: 5_000 } })],
    [
      "a line is of another category",
      () => db.orderLine.updateMany({ where, data: { categoryId: "Bikes" } }),
    ],
    ["a line cannot be insured", () => db.orderLine.updateMany({ where, data: { categoryId: "" } })],
    [
      "no offer was shown",
      () => db.orderLine.updateMany({ where, data: { insuranceOffered: false } }),
      withoutPlan,
    ],
    [
      "nothing was chosen",
      () => db.orderLine.updateMany({ where, data: { insuranceSelected: false } }),
      withoutPlan,
    ],
    ["a plan is cancelled", () => db.insuredUnit.updateMany({ where, data: { state: "cancelled" } })],
    ["a plan is refunded", () => db.insuredUnit.updateMany({ where, data: { wanted: false } })],
    ["a plan has another price", () => db.insuredUnit.updateMany({ where, data: { premiumMinor: 1 } })],
    ["a plan has another currency", () => db.insuredUnit.updateMany({ where, data: { currency: "USD" } })],
    [
      "a plan was chosen elsewhere",
      () => db.insuredUnit.updateMany({ where, data: { touchpoint: "product_page" } }),
    ],
    ["a plan is for another line", () => db.insuredUnit.updateMany({ where, data: { insuredLineId: "9" } })],
  ];
  test.each(changes)("know that %s", async (_, change, order = sold) => {
    await write(mine, order);
    await recountChangedDays(mine, settings);
    const before = await attachmentOverview(mine, whole);
    expect(before).toEqual(await judge(mine, whole));
    await change();
    const after = await attachmentOverview(mine, whole);
    expect(after).toEqual(await judge(mine, whole));
    expect(after).not.toEqual(before);
    await recountChangedDays(mine, settings);
    expect(await attachmentOverview(mine, whole)).toEqual(after);
  });

  test("know that an offer without a plan was shown elsewhere, and that a plan came", async () => {
    await write(mine, { ...sold, lines: sold.lines.map((each) => ({ ...each, units: [] })) });
    const steps = [
      () => db.orderLine.updateMany({ where, data: { offeredAt: "product_page" } }),
      async () => {
        const { orderId } = await db.order.findFirstOrThrow({ where });
        const [unit] = sold.lines[0]?.units ?? [];
        if (!unit) throw new Error("There is no plan to add");
        const plan = {
          shop: mine,
          orderId,
          environment: "test",
          lineId: "plan 0",
          unitNumber: 0,
          offerReferenceId: "REF",
          planVariantId: "1",
        };
        await db.insuredUnit.create({
          data: {
            ...plan,
            planTitle: "Plan",
            insuredLineId: "0",
            offerPriceMinor: unit.premiumMinor,
            ...unit,
          },
        });
      },
    ];
    for (const step of steps) {
      await recountChangedDays(mine, settings);
      const before = await attachmentOverview(mine, whole);
      await step();
      const after = await attachmentOverview(mine, whole);
      expect(after).toEqual(await judge(mine, whole));
      expect(after).not.toEqual(before);
    }
  });

  test("have other days in another time zone and other bands in another currency", async () => {
    const orders = fc.sample(order, { numRuns: 40, seed: 7 });
    for (const each of orders) await write(mine, each);
    for (const other of [
      settings,
      { ...settings, timezone: "Pacific/Auckland" },
      { ...settings, currency: "JPY" },
      settings,
    ]) {
      const range = { ...whole, ...other };
      // Before the worker knows of it, and after.
      expect(await attachmentOverview(mine, range)).toEqual(await judge(mine, range));
      await recountChangedDays(mine, other);
      expect(await attachmentOverview(mine, range)).toEqual(await judge(mine, range));
    }
  });

  test("are the same for two concurrent requests", async () => {
    for (const each of fc.sample(order, { numRuns: 30, seed: 3 })) await write(mine, each);
    const both = await Promise.all([attachmentOverview(mine, whole), attachmentOverview(mine, whole)]);
    expect(both).toEqual([await judge(mine, whole), await judge(mine, whole)]);
  });

  test("are the same for two who look while two workers count", async () => {
    for (const each of fc.sample(order, { numRuns: 30, seed: 4 })) await write(mine, each);
    const [one, , , other] = await Promise.all([
      attachmentOverview(mine, whole),
      recountChangedDays(mine, settings),
      recountChangedDays(mine, settings),
      attachmentOverview(mine, whole),
    ]);
    expect([one, other]).toEqual([await judge(mine, whole), await judge(mine, whole)]);
    expect(await attachmentOverview(mine, whole)).toEqual(one);
  });

  test("hold no other shop's orders, and go with their shop", async () => {
    const orders = fc.sample(order, { numRuns: 20, seed: 5 });
    for (const each of orders) await write(mine, each);
    await recountChangedDays(mine, settings);
    expect(await db.attachmentDay.count({ where })).toBeGreaterThan(0);
    expect((await attachmentOverview(otherShop.shopDomain, whole)).total).toEqual(nothing);
    for (const each of orders) await write(mine, each);
    await eraseNow(mine);
    expect(await db.attachmentDay.count({ where })).toBe(0);
    expect(await db.attachmentChange.count({ where })).toBe(0);
    expect(await db.attachmentSettings.count({ where })).toBe(0);
  });

  test("have the worker count at once where a page finds many changes", async () => {
    const queue = await jobQueue();
    const jobs = async () => (await queue.findJobs("attachment-recount", { data: { shop: mine } })).length;
    await db.merchant.create({ data: { shop: mine, name: "Mine", ...settings } });
    await writeHistory(db, { shop: mine, orders: 3_000, references: 30, organisation: null });
    await recountAttachment(mine);
    expect((await attachmentOverview(mine, whole)).total.eligible).toBe(2_400);
    expect(await jobs()).toBe(0);
    await db.order.updateMany({ where, data: { paidAt: null } });
    expect((await attachmentOverview(mine, whole)).total).toMatchObject({ eligible: 2_400, paid: 0 });
    expect((await attachmentOverview(mine, whole)).total).toMatchObject({ eligible: 2_400, paid: 0 });
    expect(await jobs()).toBe(1);
    await recountAttachment(mine);
    expect(await db.attachmentChange.count({ where })).toBe(0);
    expect((await attachmentOverview(mine, whole)).total).toMatchObject({ eligible: 2_400, paid: 0 });
  });

  test("of a part of a month count its days once, whether one of them has changed since or not", async () => {
    const day = (days: number) => dayAt(FIRST + days * 86_400_000);
    for (const hour of [24 * 5, 24 * 8, 24 * 100]) await write(mine, { ...sold, hour });
    await recountChangedDays(mine, settings);
    const periods = [
      { start: day(3), end: day(9) },
      { start: day(3), end: null },
      { start: null, end: day(6) },
      { start: day(3), end: day(101) },
    ];
    for (const period of periods) {
      const requested = { ...whole, ...period };
      expect(await attachmentOverview(mine, requested)).toEqual(await judge(mine, requested));
    }
    await write(mine, { ...sold, hour: 24 * 8 });
    for (const period of periods) {
      const requested = { ...whole, ...period };
      expect(await attachmentOverview(mine, requested)).toEqual(await judge(mine, requested));
    }
  });

  test("are counted again only where something changed", async () => {
    for (const each of fc.sample(order, { numRuns: 20, seed: 9 })) await write(mine, each);
    await recountChangedDays(mine, settings);
    expect(await db.attachmentChange.count({ where: { shop: mine } })).toBe(0);
    await db.order.updateMany({
      where: { shop: mine },
      data: { revision: { increment: 1 }, leaseHolder: "worker" },
    });
    await db.insuredUnit.updateMany({ where: { shop: mine }, data: { attempt: 2 } });
    expect(await db.attachmentChange.count({ where: { shop: mine } })).toBe(0);
  });
});

function environmentOf({ environment }: { environment: string }): "test" | "production" {
  return environment === "production" ? "production" : "test";
}

test("Home says the same of thirty days whether the worker has counted them or not", async () => {
  await writeHistory(db, { shop: mine, orders: 3_000, references: 30, organisation: null });
  const today = dayAt(Date.now());
  const look = () => homeSummary(mine, { ...settings, environment: "test" }, today);
  const fromLines = await look();
  await recountChangedDays(mine, settings);
  expect(fromLines.month.insuredOrders).toBeGreaterThan(10);
  expect(await look()).toEqual(fromLines);
});
