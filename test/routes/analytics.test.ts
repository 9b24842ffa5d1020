import { staff } from "#app/audit/actor.ts";
import { parse } from "csv-parse/sync";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { commissionEffect, saleCommission } from "#app/analytics/commission-rules.ts";
import { organisationOf, requestImport, runImport } from "#app/analytics/import.server.ts";
import { writeCommissions, writeSales } from "#app/analytics/organisation-figures.server.ts";
import { organisationAnalytics } from "#app/insurance/analytics.ts";
import type { Commission, Sale } from "#app/insurance/analytics.ts";
import { removeOrganisationToken } from "#app/merchants/connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import { loader as commissions } from "#app/routes/app.analytics.commissions/route.tsx";
import { loader as commissionsFile } from "#app/routes/app.analytics.commissions[.]csv.tsx";
import { action as refresh, loader as sales } from "#app/routes/app.analytics.sales/route.tsx";
import { loader as salesFile } from "#app/routes/app.analytics.sales[.]csv.tsx";
import { eventually } from "#test/eventually.ts";
import { connectShop, installApp } from "#test/install.ts";
import { itemsOf } from "#test/insurance/setup.ts";
import { jobQueue } from "#app/jobs/queue.server.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { ask, responseOf } from "./ask.ts";

const domain = shop.shopDomain;
const never = new AbortController().signal;

/** The expected figures: all sales of the insurer, read without the import. */
const everything = { sales: [] as Sale[], commissions: [] as Commission[] };

/** Runs the import that a page requested, as the worker does. */
async function work(of = domain, signal = never, isTimeSliceUsed = () => false): Promise<void> {
  const waiting = await db.analyticsImport.findFirstOrThrow({ where: { shop: of, active: true } });
  await runImport(of, waiting.id, { signal, isTimeSliceUsed });
}

async function salesPage(search = "", of = domain) {
  const { ready } = await ask(sales, `/app/analytics/sales${search}`, { domain: of });
  if (!ready) throw new Error("There is no organisation");
  return ready;
}
async function commissionsPage(search = "") {
  const { ready } = await ask(commissions, `/app/analytics/commissions${search}`);
  if (!ready) throw new Error("There is no organisation");
  return ready;
}

async function organisationId(): Promise<string> {
  const organisation = await organisationOf(domain, "test");
  if (!organisation) throw new Error("There is no organisation");
  return organisation.id;
}

const timezone = "Europe/Paris";

/** As if the insurer had sent this sale on a page of its own. */
async function importSale(sale: Sale): Promise<void> {
  const organisation = await organisationId();
  await db.$transaction((transaction) =>
    writeSales(transaction, { shop: domain, organisation, timezone }, [sale]),
  );
}

async function readEverything(): Promise<void> {
  const service = organisationAnalytics({
    baseUrl: insurance.base_url,
    token: insurance.organisation_token,
    key: "judge",
  });
  everything.sales = await itemsOf(service.sales());
  everything.commissions = await itemsOf(service.commissions());
}
beforeAll(async () => {
  await readEverything();
  await connectShop();
});
afterEach(() => insurance.faults.clear());

const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);

const amountsOf = ({ monthly, frontMinor, airMinor }: Sale) => ({
  monthly,
  frontMinor,
  airMinor,
});

/** The figures of some sales by the rules, one sale at a time. */
function figuresOf(some: Sale[], today: string) {
  const rows = some.map((sale) => ({
    ...sale,
    ...amountsOf(sale),
    ...saleCommission({ date: sale.date, ...amountsOf(sale) }),
  }));
  const air = (isPaidNow: boolean) =>
    rows
      .filter(({ cancellationDate, airFrom }) => cancellationDate === null && airFrom !== null)
      .filter(({ airFrom }) => (airFrom ?? "") <= today === isPaidNow)
      .map(({ airMinor }) => airMinor);
  return {
    sales: rows.length,
    cancelled: rows.filter(({ cancellationDate }) => cancellationDate !== null).length,
    priceMinor: sum(rows.map(({ priceMinor }) => priceMinor)),
    frontMinor: sum(rows.map(({ frontMinor }) => frontMinor)),
    airNowMinor: sum(air(true)),
    airLaterMinor: sum(air(false)),
    contradictions: 0,
  };
}

