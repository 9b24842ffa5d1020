/** The organisation's analytics: access, query parameters and paging. */
import { MockAgent } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { organisationAnalytics, type OrganisationAnalytics } from "#app/insurance/analytics.ts";
import { Rejected, Unauthorised } from "#app/insurance/errors.ts";
import { startInsurance, type Insurance, type StoreKeys } from "#test/sandbox/insurance/server.ts";
import { allOf, itemsOf, requestCount, control, errorOf } from "./setup.ts";
import { sendStoreRequest, field, planRequest } from "#test/insurance-sandbox/requests.ts";

let insurance: Insurance;
let analytics: OrganisationAnalytics;
let online: StoreKeys;

beforeAll(async () => {
  insurance = await startInsurance({ sales: 0, clock: () => Date.parse("2026-01-15T10:00:00Z") });
  const store = insurance.stores.find(({ external_id }) => external_id === "WEB-01");
  if (!store) throw new Error("No store WEB-01");
  online = store;
});
afterAll(() => insurance.close());
beforeEach(async () => {
  await control(insurance, "POST", "/reset");
  analytics = analyticsOf();
});

function analyticsOf(token = insurance.organisation_token): OrganisationAnalytics {
  const key = `analytics ${token}`;
  return organisationAnalytics({ baseUrl: insurance.base_url, token, key }, { maxRetryDelayMs: 5 });
}

/** Sells a plan in a store. */
async function sell(store: StoreKeys, offer = "SMA-CV-24-05", order = "6001"): Promise<string> {
  const body = { ...planRequest, offer_reference_id: offer, order_reference_id: order };
  const answer = await sendStoreRequest(insurance, "POST", "/plans", {
    store,
    token: store.token_production,
    body,
  });
  expect(answer.status).toBe(201);
  return String(field(answer.body, "contract_id"));
}
const daysLater = (days: number) => control(insurance, "POST", "/clock", { advance_days: days });

describe("an organisation's token", () => {
  it("shows the sales of all its points of sale and no others", async () => {
    for (const store of insurance.stores) await sell(store);
    expect((await itemsOf(analytics.sales())).map((sale) => sale.storeExternalId).sort()).toEqual([
      "BDX-03",
      "LYO-02",
      "WEB-01",
    ]);
    const other = insurance.stores.find(({ external_id }) => external_id === "LIL-01");
    const theirs = await itemsOf(analyticsOf(other?.organisation_token).sales());
    expect(theirs.map((sale) => sale.storeExternalId)).toEqual(["LIL-01"]);
  });

  it("that is wrong opens nothing, nor does a store's", async () => {
    expect(await errorOf(itemsOf(analyticsOf("org_wrong").sales()))).toBeInstanceOf(Unauthorised);
    expect(await errorOf(itemsOf(analyticsOf(insurance.token_production).sales()))).toBeInstanceOf(
      Unauthorised,
    );
  });
});

describe("a query", () => {
  it("begins at its date, that day included", async () => {
    await sell(online, "SMA-CV-24-05", "1");
    await daysLater(1);
    await sell(online, "SMA-CV-24-05", "2");
    await daysLater(1);
    await sell(online, "SMA-CV-24-05", "3");
    const dates = async (startDate?: string, endDate?: string) =>
      (await itemsOf(analytics.sales({ startDate, endDate }))).map((sale) => sale.date);
    expect(await dates("2026-01-16")).toEqual(["2026-01-16", "2026-01-17"]);
    expect(await dates("2026-01-16", "2026-01-16")).toEqual(["2026-01-16"]);
    expect(await dates()).toEqual(["2026-01-15", "2026-01-16", "2026-01-17"]);
  });

  it("is restricted to points of sale", async () => {
    for (const store of insurance.stores) await sell(store);
    const sales = await itemsOf(analytics.sales({ externalIds: ["WEB-01", "LYO-02"] }));
    expect(sales.map(({ storeExternalId }) => storeExternalId).sort()).toEqual(["LYO-02", "WEB-01"]);
  });

  it.each([{ startDate: "16/01/2026" }, { endDate: "2026-02-30" }])(
    "with the date %j is a mistake of the caller and is not sent",
    async (query) => {
      await expect(itemsOf(analytics.sales(query))).rejects.toThrow(RangeError);
      expect(insurance.traffic.log).toEqual([]);
    },
  );
});

