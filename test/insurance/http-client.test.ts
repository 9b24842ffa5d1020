/**
 * The client against every fault of the stand-in: the caller's error, the number of requests, and what the insurer
 * carried out.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { InsuranceClient } from "#app/insurance/client.ts";
import {
  InsuranceError,
  NotFound,
  RateLimited,
  Rejected,
  Unauthorised,
  Unavailable,
  UnknownOutcome,
  UnreadableResponse,
} from "#app/insurance/errors.ts";
import { eventually } from "#test/eventually.ts";
import { operations } from "#test/sandbox/insurance/api.ts";
import { startInsurance, type Insurance } from "#test/sandbox/insurance/server.ts";
import {
  itemsOf,
  CATEGORY,
  requestCount,
  clientOf,
  control,
  customer,
  errorOf,
  newPlan,
  timeoutFor,
} from "./setup.ts";
import { organisationAnalytics } from "#app/insurance/analytics.ts";
import type { NewFault } from "#test/sandbox/faults.ts";

let insurance: Insurance;
let client: InsuranceClient;

beforeAll(async () => {
  insurance = await startInsurance({ sales: 0 });
});
afterAll(() => insurance.close());
afterEach(() => control(insurance, "POST", "/reset"));

/** @param kind of the fault that it will meet */
const freshClient = (kind = "none") => (client = clientOf(insurance, timeoutFor(kind)));

/** Faults that pass: one hit, then the insurer is well again. */
const passing: NewFault[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 502, body: "html" },
  { kind: "status", status: 503, body: "empty" },
  { kind: "status", status: 503, retry_after: "0" },
  { kind: "status", status: 504 },
  { kind: "status", status: 408 },
  { kind: "status", status: 429 },
  { kind: "status", status: 429, retry_after: "0", body: "empty" },
  { kind: "reset_before" },
  { kind: "reset_after" },
  { kind: "hang_before" },
  { kind: "hang_after" },
  { kind: "truncated" },
  { kind: "cut" },
  { kind: "drip", ms: 150 },
  { kind: "garbage" },
  { kind: "empty" },
];

describe("a read", () => {
  it.each(passing)("gets its answer on the second attempt after $kind $status $body", async (description) => {
    freshClient(description.kind);
    insurance.faults.add({ operation: "categories.list", ...description });
    expect((await client.categories.list()).length).toBe(3);
    expect(requestCount(insurance, "categories.list")).toBe(2);
  });

  it.each<[NewFault, typeof Unavailable | typeof RateLimited | typeof UnreadableResponse]>([
    [{ kind: "status", status: 500 }, Unavailable],
    [{ kind: "status", status: 503, body: "html" }, Unavailable],
    [{ kind: "status", status: 429 }, RateLimited],
    [{ kind: "reset_before" }, Unavailable],
    [{ kind: "cut" }, Unavailable],
    [{ kind: "hang_before" }, Unavailable],
    [{ kind: "drip", ms: 150 }, Unavailable],
    [{ kind: "truncated" }, UnreadableResponse],
    [{ kind: "garbage" }, UnreadableResponse],
    [{ kind: "empty" }, UnreadableResponse],
  ])("gives up after three attempts when %j stays", async (description, meaning) => {
    freshClient(description.kind);
    insurance.faults.add({ operation: "categories.list", times: null, ...description });
    const failure = await errorOf(client.categories.list());
    expect(failure).toBeInstanceOf(meaning);
    expect(failure).toMatchObject({ attempts: 3, method: "GET" });
    expect(requestCount(insurance, "categories.list")).toBe(3);
  });

  it.each([
    [{ status: 401 }, Unauthorised],
    [{ status: 403 }, Unauthorised],
    [{ status: 404 }, NotFound],
    [{ status: 410 }, NotFound],
    [{ status: 400 }, Rejected],
    [{ status: 422 }, Rejected],
    [{ status: 501 }, Unavailable],
    [{ status: 301 }, Rejected],
    [{ status: 307 }, Rejected],
  ])("is not repeated after a clear answer (%j)", async (description, meaning) => {
    freshClient();
    insurance.faults.add({ operation: "categories.list", kind: "status", ...description });
    const failure = await errorOf(client.categories.list());
    expect(failure).toBeInstanceOf(meaning);
    expect(failure).toMatchObject({ ...description, attempts: 1 });
    expect(requestCount(insurance, "categories.list")).toBe(1);
  });

  it("waits out latency and a slow but complete answer", async () => {
    freshClient();
    insurance.faults.add(
      { operation: "categories.list", kind: "latency", ms: 30 },
      { operation: "plans.list", kind: "drip", ms: 2 },
    );
    expect((await client.categories.list()).length).toBe(3);
    expect(await client.plans.list()).toEqual([]);
    expect(insurance.traffic.log.length).toBe(2);
  });

  it("is not repeated when the insurer's JSON makes no sense", async () => {
    freshClient();
    insurance.faults.add({ operation: "categories.list", kind: "json", answer: { ok: true } });
    expect(await errorOf(client.categories.list())).toMatchObject({
      name: "UnreadableResponse",
      attempts: 1,
    });
  });
});

