/** The insurer's rules, as the stand-in keeps them: states, whose data a token opens, claims, control. */
import { request } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startInsurance, type Insurance } from "#test/sandbox/insurance/server.ts";
import { control } from "#test/insurance/setup.ts";
import {
  sendStoreRequest,
  field,
  orderRequest,
  planRequest,
  rowsOf,
  type SandboxResponse,
} from "./requests.ts";

let insurance: Insurance;

beforeAll(async () => {
  insurance = await startInsurance({ sales: 0, clock: () => Date.parse("2026-01-31T10:00:00Z") });
});
afterAll(() => insurance.close());
beforeEach(() => control(insurance, "POST", "/reset"));

const createPlan = (changes: object = {}, asking = {}) =>
  sendStoreRequest(insurance, "POST", "/plans", { body: { ...planRequest, ...changes }, ...asking });
const contractOf = (answer: SandboxResponse) => String(field(answer.body, "contract_id"));
const planOf = async (id: string) => (await sendStoreRequest(insurance, "GET", `/plans/${id}`)).body;

describe("plans", () => {
  it("are listed by the customer's e-mail address, exactly as it was sent", async () => {
    await createPlan();
    await createPlan({ customer: { ...planRequest.customer, email: "else@example.com" } });
    const found = await sendStoreRequest(
      insurance,
      "GET",
      `/plans?customer_email=${encodeURIComponent(planRequest.customer.email)}`,
    );
    expect(rowsOf(found).length).toBe(1);
    expect(rowsOf(await sendStoreRequest(insurance, "GET", "/plans")).length).toBe(2);
    for (const other of ["nobody@example.com", planRequest.customer.email.toUpperCase()]) {
      const path = `/plans?customer_email=${encodeURIComponent(other)}`;
      expect(rowsOf(await sendStoreRequest(insurance, "GET", path))).toEqual([]);
    }
  });

  it.each([
    ["offer_reference_id", { offer_reference_id: "none" }],
    ["offer_reference_id", { offer_reference_id: undefined }],
    ["order_reference_id", { order_reference_id: "" }],
    ["variant.price", { variant: { ...planRequest.variant, price: 44_990 } }],
    ["variant.price", { variant: { ...planRequest.variant, price: "449.90" } }],
    ["variant.currency_code", { variant: { ...planRequest.variant, currency_code: "USD" } }],
    ["customer.email", { customer: { ...planRequest.customer, email: "camille" } }],
    ["customer.last_name", { customer: { ...planRequest.customer, last_name: "" } }],
    ["customer.phone", { customer: { ...planRequest.customer, phone: "06 12 34 56 78" } }],
  ])("are refused with the field's name when %s is wrong", async (name, changes) => {
    const refused = await createPlan(changes);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ error: "invalid", fields: [{ field: name }] });
    expect(insurance.plans()).toEqual([]);
  });

  it("are refused when the body is no JSON", async () => {
    const response = await request(`${insurance.base_url}/api/v2/store/${insurance.store_id}/plans`, {
      method: "POST",
      headers: { authorization: `Bearer ${insurance.token_test}`, "content-type": "application/json" },
      body: "{",
    });
    expect(response.statusCode).toBe(400);
    await response.body.dump();
  });
});

describe("orders", () => {
  it("are cancelled once however often that is requestCount, and stay so when recorded again", async () => {
    await createPlan();
    await sendStoreRequest(insurance, "POST", "/orders", { body: orderRequest });
    await sendStoreRequest(insurance, "PATCH", "/orders/6001/cancel");
    await control(insurance, "POST", "/clock", { advance_days: 3 });
    expect((await sendStoreRequest(insurance, "PATCH", "/orders/6001/cancel")).status).toBe(200);
    const again = await sendStoreRequest(insurance, "POST", "/orders", { body: orderRequest });
    expect(field(again.body, "status")).toBe("cancelled");
    expect(await control(insurance, "GET", "/orders")).toMatchObject([
      {
        order_reference_id: "6001",
        recordings: 2,
        cancellations: 2,
        cancelled_at: "2026-01-31T10:00:00.000Z",
      },
    ]);
  });

  it("are not found without a plan and a record", async () => {
    expect((await sendStoreRequest(insurance, "PATCH", "/orders/6009/cancel")).status).toBe(404);
  });
});

describe("a token", () => {
  it("of one environment does not see the other's plans, and cannot cancel its orders", async () => {
    const id = contractOf(await createPlan());
    const production = { token: insurance.token_production };
    expect((await sendStoreRequest(insurance, "GET", `/plans/${id}`, production)).status).toBe(404);
    expect(rowsOf(await sendStoreRequest(insurance, "GET", "/plans", production))).toEqual([]);
    expect((await sendStoreRequest(insurance, "PATCH", "/orders/6001/cancel", production)).status).toBe(404);
    expect(field(await planOf(id), "status")).toBe("active");
  });

  it("opens its own store only", async () => {
    for (const store of insurance.stores) {
      const own = await sendStoreRequest(insurance, "GET", "/plans", { store, token: store.token_test });
      expect(own.status).toBe(200);
      for (const other of insurance.stores) {
        if (other.store_id === store.store_id) continue;
        const foreign = await sendStoreRequest(insurance, "GET", "/plans", {
          store: other,
          token: store.token_test,
        });
        expect(foreign.status).toBe(403);
      }
    }
  });
});

describe("offers", () => {
  const references = async (query: string) =>
    rowsOf(await sendStoreRequest(insurance, "GET", `/offers?${query}`)).map((offer) => offer.reference_id);
  const category = `category_id=${encodeURIComponent("Smartphone casse et vol")}`;

  it("made for one product take the place of the general one of the same term, for that product", async () => {
    await control(insurance, "PUT", "/catalogue/references/SPECIAL", {
      contract_id: "C",
      category_id: "Smartphone casse et vol",
      title: "Spéciale",
      term: 24,
      price: 4990,
      currency_code: "EUR",
      price_band_min: 40_000,
      price_band_max: 49_999,
      billing: "annually",
      product_reference_ids: ["44001"],
    });
    expect(await references(`${category}&product_price=44990&product_reference_id=44001`)).toEqual([
      "SMA-CV-12-05",
      "SMA-CV-36-05",
      "SPECIAL",
    ]);
    expect(await references(`${category}&product_price=44990&product_reference_id=44002`)).not.toContain(
      "SPECIAL",
    );
    const elsewhere = { variant: { ...planRequest.variant, reference_id: "44002" } };
    expect((await createPlan({ offer_reference_id: "SPECIAL", ...elsewhere })).status).toBe(422);
    expect((await createPlan({ offer_reference_id: "SPECIAL" })).status).toBe(201);
  });
});
