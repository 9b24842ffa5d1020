/** What the tests of the insurance client share: the stand-in, a client with short waits, and its control address. */
import { request } from "undici";
import type { NewCustomer } from "#app/insurance/customer.ts";
import { insuranceClient, type InsuranceClient } from "#app/insurance/client.ts";
import type { ClientOptions } from "#app/insurance/request.ts";
import type { NewPlan } from "#app/insurance/plans.ts";
import type { Insurance } from "#test/sandbox/insurance/server.ts";

let keys = 0;

/** A client of the first store's test environment whose waits between attempts are next to nothing. */
export function clientOf(insurance: Insurance, options: ClientOptions = {}): InsuranceClient {
  keys += 1;
  return insuranceClient(
    {
      baseUrl: insurance.base_url,
      storeId: insurance.store_id,
      token: insurance.token_test,
      key: `test ${keys}`,
    },
    { maxRetryDelayMs: 5, timeoutMs: 5000, ...options },
  );
}

/** For how long a client waits: for an answer that never comes in full not long, for all others as a slow machine needs. */
export function timeoutFor(kind = ""): ClientOptions {
  return /^(hang_|drip$)/.test(kind) ? { timeoutMs: 1_000 } : {};
}

/** Sends to the stand-in's control address; returns its JSON, undefined when it answers without a body. */
export async function control(
  insurance: Insurance,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await request(`${insurance.control_url}${path}`, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode >= 400) throw new Error(`Control answered ${response.statusCode}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Number of requests to an endpoint since the last reset. */
export function requestCount(insurance: Insurance, operation: string): number {
  return insurance.traffic.log.filter((request) => request.operation === operation).length;
}

export const customer: NewCustomer = {
  email: "camille.martin@example.com",
  firstName: "Camille",
  lastName: "Martin-Dupont",
  phone: "+33612345678",
  address: {
    address1: "12 rue des Lilas",
    address2: null,
    zipCode: "75011",
    city: "Paris-Onze",
    country: "FR",
  },
};

export const CATEGORY = "Smartphone casse et vol";

/** A plan that the stand-in's catalogue accepts. */
export function newPlan(changes: Partial<NewPlan> = {}): NewPlan {
  return {
    offerReferenceId: "SMA-CV-24-05",
    orderReferenceId: "6001",
    variant: { referenceId: "44001", priceMinor: 44_990, currencyCode: "EUR", title: "Smartphone Ligne 5" },
    customer,
    ...changes,
  };
}

/** What the call throws. @throws when it does not */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const value = await call.catch((error: unknown) => ({ thrown: error }));
  if (typeof value === "object" && value !== null && "thrown" in value) return value.thrown;
  throw new Error("The call was expected to fail");
}

/** The items of all pages. */
export async function itemsOf<T>(pages: AsyncIterable<{ items: T[] }>): Promise<T[]> {
  return (await allOf(pages)).flatMap(({ items }) => items);
}

/** All of an async iterable. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
