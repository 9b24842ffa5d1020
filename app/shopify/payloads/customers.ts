/** The payloads of customers/data_request and customers/redact (shopify.dev, "Privacy law compliance"). */
import { z } from "zod";
import { parsePayload, payloadId } from "./payload.ts";

export interface CustomerPayload {
  /** null if the customer has only a phone number */
  email: string | null;
  /** Shopify's id; null if the request lacks it */
  customerId: string | null;
  /** the customer's orders that Shopify lists */
  orderIds: string[];
}

const customer = z
  .object({ id: payloadId.nullish().catch(null), email: z.string().trim().nullish() })
  .nullish()
  .transform((known) => ({ email: known?.email || null, customerId: known?.id ?? null }));
/** Limit for one SQL statement; no customer has more orders. */
const MOST_ORDERS = 10_000;
const orderIds = z
  .array(z.union([z.string(), z.int()]).transform(String))
  .max(MOST_ORDERS)
  .nullish()
  .transform((ids) => ids ?? []);

const dataRequest = z
  .object({ customer, orders_requested: orderIds })
  .transform((payload): CustomerPayload => ({ ...payload.customer, orderIds: payload.orders_requested }));
const redact = z
  .object({ customer, orders_to_redact: orderIds })
  .transform((payload): CustomerPayload => ({ ...payload.customer, orderIds: payload.orders_to_redact }));

/** @throws UnreadablePayload */
export function parseDataRequestPayload(body: string): CustomerPayload {
  return parsePayload(dataRequest, body);
}

/** @throws UnreadablePayload */
export function parseCustomerRedactPayload(body: string): CustomerPayload {
  return parsePayload(redact, body);
}