describe("the import", () => {
  test("begins with the first view of the page, and only once", async () => {
    expect((await salesPage()).importStatus).toEqual({
      rowsSoFar: 0,
      succeededAt: null,
      earlier: null,
      problem: null,
    });
    await salesPage();
    await commissionsPage();
    expect(await db.analyticsImport.count({ where: { shop: domain } })).toBe(1);
  });

  test("whose worker is gone makes way for another", async () => {
    const [lost] = await db.analyticsImport.findMany({ where: { shop: domain } });
    const lastProgressAt = new Date(Date.now() - 20 * 60_000);
    await db.analyticsImport.updateMany({ where: { shop: domain }, data: { lastProgressAt } });
    expect((await salesPage()).importStatus).toMatchObject({ rowsSoFar: 0 });
    const imports = await db.analyticsImport.findMany({ where: { shop: domain, active: true } });
    expect(imports).toHaveLength(1);
    expect(imports[0]?.id).not.toBe(lost?.id);
  });

  test("resumes after the last page written, and ends with every row of the insurer", async () => {
    // Stopped as by a deploy, during the request for the commissions' first page.
    const answer = insurance.faults.hold("analytics.commissions");
    const stop = new AbortController();
    const stopped = work(domain, stop.signal);
    const requested = (operation: "analytics.sales" | "analytics.commissions") =>
      insurance.traffic.counts.get(operation) ?? 0;
    insurance.traffic.clear();
    await eventually(() => expect(requested("analytics.commissions")).toBe(1));
    stop.abort();
    answer();
    await expect(stopped).rejects.toThrow();
    insurance.traffic.clear();
    await work();
    expect(requested("analytics.sales")).toBe(0);
    expect((await salesPage()).overview.total.sales).toBe(everything.sales.length);
    expect((await commissionsPage()).overview.total.commissions).toBe(everything.commissions.length);
    expect((await salesPage()).importStatus).toMatchObject({
      rowsSoFar: null,
      succeededAt: expect.any(Date) as Date,
      problem: null,
    });
  });

  test("ends when its time slice is used up, and continues after the last page written", async () => {
    await ask(refresh, "/app/analytics/sales", { form: {} });
    const jobs = async () => (await (await jobQueue()).findJobs("analytics-import")).length;
    const before = await jobs();
    insurance.traffic.clear();
    await work(domain, never, () => true);
    expect([...insurance.traffic.counts]).toEqual([["analytics.sales", 1]]);
    expect(await jobs()).toBe(before + 1);
    await work();
    expect((await salesPage()).overview.total.sales).toBe(everything.sales.length);
    expect((await salesPage()).importStatus).toMatchObject({ rowsSoFar: null, problem: null });
  });

  test("a day later reads the recent sales alone, and the page says of when the others are", async () => {
    expect((await salesPage()).importStatus.earlier).toBeNull();
    const createdAt = new Date(Date.now() - 2 * 86_400_000);
    await db.analyticsImport.updateMany({ where: { shop: domain }, data: { createdAt } });
    await salesPage();
    await work();
    const { importStatus } = await salesPage();
    expect(importStatus).toMatchObject({ rowsSoFar: null, problem: null });
    expect(importStatus.earlier?.before).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(importStatus.earlier?.readAt.getTime()).toBeLessThan(importStatus.succeededAt?.getTime() ?? 0);
  });

  test("is refreshed on request: no row twice, and a sale cancelled in the meantime is cancelled", async () => {
    const before = (await salesPage()).overview.total;
    const active = new Set(
      everything.sales.filter((sale) => sale.cancellationDate === null).map(({ id }) => id),
    );
    const plan = insurance.plans().find(({ id }) => active.has(id));
    if (!plan) throw new Error("The insurer has no active plan");
    const token = plan.store.tokens[plan.environment];
    await fetch(
      `${insurance.base_url}/api/v2/store/${plan.store.id}/orders/${plan.order_reference_id}/cancel`,
      {
        method: "PATCH",
        headers: { authorization: `Bearer ${token}` },
      },
    );
    await readEverything();
    await ask(refresh, "/app/analytics/sales", { form: {} });
    await work();
    const { overview, today } = await salesPage();
    expect(overview.total.sales).toBe(before.sales);
    expect(overview.total.cancelled).toBeGreaterThan(before.cancelled);
    expect(overview.total).toEqual(figuresOf(everything.sales, today));
  });

  test("that the insurer cuts short keeps what it has, and says why", async () => {
    const before = (await salesPage()).overview.total;
    await ask(refresh, "/app/analytics/sales", { form: {} });
    insurance.faults.add({ operation: "analytics.sales", kind: "status", status: 401, times: 1 });
    await work();
    const page = await salesPage();
    expect(page.importStatus).toMatchObject({ rowsSoFar: null, problem: "refused" });
    expect(page.overview.total).toEqual(before);
  });

  test("ends where the insurer repeats a page", async () => {
    const [id, date] = ["repeated", "2026-01-15"];
    const answer = [{ id, date, status: "active", monthly: false, store: "Lyon", store_id: 102, price: 10 }];
    await ask(refresh, "/app/analytics/sales", { form: {} });
    // With an end: an import that followed the repetitions would succeed instead of hanging.
    insurance.faults.add({ operation: "analytics.sales", kind: "json", answer, times: 20 });
    insurance.traffic.clear();
    await work();
    expect((await salesPage()).importStatus.problem).toBeNull();
    expect(insurance.traffic.counts.get("analytics.sales")).toBe(2);
    await db.organisationSale.deleteMany({ where: { shop: domain, saleId: id } });
    insurance.faults.clear();
  });

  test("that a killed process left behind is started again", async () => {
    await ask(refresh, "/app/analytics/sales", { form: {} });
    const left = new Date(Date.now() - 3_600_000);
    await db.analyticsImport.updateMany({
      where: { active: true },
      data: { state: "running", lastProgressAt: left },
    });
    await ask(refresh, "/app/analytics/sales", { form: {} });
    expect(await db.analyticsImport.count({ where: { active: true, lastProgressAt: { gt: left } } })).toBe(1);
    await work();
  });
});