describe("a list that is answered with 404", () => {
  it("is empty where its store is found", async () => {
    freshClient();
    await control(insurance, "PATCH", `/stores/${insurance.store_id}`, { empty_is_404: true });
    expect([
      await client.offers.list({ categoryId: CATEGORY, productPriceMinor: 99_999_999 }),
      await client.plans.list({ customerEmail: "nobody@example.com" }),
      (await client.claims.listReadable()).items,
    ]).toEqual([[], [], []]);
    const offers = { categoryId: CATEGORY, productPriceMinor: 44_990 };
    expect((await client.offers.list(offers)).length).toBeGreaterThan(0);
  });

  it("is an error where its store is not found", async () => {
    freshClient();
    insurance.faults.add({ operation: "*", kind: "status", status: 404, times: null });
    expect(await errorOf(client.plans.list({ customerEmail: "nobody@example.com" }))).toBeInstanceOf(
      NotFound,
    );
    expect(await errorOf(client.claims.listReadable())).toBeInstanceOf(NotFound);
  });
});

describe("a write", () => {
  it.each<[NewFault, number]>([
    [{ kind: "status", status: 500 }, 0],
    [{ kind: "status", status: 500, after_work: true }, 1],
    [{ kind: "status", status: 502, body: "html" }, 0],
    [{ kind: "status", status: 503, retry_after: "1" }, 0],
    [{ kind: "status", status: 504, after_work: true, body: "empty" }, 1],
    [{ kind: "status", status: 408 }, 0],
    [{ kind: "reset_before" }, 0],
    [{ kind: "reset_after" }, 1],
    [{ kind: "hang_before" }, 0],
    [{ kind: "hang_after" }, 1],
    [{ kind: "truncated" }, 1],
    [{ kind: "cut" }, 1],
    [{ kind: "drip", ms: 150 }, 1],
    [{ kind: "garbage" }, 1],
    [{ kind: "empty" }, 1],
    [{ kind: "json", answer: { done: "maybe" } }, 1],
  ])("is sent once and its outcome called unknown after %j", async (description, plans) => {
    freshClient(description.kind);
    insurance.faults.add({ operation: "plans.create", ...description });
    const failure = await errorOf(client.plans.create(newPlan()));
    expect(failure).toBeInstanceOf(UnknownOutcome);
    expect(failure).toMatchObject({ attempts: 1, method: "POST" });
    // A hanging request is abandoned while the stand-in still processes it; everything else is settled.
    await eventually(() => expect(insurance.plans()).toHaveLength(plans));
    expect(requestCount(insurance, "plans.create")).toBe(1);
  });

  it.each([
    [{ status: 401 }, Unauthorised],
    [{ status: 403 }, Unauthorised],
    [{ status: 404 }, NotFound],
    [{ status: 409 }, Rejected],
    [{ status: 422 }, Rejected],
    [{ status: 308 }, Rejected],
  ])("is not repeated after a clear refusal (%j)", async (description, meaning) => {
    freshClient();
    insurance.faults.add({ operation: "plans.create", kind: "status", ...description });
    const failure = await errorOf(client.plans.create(newPlan()));
    expect(failure).toBeInstanceOf(meaning);
    expect(failure).toMatchObject({ ...description, attempts: 1 });
    expect(insurance.plans()).toEqual([]);
  });

  it("is not repeated after a rate limit, which may count after the work", async () => {
    freshClient();
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 429, after_work: true });
    expect(await errorOf(client.plans.create(newPlan()))).toBeInstanceOf(RateLimited);
    expect(requestCount(insurance, "plans.create")).toBe(1);
    expect(insurance.plans().length).toBe(1);
  });

  it.each(["garbage", "empty", "truncated", "cut", "json"] as const)(
    "whose answer is not shown needs no more than its status (%s)",
    async (kind) => {
      freshClient();
      const { orderReferenceId } = newPlan();
      await client.plans.create(newPlan());
      insurance.faults.add({ operation: "orders.record", kind }, { operation: "orders.cancel", kind });
      await client.orders.record({
        orderReferenceId,
        purchasedAt: new Date(),
        paymentMethod: "credit_card",
        salesChannel: "online",
        lineItems: [],
      });
      await client.orders.cancel(orderReferenceId);
      expect(insurance.plans().map((plan) => plan.status)).toEqual(["cancelled"]);
    },
  );
});

