/** Sales and commissions: the rules by which they follow from plans, and how the client pages through them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  organisationAnalytics,
  type AnalyticsOptions,
  type OrganisationAnalytics,
} from "#app/insurance/analytics.server.ts";
import { Unauthorised, UnreadableResponse } from "#app/insurance/errors.ts";
import { startInsurance, type Insurance, type StoreKeys } from "#test/sandbox/insurance/server.ts";
import { allOf, requestCount, control, errorOf } from "./setup.ts";
import { askStore, field, planRequest } from "./stand-in.ts";

const MONTHLY = "TVH-PAN-24-05";

let insurance: Insurance;
let analytics: OrganisationAnalytics;
let online: StoreKeys;
let withAdvance: StoreKeys;
let withoutAdvance: StoreKeys;

beforeAll(async () => {
  insurance = await startInsurance({ sales: 0, clock: () => Date.parse("2026-01-15T10:00:00Z") });
  const byName = (id: string) => {
    const store = insurance.stores.find(({ external_id }) => external_id === id);
    if (!store) throw new Error(`No store ${id}`);
    return store;
  };
  [online, withAdvance, withoutAdvance] = [byName("WEB-01"), byName("LYO-02"), byName("BDX-03")];
});
afterAll(() => insurance.close());
beforeEach(async () => {
  await control(insurance, "POST", "/reset");
  analytics = analyticsOf();
  // A round price, so that the commissions below can be worked out in the head: 15 % and 20 % of 10 euros a month.
  for (const { store_id } of [withAdvance, withoutAdvance]) {
    await control(insurance, "PUT", `/catalogue/references/${MONTHLY}?store_id=${store_id}`, { price: 1000 });
  }
});

function analyticsOf(
  options: AnalyticsOptions = {},
  token = insurance.organisation_token,
): OrganisationAnalytics {
  const key = `analytics ${JSON.stringify(options)} ${token}`;
  return organisationAnalytics(
    { baseUrl: insurance.base_url, token, key },
    { maxRetryDelayMs: 5, ...options },
  );
}

/** Sells a plan in a store. */
async function sell(store: StoreKeys, offer = "SMA-CV-24-05", order = "6001"): Promise<string> {
  const body = { ...planRequest, offer_reference_id: offer, order_reference_id: order };
  const answer = await askStore(insurance, "POST", "/plans", { store, token: store.token_production, body });
  expect(answer.status).toBe(201);
  return String(field(answer.body, "contract_id"));
}
const cancel = (store: StoreKeys, order = "6001") =>
  askStore(insurance, "PATCH", `/orders/${order}/cancel`, { store, token: store.token_production });
const daysLater = (days: number) => control(insurance, "POST", "/clock", { advance_days: days });

describe("a sale", () => {
  it("billed once has its whole commission in front, and never an air", async () => {
    const id = await sell(online);
    expect(await allOf(analytics.sales())).toEqual([
      {
        id,
        status: "active",
        cancellation_date: null,
        monthly: false,
        date: "2026-01-15",
        store: "Voltigeur en ligne",
        store_id: "101",
        store_external_id: "WEB-01",
        product_reference_id: "44001",
        category: "Smartphone casse et vol",
        price_minor: 9890,
        seller: "",
        front_minor: 1978,
        air_minor: null,
      },
    ]);
  });

  it("billed monthly with an advance has a year in front and a month in air", async () => {
    await sell(withAdvance, MONTHLY);
    const [sale] = await allOf(analytics.sales());
    expect(sale).toMatchObject({
      monthly: true,
      price_minor: 1000,
      front_minor: 1800,
      air_minor: 150,
    });
  });

  it("billed monthly without an advance has no front", async () => {
    await sell(withoutAdvance, MONTHLY);
    const [sale] = await allOf(analytics.sales());
    expect(sale).toMatchObject({ monthly: true, front_minor: null, air_minor: 200 });
  });

  it("gets its cancellation date with the order's cancellation", async () => {
    await sell(online);
    await daysLater(40);
    await cancel(online);
    const [sale] = await allOf(analytics.sales());
    expect(sale).toMatchObject({ status: "cancelled", cancellation_date: "2026-02-24", date: "2026-01-15" });
  });

  it("made with a test token counts, too", async () => {
    await askStore(insurance, "POST", "/plans", { body: planRequest });
    expect((await allOf(analytics.sales())).length).toBe(1);
  });
});