describe("sales", () => {
  test("are added up by the document's rules", async () => {
    const { overview, today } = await salesPage();
    expect(overview.total).toEqual(figuresOf(everything.sales, today));
    expect(overview.total.frontMinor).toBeGreaterThan(0);
    expect(overview.total.airNowMinor).toBeGreaterThan(0);
  });

  test("by month and by point of sale make up the total", async () => {
    const { overview, today } = await salesPage();
    for (const { month, ...figures } of overview.months) {
      const some = everything.sales.filter(({ date }) => date.startsWith(month));
      expect(figures).toEqual(figuresOf(some, today));
    }
    for (const figures of overview.stores) {
      const some = everything.sales.filter((sale) => sale.storeId === figures.storeId);
      expect(figures).toMatchObject(figuresOf(some, today));
    }
    expect(sum(overview.months.map((row) => row.sales))).toBe(overview.total.sales);
    expect(sum(overview.stores.map((row) => row.sales))).toBe(overview.total.sales);
    const inOrder = overview.stores.map(({ sales }) => sales);
    expect(inOrder.length).toBeGreaterThan(1);
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => other - one));
  });

  test("are filtered by period, point of sale and billing", async () => {
    const dates = everything.sales.map(({ date }) => date).sort();
    const start = dates[Math.floor(dates.length / 4)] ?? "";
    const end = dates[Math.floor(dates.length / 2)] ?? "";
    const storeId = everything.sales[0]?.storeId ?? "";
    const within = everything.sales.filter(({ date }) => date >= start && date <= end);
    const { overview, today } = await salesPage(`?start=${start}&end=${end}`);
    expect(overview.total).toEqual(figuresOf(within, today));
    expect((await salesPage(`?start=${end}&end=${start}`)).overview.total).toEqual(overview.total);
    const mine = everything.sales.filter((sale) => sale.storeId === storeId && sale.monthly);
    const narrowed = await salesPage(`?stores=${storeId}&billing=monthly`);
    expect(narrowed.overview.total).toEqual(figuresOf(mine, today));
    expect((await salesPage("?start=soon&billing=weekly")).overview.total.sales).toBe(
      everything.sales.length,
    );
  });

  test("are listed latest first, and their pages join without gap or repetition", async () => {
    const first = await salesPage();
    const seen = [first.page];
    for (let next = first.page.next; next; next = seen.at(-1)?.next ?? null)
      seen.push((await salesPage(`?after=${encodeURIComponent(next)}`)).page);
    const ids = seen.flatMap(({ items }) => items.map(({ saleId }) => saleId));
    expect([...ids].sort()).toEqual(everything.sales.map(({ id }) => id).sort());
    const dates = seen.flatMap(({ items }) => items.map(({ date }) => date));
    expect(dates).toEqual([...dates].sort().reverse());
    const back = await salesPage(`?before=${encodeURIComponent(seen[1]?.previous ?? "")}`);
    expect(back.page.items).toEqual(seen[0]?.items);
  });

  test("come as a file with the page's filters, amounts exact to the cent", async () => {
    const answer = await responseOf(ask(salesFile, "/app/analytics/sales.csv?billing=annually&locale=en"));
    expect(answer.headers.get("content-type")).toContain("text/csv");
    const columns = z.array(z.record(z.string(), z.string()));
    const rows = columns.parse(parse(await answer.text(), { columns: true, bom: true }));
    const annual = everything.sales.filter(({ monthly }) => !monthly);
    expect(rows.map((row) => row["Number"]).sort()).toEqual(annual.map(({ id }) => id).sort());
    const [row] = rows;
    const sale = annual.find(({ id }) => id === row?.["Number"]);
    expect(row).toMatchObject({
      Price: ((sale?.priceMinor ?? 0) / 100).toFixed(2),
      "Recurring commission (EUR)": "",
      Monthly: "no",
      "Point of sale": sale?.store,
    });
  });

  test("with AIR on an annual contract are shown as a contradiction and add no AIR", async () => {
    const before = (await salesPage()).overview.total;
    const annual = everything.sales.find(({ monthly }) => !monthly);
    if (!annual) throw new Error("The insurer has no annual sale");
    await importSale({ ...annual, airMinor: 500 });
    expect((await salesPage()).overview.total).toEqual({ ...before, contradictions: 1 });
    await importSale(annual);
    expect((await salesPage()).overview.total).toEqual(before);
  });

  test("whose contract is not active any more pay no AIR, also without a date of cancellation", async () => {
    const before = (await salesPage()).overview.total;
    const active = everything.sales.find(
      ({ monthly, frontMinor, airMinor, cancellationDate }) =>
        monthly && frontMinor === null && (airMinor ?? 0) > 0 && cancellationDate === null,
    );
    if (!active) throw new Error("The insurer has no active monthly sale without an advance");
    const airNowMinor = before.airNowMinor - (active.airMinor ?? 0);
    for (const status of ["expired", "cancelled"]) {
      await importSale({ ...active, status });
      const { overview, page } = await salesPage(`?start=${active.date}&end=${active.date}`);
      expect((await salesPage()).overview.total).toEqual({ ...before, airNowMinor });
      expect(overview.total.sales).toBeGreaterThan(0);
      const row = page.items.find(({ saleId }) => saleId === active.id);
      expect(row).toMatchObject({ status, cancelledOn: null });
    }
    await importSale({ ...active, status: "active" });
    expect((await salesPage()).overview.total).toEqual(before);
  });
});

