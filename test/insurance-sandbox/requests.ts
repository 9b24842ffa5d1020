/** Bare HTTP to the stand-in, as the tests of the stand-in itself speak to it: without the app's client. */
import { request } from "undici";
import { z } from "zod";
import type { Insurance, StoreKeys } from "#test/sandbox/insurance/server.ts";

export interface SandboxResponse {
  status: number;
  /** Parsed JSON; undefined when the body is none. */
  body: unknown;
}

interface RequestOptions {
  store?: StoreKeys;
  token?: string;
  body?: unknown;
}

/** A request to an endpoint of a store: the first one with its test token. */
export async function sendStoreRequest(
  insurance: Insurance,
  method: "GET" | "POST" | "PATCH",
  path: string,
  { store = insurance, token = insurance.token_test, body }: RequestOptions = {},
): Promise<SandboxResponse> {
  const response = await request(`${insurance.base_url}/api/v2/store/${store.store_id}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.body.text();
  const json = response.headers["content-type"]?.includes("json") === true;
  return { status: response.statusCode, body: json ? (JSON.parse(text) as unknown) : text };
}

const rows = z.array(z.looseObject({}));
/** A list answer's rows. */
export function rowsOf(answer: SandboxResponse): Record<string, unknown>[] {
  return rows.parse(answer.body);
}

/** One field of a JSON object. */
export function field(body: unknown, name: string): unknown {
  return z.looseObject({}).parse(body)[name];
}

export const planRequest = {
  offer_reference_id: "SMA-CV-24-05",
  order_reference_id: "6001",
  variant: { reference_id: "44001", price: 449.9, currency_code: "EUR", title: "Smartphone Ligne 5" },
  customer: {
    email: "camille.martin@example.com",
    first_name: "Camille",
    last_name: "Martin",
    phone: "+33612345678",
    address: { city: "Paris", country: "FR", zip_code: "75011", address1: "12 rue des Lilas", address2: "" },
  },
};

export const orderRequest = {
  order_reference_id: "6001",
  purchased_at: "2026-03-31T10:00:00Z",
  payment_method: "credit_card",
  sales_channel: "online",
  line_items: [
    {
      reference_id: "44001",
      price: 44_990,
      currency_code: "EUR",
      category_id: "Smartphone casse et vol",
      insurance_offered: true,
      insurance_selected: true,
    },
  ],
};
