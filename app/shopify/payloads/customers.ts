/** The payloads of customers/data_request and customers/redact (shopify.dev, "Privacy law compliance"). */
import { z } from "zod";
import { parsePayload, payloadId } from "./payload.ts";

export interface CustomerPayload {
  /** null where the customer has none: they may be known by a phone number only */
  email: string | null;
  /** Shopify's; null where the request does not say */
  customerId: string | null;
  /** the customer's orders, as far as Shopify names them */
  orderIds: string[];
}

const customer = z
  .object({ id: payloadId.nullish().catch(null), email: z.string().trim().nullish() })
  .nullish()
  .transform((known) => ({ email: known?.email || null, customerId: known?.id ?? null }));
/** One statement names them all; no customer has more. */
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