describe("commissions", () => {
  const effect = ({ type, monthly, billingType, amountMinor }: Commission) =>
    commissionEffect({ type, monthly, billingType, amountMinor });

  test("are summed by type, less refunds", async () => {
    const { total } = (await commissionsPage()).overview;
    const of = (type: string) => sum(everything.commissions.filter((each) => each.type === type).map(effect));
    expect(total).toMatchObject({ frontMinor: of("front"), airMinor: of("air"), contradictions: 0 });
    const refunds = everything.commissions.filter(({ billingType }) => billingType === "refunded");
    expect(refunds.length).toBeGreaterThan(0);
    expect(total.frontRefundedMinor + total.airRefundedMinor).toBe(-sum(refunds.map(effect)));
  });

  test("count a refund the same whichever sign its amount has", async () => {
    const before = (await commissionsPage()).overview.total;
    const refunds = everything.commissions.filter(({ billingType }) => billingType === "refunded");
    const negated = refunds.map((refund) => ({ ...refund, amountMinor: -refund.amountMinor }));
    const organisation = await organisationId();
    await db.$transaction((transaction) =>
      writeCommissions(transaction, { shop: domain, organisation, timezone }, negated),
    );
    expect((await commissionsPage()).overview.total).toEqual(before);
  });

  test("count on the day of the shop's time zone in which they were collected", async () => {
    const [sample] = everything.commissions;
    if (!sample) throw new Error("The insurer shows no commission");
    const collected = { id: 990_001, date: "2031-04-01T00:00:00+02:00", amount: 5 };
    const wire = {
      store: sample.store,
      store_id: 1,
      price: 10,
      plan_sale_id: 1,
      monthly: false,
      billing_type: "collected",
      type: "front",
    };
    const of = async (day: string) =>
      (await commissionsPage(`?start=${day}&end=${day}`)).overview.total.frontMinor;
    insurance.faults.add({
      operation: "analytics.commissions",
      kind: "json",
      answer: [{ ...wire, ...collected }],
    });
    await ask(refresh, "/app/analytics/sales", { form: {} });
    await work();
    expect([await of("2031-03-31"), await of("2031-04-01")]).toEqual([0, 500]);
    await db.organisationCommission.deleteMany({ where: { shop: domain, commissionId: "990001" } });
  });

  test("come as a file of all of them", async () => {
    const answer = await responseOf(ask(commissionsFile, "/app/analytics/commissions.csv?locale=en"));
    const rows = z
      .array(z.object({ Number: z.string(), "Amount (EUR)": z.string() }))
      .parse(parse(await answer.text(), { columns: true, bom: true }));
    expect(rows).toHaveLength(everything.commissions.length);
    const cents = rows.map(({ "Amount (EUR)": amount }) => Math.round(Number(amount) * 100));
    const { total } = (await commissionsPage()).overview;
    expect(sum(cents)).toBe(total.frontMinor + total.airMinor);
    expect(answer.headers.get("content-disposition")).toMatch(
      /="commissions-[a-z0-9-]+-\d{4}-\d\d-\d\d\.csv"$/,
    );
  });
});

