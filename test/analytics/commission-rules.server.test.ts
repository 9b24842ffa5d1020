/** The insurer's rules on commissions, from an imported row to the figures of the pages. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  commissionsOverview,
  listSales,
  salesOverview,
  writeCommissions,
  writeSales,
} from "#app/analytics/organisation-figures.server.ts";
import { organisationFilter } from "#app/analytics/filter.ts";
import type { Commission, Sale } from "#app/insurance/analytics.ts";
import { eraseNow } from "#test/erase.ts";
import { db } from "#app/platform/db.server.ts";
import { shop } from "#test/world.ts";

const domain = shop.shopDomain;
const organisation = "organisation";
const target = { shop: domain, organisation, timezone: "Europe/Paris" };
const everything = organisationFilter.parse({});
const store = { store: "Lyon", storeId: "102", storeExternalId: "LYO-02" };

beforeEach(() => eraseNow(domain));

describe("a sale", () => {
  const SOLD = "2026-01-15";
  const sale = (amounts: Partial<Sale>): Sale => ({
    ...store,
    id: "sale",
    status: "active",
    cancellationDate: null,
    date: SOLD,
    monthly: true,
    productReferenceId: "44001",
    category: "Phones",
    seller: "",
    priceMinor: 1_000,
    frontMinor: null,
    airMinor: null,
    ...amounts,
  });

  /** FRONT, AIR paid now, AIR paid later and contradictions on a day. */
  async function figuresOn(today: string) {
    const { total } = await salesOverview(domain, organisation, everything, today);
    return [total.frontMinor, total.airNowMinor, total.airLaterMinor, total.contradictions];
  }
  const importSale = (amounts: Partial<Sale>) =>
    db.$transaction((transaction) => writeSales(transaction, target, [sale(amounts)]));
  async function airFrom() {
    const page = await listSales(domain, organisation, everything, { after: null, before: null }, 1);
    return page.items[0]?.airFrom;
  }

  test("rule 1: an annual one has its whole commission in FRONT, paid once, and no AIR", async () => {
    await importSale({ monthly: false, frontMinor: 1_978 });
    for (const day of [SOLD, "2027-01-15", "2030-01-15"])
      expect(await figuresOn(day)).toEqual([1_978, 0, 0, 0]);
    expect(await airFrom()).toBeNull();
  });

  test("rule 1: AIR on an annual one is a contradiction and counts for nothing", async () => {
    await importSale({ monthly: false, frontMinor: 1_978, airMinor: 150 });
    for (const day of [SOLD, "2027-01-15", "2030-01-15"])
      expect(await figuresOn(day)).toEqual([1_978, 0, 0, 1]);
    expect(await airFrom()).toBeNull();
    await importSale({ monthly: false, frontMinor: null, airMinor: 150 });
    expect(await figuresOn("2030-01-15")).toEqual([0, 0, 0, 1]);
  });

  test("rule 2: a monthly one with an advance has the advance in FRONT, and AIR from the first day of year 2", async () => {
    await importSale({ frontMinor: 1_800, airMinor: 150 });
    expect(await figuresOn(SOLD)).toEqual([1_800, 0, 150, 0]);
    expect(await figuresOn("2027-01-14")).toEqual([1_800, 0, 150, 0]);
    expect(await figuresOn("2027-01-15")).toEqual([1_800, 150, 0, 0]);
    expect(await airFrom()).toBe("2027-01-15");
  });

  test("rule 2: an advance without AIR is an advance", async () => {
    await importSale({ frontMinor: 1_800 });
    expect(await figuresOn("2027-01-15")).toEqual([1_800, 0, 0, 0]);
    expect(await airFrom()).toBeNull();
  });

  test("rule 3: a monthly one without an advance has AIR from its first day", async () => {
    await importSale({ airMinor: 200 });
    expect(await figuresOn("2026-01-14")).toEqual([0, 0, 200, 0]);
    expect(await figuresOn(SOLD)).toEqual([0, 200, 0, 0]);
    expect(await airFrom()).toBe(SOLD);
  });

  test("a cancelled one has no AIR any more", async () => {
    await importSale({ airMinor: 200, cancellationDate: "2026-02-01" });
    expect(await figuresOn("2026-03-01")).toEqual([0, 0, 0, 0]);
  });
});

describe("a commission", () => {
  /** FRONT, AIR, FRONT and AIR refunded, contradictions. */
  async function figuresOf(...some: Pick<Commission, "type" | "monthly" | "billingType" | "amountMinor">[]) {
    const rows = some.map((each, index) => ({
      ...store,
      id: `commission ${index}`,
      date: "2026-01-15",
      planSaleId: "sale",
      priceMinor: 1_000,
      ...each,
    }));
    await db.$transaction((transaction) => writeCommissions(transaction, target, rows));
    const { total } = await commissionsOverview(domain, organisation, everything);
    return [
      total.frontMinor,
      total.airMinor,
      total.frontRefundedMinor,
      total.airRefundedMinor,
      total.contradictions,
    ];
  }
  const collected = { billingType: "collected" as const };
  const refunded = { billingType: "refunded" as const };

  test("rule 1: FRONT on a monthly contract is the advance", async () => {
    const advance = { ...collected, type: "front" as const, monthly: true, amountMinor: 1_800 };
    expect(await figuresOf(advance)).toEqual([1_800, 0, 0, 0, 0]);
  });

  test("rule 2: FRONT on an annual contract is the whole commission", async () => {
    const whole = { ...collected, type: "front" as const, monthly: false, amountMinor: 1_978 };
    expect(await figuresOf(whole)).toEqual([1_978, 0, 0, 0, 0]);
  });

  test("rule 3: AIR on a monthly contract counts at each collection", async () => {
    const air = { ...collected, type: "air" as const, monthly: true, amountMinor: 150 };
    expect(await figuresOf(air, air)).toEqual([0, 300, 0, 0, 0]);
  });

  test.each([collected, refunded])(
    "rule 4: AIR on an annual contract counts for nothing (%j)",
    async (billing) => {
      const air = { ...billing, type: "air" as const, monthly: false, amountMinor: 150 };
      expect(await figuresOf(air)).toEqual([0, 0, 0, 0, 1]);
      const { total } = await commissionsOverview(domain, organisation, everything);
      expect(total.commissions).toBe(0);
    },
  );

  test.each([1, -1])("a refund takes away, whichever sign its amount has (%i)", async (sign) => {
    const front = { type: "front" as const, monthly: false, amountMinor: 1_978 };
    const air = { type: "air" as const, monthly: true, amountMinor: 150 };
    const figures = await figuresOf(
      { ...front, ...collected },
      { ...front, ...refunded, amountMinor: sign * 978 },
      { ...air, ...collected },
      { ...air, ...refunded, amountMinor: sign * 50 },
    );
    expect(figures).toEqual([1_000, 100, 978, 50, 0]);
  });
});