describe("Retry-After", () => {
  it.each([
    ["3600", 3_600_000],
    ["86400", 86_400_000],
  ])("of %s s is longer than we wait: reported, not slept through", async (retry_after, retryAfterMs) => {
    freshClient();
    insurance.faults.add({ operation: "plans.create", kind: "status", status: 429, retry_after });
    insurance.faults.add({ operation: "categories.list", kind: "status", status: 503, retry_after });
    expect(await errorOf(client.plans.create(newPlan()))).toMatchObject({
      name: "RateLimited",
      retryAfterMs,
      attempts: 1,
    });
    expect(await errorOf(client.categories.list())).toMatchObject({
      name: "Unavailable",
      retryAfterMs,
      attempts: 1,
    });
  });
});

describe("every endpoint", () => {
  it.each(operations)("%s gives an error by meaning that says which call it was", async (operation) => {
    freshClient();
    insurance.faults.add({ operation, kind: "status", status: 500, times: null });
    const failure = await errorOf(call(operation));
    expect(failure).toBeInstanceOf(InsuranceError);
    expect(failure).toMatchObject({ status: 500, durationMs: expect.any(Number) as number });
    const { method, path, status } = insurance.traffic.log[0] ?? {};
    expect(failure).toMatchObject({ method, path, status });
    expect(String(failure)).toContain(`${method ?? ""} ${path ?? ""}`);
  });
});

function call(operation: (typeof operations)[number]): Promise<unknown> {
  const { variant } = newPlan();
  const analytics = organisationAnalytics(
    { baseUrl: insurance.base_url, token: insurance.organisation_token, key: `analytics of ${operation}` },
    { maxRetryDelayMs: 5 },
  );
  switch (operation) {
    case "offers.list":
      return client.offers.list({ categoryId: CATEGORY });
    case "categories.list":
      return client.categories.list();
    case "plans.list":
      return client.plans.list({ customerEmail: customer.email });
    case "plans.get":
      return client.plans.get("CT-1");
    case "plans.create":
      return client.plans.create(newPlan());
    case "leads.create":
      return client.leads.create({ purchaseDate: "2026-03-30", categoryId: CATEGORY, customer, variant });
    case "claims.list":
      return client.claims.listReadable({ planId: "CT-1" });
    case "orders.record":
      return client.orders.record({
        orderReferenceId: "6001",
        purchasedAt: new Date(),
        paymentMethod: "paypal",
        salesChannel: "online",
        lineItems: [],
      });
    case "orders.cancel":
      return client.orders.cancel("6001");
    case "analytics.sales":
      return analytics.verifyToken();
    case "analytics.commissions":
      return itemsOf(analytics.commissions());
  }
}