describe("commissions", () => {
  const collected = async () =>
    (await allOf(analytics.commissions())).map(({ date, type, billing_type, amount_minor }) => [
      date,
      type,
      billing_type,
      amount_minor,
    ]);

  it("of a contract billed once: one front at its collection, nothing later", async () => {
    await sell(online);
    await daysLater(400);
    expect(await collected()).toEqual([["2026-01-15", "front", "collected", 1978]]);
  });

  it("of a monthly contract with an advance: the advance at once, air at each collection from year 2", async () => {
    const id = await sell(withAdvance, MONTHLY);
    await daysLater(364);
    expect(await collected()).toEqual([["2026-01-15", "front", "collected", 1800]]);
    await daysLater(32);
    expect(await collected()).toEqual([
      ["2026-01-15", "front", "collected", 1800],
      ["2027-01-15", "air", "collected", 150],
      ["2027-02-15", "air", "collected", 150],
    ]);
    const [, air] = await allOf(analytics.commissions());
    expect(air).toMatchObject({
      plan_sale_id: id,
      monthly: true,
      price_minor: 1000,
      store_external_id: "LYO-02",
    });
  });

  it("of a monthly contract without an advance: air at each collection from year 1, until its term", async () => {
    await sell(withoutAdvance, MONTHLY);
    await daysLater(62);
    expect(await collected()).toEqual([
      ["2026-01-15", "air", "collected", 200],
      ["2026-02-15", "air", "collected", 200],
      ["2026-03-15", "air", "collected", 200],
    ]);
    await daysLater(3 * 365);
    expect((await collected()).length).toBe(24);
  });

  it("are refunded with an early cancellation, and end with a late one", async () => {
    await sell(online);
    await daysLater(10);
    await cancel(online);
    expect(await collected()).toEqual([
      ["2026-01-15", "front", "collected", 1978],
      ["2026-01-25", "front", "refunded", 1978],
    ]);
    await control(insurance, "POST", "/reset");
    await sell(withoutAdvance, MONTHLY);
    await daysLater(45);
    await cancel(withoutAdvance);
    await daysLater(100);
    expect((await collected()).map(([date]) => date)).toEqual(["2026-01-15", "2026-02-15"]);
  });
});

describe("an organisation's token", () => {
  it("shows the sales of all its points of sale and no others", async () => {
    for (const store of insurance.stores) await sell(store);
    expect((await allOf(analytics.sales())).map((sale) => sale.store_external_id).sort()).toEqual([
      "BDX-03",
      "LYO-02",
      "WEB-01",
    ]);
    const other = insurance.stores.find(({ external_id }) => external_id === "LIL-01");
    const theirs = await allOf(analyticsOf({}, other?.organisation_token).sales());
    expect(theirs.map((sale) => sale.store_external_id)).toEqual(["LIL-01"]);
  });

  it("that is wrong opens nothing, nor does a store's", async () => {
    expect(await errorOf(allOf(analyticsOf({}, "org_wrong").sales()))).toBeInstanceOf(Unauthorised);
    expect(await errorOf(allOf(analyticsOf({}, insurance.token_production).sales()))).toBeInstanceOf(
      Unauthorised,
    );
  });
});

describe("a query", () => {
  it.each(["repeated", "brackets"] as const)("names several points of sale (%s)", async (arrays) => {
    for (const store of insurance.stores) await sell(store);
    const rows = await allOf(analyticsOf({ arrays }).sales({ externalIds: ["WEB-01", "BDX-03"] }));
    expect(rows.map((sale) => sale.store_external_id).sort()).toEqual(["BDX-03", "WEB-01"]);
    const one = await allOf(analyticsOf({ arrays }).commissions({ externalIds: ["LYO-02"] }));
    expect(one.map((row) => row.store_external_id)).toEqual(["LYO-02"]);
  });

  it("bounds the period, both days included", async () => {
    await sell(online, "SMA-CV-24-05", "1");
    await daysLater(1);
    await sell(online, "SMA-CV-24-05", "2");
    await daysLater(1);
    await sell(online, "SMA-CV-24-05", "3");
    const dates = async (startDate?: string, endDate?: string) =>
      (await allOf(analytics.sales({ startDate, endDate }))).map((sale) => sale.date);
    expect(await dates("2026-01-16")).toEqual(["2026-01-16", "2026-01-17"]);
    expect(await dates(undefined, "2026-01-16")).toEqual(["2026-01-15", "2026-01-16"]);
    expect(await dates("2026-01-16", "2026-01-16")).toEqual(["2026-01-16"]);
  });

  it.each([
    { startDate: "16/01/2026" },
    { startDate: "2026-02-30" },
    { endDate: "2026-1-1" },
    { startDate: "2026-02-01", endDate: "2026-01-31" },
  ])("with the period %j is a mistake of the caller and is not sent", async (query) => {
    await expect(allOf(analytics.sales(query))).rejects.toThrow(RangeError);
    expect(insurance.traffic.log).toEqual([]);
  });
});