test("another organisation's rows are on no page of this one, not even after a change of token", async () => {
  const other = otherShop.shopDomain;
  const foreign = insurance.stores.at(-1);
  await connectShop(other, foreign);
  await salesPage("", other);
  await work(other);
  const own = new Set(everything.sales.map(({ id }) => id));
  const shown = await salesPage("", other);
  expect(shown.page.items.filter(({ saleId }) => own.has(saleId))).toEqual([]);
  await connectShop(other);
  expect((await salesPage("", other)).overview.total.sales).toBe(0);
});

test("without the organisation's token the pages say so and there are no files", async () => {
  await removeOrganisationToken(domain, "test", staff("1"));
  expect(await ask(sales, "/app/analytics/sales")).toEqual({ ready: null });
  expect(await ask(commissions, "/app/analytics/commissions")).toEqual({ ready: null });
  const file = await responseOf(ask(salesFile, "/app/analytics/sales.csv"));
  expect(file.status).toBe(404);
  expect(await organisationOf(domain, "test")).toBeNull();
  const waiting = await db.analyticsImport.count({ where: { shop: domain, active: true } });
  await ask(refresh, "/app/analytics/sales", { form: {} });
  expect(await db.analyticsImport.count({ where: { shop: domain, active: true } })).toBe(waiting);
  // An import that was running when the token was removed ends without it.
  await requestImport(domain, "test", "0123456789abcdef", "daily");
  await work();
  expect(await db.analyticsImport.findFirst({ where: { organisation: "0123456789abcdef" } })).toMatchObject({
    state: "failed",
    error: "disconnected",
  });
});

test("a shop that only installed the app has no figures", async () => {
  await installApp(otherShop.shopDomain);
  await removeOrganisationToken(otherShop.shopDomain, "test", staff("1"));
  expect(await ask(sales, "/app/analytics/sales", { domain: otherShop.shopDomain })).toEqual({ ready: null });
});
