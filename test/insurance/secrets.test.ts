/** Neither tokens nor personal data are in an error or a log, whatever happens. */
import { inspect } from "node:util";
import pino from "pino";
import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { organisationAnalytics } from "#app/insurance/analytics.ts";
import type { InsuranceClient } from "#app/insurance/client.ts";
import type { NewFault } from "#test/sandbox/faults.ts";
import { startInsurance, type Insurance } from "#test/sandbox/insurance/server.ts";
import { CATEGORY, clientOf, control, customer, errorOf, newPlan, timeoutFor } from "./setup.ts";

let insurance: Insurance;
let client: InsuranceClient;
let lines: string[];

beforeAll(async () => {
  insurance = await startInsurance({ sales: 0 });
});
afterAll(() => insurance.close());
beforeEach(async () => {
  await control(insurance, "POST", "/reset");
  lines = [];
  client = clientMeeting();
});

/** @param kind of the fault that it will meet */
const clientMeeting = (kind?: NewFault["kind"]) =>
  clientOf(insurance, { log: logger(), attempts: 2, ...timeoutFor(kind) });
const logger = () => pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });

/** Everything that could reach a log: the log's lines and the error with its stack, its causes and all properties. */
function traces(failure: unknown): string {
  const errors: string[] = [];
  for (let error = failure; error instanceof Error; error = error.cause) {
    errors.push(inspect(error, { depth: 12, showHidden: true }), JSON.stringify(error), String(error.stack));
  }
  return [...lines, ...errors].join("\n");
}

const personal = [
  customer.email,
  customer.firstName ?? "",
  customer.lastName ?? "",
  customer.phone ?? "",
  customer.address?.address1 ?? "",
  customer.address?.city ?? "",
  encodeURIComponent(customer.email),
];

const faults: NewFault[] = [
  { kind: "status", status: 401 },
  { kind: "status", status: 500 },
  { kind: "status", status: 429 },
  { kind: "reset_before" },
  { kind: "hang_before" },
  { kind: "truncated" },
  { kind: "garbage" },
  { kind: "json", answer: z.json().parse({ customer }) },
  {
    kind: "status",
    status: 422,
    message: `Camille Martin-Dupont <camille.martin@example.com>, +33612345678, 12 rue des Lilas, Paris-Onze: no`,
  },
];

describe("errors and logs", () => {
  it.each(faults)("of a plan creation that meets %j hold neither token nor customer", async (fault) => {
    insurance.faults.add({ ...fault, times: null });
    const trace = traces(await errorOf(clientMeeting(fault.kind).plans.create(newPlan())));
    expect(trace).toContain("/plans");
    for (const secret of [insurance.token_test, ...personal]) expect(trace).not.toContain(secret);
  });

  it.each(faults)("of a search by e-mail that meets %j do not hold the address", async (fault) => {
    insurance.faults.add({ ...fault, times: null });
    const list = clientMeeting(fault.kind).plans.list({ customerEmail: customer.email });
    const trace = traces(await errorOf(list));
    for (const secret of [insurance.token_test, ...personal]) expect(trace).not.toContain(secret);
  });

  it.each(faults)("of analytics that meet %j do not hold the organisation's token", async (fault) => {
    insurance.faults.add({ ...fault, times: null });
    const { base_url: baseUrl, organisation_token: token } = insurance;
    const options = { log: logger(), maxRetryDelayMs: 5, ...timeoutFor(fault.kind) };
    const analytics = organisationAnalytics({ baseUrl, token, key: JSON.stringify(fault) }, options);
    const trace = traces(await errorOf(analytics.verifyToken()));
    expect(trace).toContain("/organizations/analytics/sales");
    expect(trace).not.toContain(token);
  });

  it("of an insurer that cannot be reached hold neither", async () => {
    const { organisation_token: token } = insurance;
    const options = { log: logger(), maxRetryDelayMs: 5 };
    const analytics = organisationAnalytics({ baseUrl: "http://127.0.0.1:9", token, key: "closed" }, options);
    expect(traces(await errorOf(analytics.verifyToken()))).not.toContain(token);
  });

  it("of calls that go well hold neither", async () => {
    const { contractId } = await client.plans.create(newPlan());
    await client.plans.get(contractId);
    await client.plans.list({ customerEmail: customer.email });
    const { variant } = newPlan();
    await client.leads.create({ purchaseDate: "2026-03-30", categoryId: CATEGORY, customer, variant });
    expect(lines.length).toBe(4);
    for (const secret of [insurance.token_test, ...personal]) expect(lines.join()).not.toContain(secret);
  });

  it("blank a token that the insurer quotes", async () => {
    const { base_url: baseUrl, organisation_token: token, token_test } = insurance;
    insurance.faults.add(
      { kind: "status", status: 422, message: `Unknown token ${token}` },
      { kind: "status", status: 422, message: `Bad token: Bearer ${token_test}` },
    );
    const analytics = organisationAnalytics({ baseUrl, token, key: "quoted" });
    expect(await errorOf(analytics.verifyToken())).toMatchObject({ insurerMessage: "Unknown token …" });
    expect(await errorOf(client.categories.list())).toMatchObject({ insurerMessage: "Bad token: Bearer …" });
  });

  it("blank addresses and numbers that are not even the customer's", async () => {
    const message = "Duplicate of zoe.petit@example.org, +33 6 98 76 54 32, since 2026-01-31";
    insurance.faults.add({ kind: "status", status: 409, message });
    const failure = await errorOf(client.plans.create(newPlan()));
    expect(failure).toMatchObject({ insurerMessage: expect.stringMatching(/^Duplicate of …/) as string });
    expect(String(failure)).not.toMatch(/zoe|98/);
  });

  it("keep the insurer's reason when the customer's data is taken out of it", async () => {
    insurance.faults.add({
      kind: "status",
      status: 422,
      message: "Paris-Onze is not served",
    });
    expect(await errorOf(client.plans.create(newPlan()))).toMatchObject({
      insurerMessage: "… is not served",
    });
  });
});