describe("paging", () => {
  it("gives every sale once, in order, asking only for the pages that are consumed", async () => {
    const sold: string[] = [];
    for (let order = 0; order < 23; order += 1) sold.push(await sell(online, "SMA-CV-24-05", String(order)));
    const walked = analytics.sales({ perPage: 5 });
    expect(requestCount(insurance, "analytics.sales")).toBe(0);
    const seen: string[] = [];
    for await (const sale of walked) {
      seen.push(sale.id);
      if (seen.length === 5) expect(requestCount(insurance, "analytics.sales")).toBe(1);
    }
    expect(seen).toEqual(sold);
    expect(requestCount(insurance, "analytics.sales")).toBe(6);
  });

  it("continues when the service gives fewer rows per page than asked for", async () => {
    for (let order = 0; order < 3; order += 1) await sell(online, "SMA-CV-24-05", String(order));
    // Two rows, then one: what a service with a maximum of two per page answers, whatever it is asked for.
    const rows = (await allOf(analytics.sales())).map(wireOf);
    const answers = [rows.slice(0, 2), rows.slice(2)];
    await control(
      insurance,
      "POST",
      "/faults",
      [...answers, []].map((answer) => ({ operation: "analytics.sales", kind: "json", answer })),
    );
    expect((await allOf(analytics.sales())).map((sale) => sale.id)).toEqual(rows.map((row) => row.id));
  });

  it("gives a row once even if it moves to the next page in the meantime", async () => {
    for (let order = 0; order < 3; order += 1) await sell(online, "SMA-CV-24-05", String(order));
    const [a, b, c] = (await allOf(analytics.sales())).map(wireOf);
    await control(
      insurance,
      "POST",
      "/faults",
      [[a, b], [b, c], []].map((answer) => ({ operation: "analytics.sales", kind: "json", answer })),
    );
    expect((await allOf(analytics.sales({ perPage: 2 }))).map((sale) => sale.id)).toEqual([
      a?.id,
      b?.id,
      c?.id,
    ]);
  });

  it("does not go round for ever when the service ignores the page", async () => {
    await sell(online);
    const answer = (await allOf(analytics.sales())).map(wireOf);
    const fault = { operation: "analytics.sales", kind: "json", answer, times: null };
    await control(insurance, "POST", "/faults", fault);
    const failure = await errorOf(allOf(analytics.sales()));
    expect(failure).toBeInstanceOf(UnreadableResponse);
    expect(String(failure)).toContain("page 2 repeats page 1");
  });

  it("survives a fault in its middle", async () => {
    for (let order = 0; order < 6; order += 1) await sell(online, "SMA-CV-24-05", String(order));
    await control(insurance, "POST", "/faults", { operation: "analytics.sales", kind: "cut", skip: 1 });
    expect((await allOf(analytics.sales({ perPage: 2 }))).length).toBe(6);
  });

  it("asks for the page and size it is told", async () => {
    for (let order = 0; order < 3; order += 1) await sell(online, "SMA-CV-24-05", String(order));
    expect((await analytics.salesPage({ perPage: 2 }, 2)).length).toBe(1);
    expect((await analytics.commissionsPage({ perPage: 2 }, 1)).length).toBe(2);
    expect(await analytics.salesPage({ perPage: 2 }, 3)).toEqual([]);
  });
});

/** A sale as the service would send it. */
function wireOf({ id, date }: { id: string; date: string }) {
  return {
    id,
    date,
    status: "active",
    cancellation_date: null,
    monthly: false,
    store: "S",
    store_id: 1,
    price: 1,
  };
}