describe("paging", () => {
  it("gives every sale once, in order, and requests only the pages that are consumed", async () => {
    const sold: string[] = [];
    for (let order = 0; order < 23; order += 1) sold.push(await sell(online, "SMA-CV-24-05", String(order)));
    const pages = analytics.sales({ perPage: 5 });
    expect(requestCount(insurance, "analytics.sales")).toBe(0);
    const seen: string[] = [];
    for await (const { number, items } of pages) {
      seen.push(...items.map(({ id }) => id));
      expect(requestCount(insurance, "analytics.sales")).toBe(number);
    }
    expect(seen).toEqual(sold);
    expect(requestCount(insurance, "analytics.sales")).toBe(6);
  });

  it("continues when the insurer gives fewer rows per page than requested", async () => {
    for (let order = 0; order < 3; order += 1) await sell(online, "SMA-CV-24-05", String(order));
    // Two rows, then one: what an insurer with a maximum of two per page answers to any `per_page`.
    const rows = (await itemsOf(analytics.sales())).map(wireOf);
    const answers = [rows.slice(0, 2), rows.slice(2)];
    for (const answer of [...answers, []])
      insurance.faults.add({ operation: "analytics.sales", kind: "json", answer });
    expect((await itemsOf(analytics.sales())).map((sale) => sale.id)).toEqual(rows.map((row) => row.id));
  });

  it("gives a row once even if it moves to the next page in the meantime", async () => {
    for (let order = 0; order < 3; order += 1) await sell(online, "SMA-CV-24-05", String(order));
    const rows = (await itemsOf(analytics.sales())).map(wireOf);
    for (const answer of [rows.slice(0, 2), rows.slice(1), []])
      insurance.faults.add({ operation: "analytics.sales", kind: "json", answer });
    const read = await itemsOf(analytics.sales({ perPage: 2 }));
    expect(read.map((sale) => sale.id)).toEqual(rows.map((row) => row.id));
  });

  it("ends where a page repeats: the last one, or the only one", async () => {
    for (let order = 0; order < 3; order += 1) await sell(online, "SMA-CV-24-05", String(order));
    const rows = (await itemsOf(analytics.sales())).map(wireOf);
    const repeat = (...answers: (typeof rows)[]) => {
      for (const answer of answers)
        insurance.faults.add({ operation: "analytics.sales", kind: "json", answer });
    };
    repeat(rows, rows);
    expect(await itemsOf(analytics.sales())).toHaveLength(3);
    repeat(rows.slice(0, 2), rows.slice(2), rows.slice(2));
    expect(await itemsOf(analytics.sales())).toHaveLength(3);
    repeat(rows.slice(0, 2), rows.slice(2), rows.slice(0, 2));
    expect(await itemsOf(analytics.sales())).toHaveLength(3);
  });

  it("requests pages of 100, and of 25 where the insurer refuses those", async () => {
    const dispatcher = new MockAgent();
    const sizes: (string | null)[] = [];
    let max = 25;
    dispatcher
      .get("https://insurer.example")
      .intercept({ path: /.*/ })
      .reply(({ path }) => {
        const query = new URL(path, "https://insurer.example").searchParams;
        sizes.push(query.get("per_page"));
        const row = { ...wireOf({ id: `S${query.get("page")}`, date: "2026-01-15" }) };
        if (Number(query.get("per_page")) > max) return { statusCode: 422, data: "{}" };
        return { statusCode: 200, data: JSON.stringify(query.get("page") === "3" ? [] : [row]) };
      })
      .persist();
    const account = { baseUrl: "https://insurer.example", token: "t", key: "sizes" };
    const sales = () => itemsOf(organisationAnalytics(account, { dispatcher }).sales());
    expect(await sales()).toHaveLength(2);
    expect(sizes.splice(0)).toEqual(["100", "25", "25", "25"]);
    max = 100;
    expect(await sales()).toHaveLength(2);
    expect(sizes.splice(0)).toEqual(["100", "100", "100"]);
    max = 10;
    expect(await errorOf(sales())).toBeInstanceOf(Rejected);
    expect(sizes).toEqual(["100", "25"]);
  });

  it("survives a fault in its middle", async () => {
    for (let order = 0; order < 6; order += 1) await sell(online, "SMA-CV-24-05", String(order));
    insurance.faults.add({ operation: "analytics.sales", kind: "cut", skip: 1 });
    expect((await itemsOf(analytics.sales({ perPage: 2 }))).length).toBe(6);
  });

  it("begins at the given page and requests the given size", async () => {
    for (let order = 0; order < 3; order += 1) await sell(online, "SMA-CV-24-05", String(order));
    const sizes = async (from: number) =>
      (await allOf(analytics.sales({ perPage: 2 }, from))).map(({ number, items }) => [number, items.length]);
    expect(await sizes(1)).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(await sizes(2)).toEqual([[2, 1]]);
    expect(await sizes(3)).toEqual([]);
    expect((await itemsOf(analytics.commissions({ perPage: 2 }, 2))).length).toBe(1);
  });
});

describe("an empty page that is answered with 404", () => {
  const answerEmptyWith404 = () =>
    control(insurance, "PATCH", `/stores/${insurance.store_id}`, { empty_is_404: true });

  it("shows that a new organisation has no sales yet, and that its token is right", async () => {
    await answerEmptyWith404();
    expect(await itemsOf(analytics.sales())).toEqual([]);
    expect(await itemsOf(analytics.commissions())).toEqual([]);
    await analytics.verifyToken();
    expect(await errorOf(analyticsOf("org_wrong").verifyToken())).toBeInstanceOf(Unauthorised);
  });

  it("ends the reading", async () => {
    await answerEmptyWith404();
    const sold = [await sell(online, "SMA-CV-24-05", "1"), await sell(online, "SMA-CV-24-05", "2")];
    expect((await itemsOf(analytics.sales())).map(({ id }) => id).sort()).toEqual(sold.sort());
  });
});

/** A sale as the insurer would send it. */
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
