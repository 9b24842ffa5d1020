/** The rules by which sales and commissions follow from plans (spec, "Sales" and "Commission"). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { organisationAnalytics, type OrganisationAnalytics } from "#app/insurance/analytics.ts";
import { startInsurance, type Insurance, type StoreKeys } from "#test/sandbox/insurance/server.ts";
import { itemsOf, control } from "#test/insurance/setup.ts";
import { sendStoreRequest, field, planRequest } from "./requests.ts";

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
  const { base_url: baseUrl, organisation_token: token } = insurance;
  analytics = organisationAnalytics({ baseUrl, token, key: "commissions" }, { maxRetryDelayMs: 5 });
  // A round price, so that the commissions below are easy to calculate: 15 % and 20 % of 10 euros a month.
  for (const { store_id } of [withAdvance, withoutAdvance]) {
    await control(insurance, "PUT", `/catalogue/references/${MONTHLY}?store_id=${store_id}`, { price: 1000 });
  }
});

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
const cancel = (store: StoreKeys, order = "6001") =>
  sendStoreRequest(insurance, "PATCH", `/orders/${order}/cancel`, { store, token: store.token_production });
const daysLater = (days: number) => control(insurance, "POST", "/clock", { advance_days: days });

describe("a sale", () => {
  it("billed once has its whole commission in front, and never an air", async () => {
    const id = await sell(online);
    expect(await itemsOf(analytics.sales())).toEqual([
      {
        id,
        status: "active",
        cancellationDate: null,
        monthly: false,
        date: "2026-01-15",
        store: "Voltigeur en ligne",
        storeId: "101",
        storeExternalId: "WEB-01",
        productReferenceId: "44001",
        category: "Smartphone casse et vol",
        priceMinor: 9890,
        seller: "",
        frontMinor: 1978,
        airMinor: null,
      },
    ]);
  });

  it("billed monthly with an advance has a year in front and a month in air", async () => {
    await sell(withAdvance, MONTHLY);
    const [sale] = await itemsOf(analytics.sales());
    expect(sale).toMatchObject({
      monthly: true,
      priceMinor: 1000,
      frontMinor: 1800,
      airMinor: 150,
    });
  });

  it("billed monthly without an advance has no front", async () => {
    await sell(withoutAdvance, MONTHLY);
    const [sale] = await itemsOf(analytics.sales());
    expect(sale).toMatchObject({ monthly: true, frontMinor: null, airMinor: 200 });
  });

  it("gets its cancellation date with the order's cancellation", async () => {
    await sell(online);
    await daysLater(40);
    await cancel(online);
    const [sale] = await itemsOf(analytics.sales());
    expect(sale).toMatchObject({ status: "cancelled", cancellationDate: "2026-02-24", date: "2026-01-15" });
  });

  it("made with a test token counts, too", async () => {
    await sendStoreRequest(insurance, "POST", "/plans", { body: planRequest });
    expect((await itemsOf(analytics.sales())).length).toBe(1);
  });
});

describe("commissions", () => {
  const collected = async () =>
    (await itemsOf(analytics.commissions())).map(({ date, type, billingType, amountMinor }) => [
      date,
      type,
      billingType,
      amountMinor,
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
    const [, air] = await itemsOf(analytics.commissions());
    expect(air).toMatchObject({
      planSaleId: id,
      monthly: true,
      priceMinor: 1000,
      storeExternalId: "LYO-02",
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
