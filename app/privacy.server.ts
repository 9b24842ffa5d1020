/**
 * The platform's requests about a customer's data (shopify.dev, "Privacy law compliance"), carried out by every
 * feature that keeps some.
 */
import { z } from "zod";
import { forgetLeadCustomer, leadsOfCustomer } from "#app/leads/list.server.ts";
import { log } from "#app/platform/log.server.ts";
import { customerData, forgetCustomer } from "#app/plans/privacy.server.ts";
import { parsePlatformJson } from "#app/shopify/json.ts";

const id = z.union([z.string(), z.number().int()]).transform(String);
const customer = z.object({ email: z.string().nullable().optional() }).optional();
const redact = z.object({ customer, orders_to_redact: z.array(id).default([]) });
const dataRequest = z.object({ customer, orders_requested: z.array(id).default([]) });

/** After `customers/redact`: personal data goes, contracts stay on record under their numbers. */
export async function handleCustomerRedact(shop: string, body: string): Promise<void> {
  const asked = redact.parse(parsePlatformJson(body));
  const email = asked.customer?.email ?? null;
  const orders = await forgetCustomer(shop, { email, orderIds: asked.orders_to_redact });
  const leads = email === null ? 0 : await forgetLeadCustomer(shop, email);
  log.info({ shop, orders, leads }, "a customer's data is deleted");
}

/** After `customers/data_request`: what is kept of the customer is on the pages of these orders and quotes. */
export async function handleDataRequest(shop: string, body: string): Promise<void> {
  const asked = dataRequest.parse(parsePlatformJson(body));
  const email = asked.customer?.email ?? null;
  const orders = await customerData(shop, { email, orderIds: asked.orders_requested });
  const leads = email === null ? [] : await leadsOfCustomer(shop, email);
  log.info(
    { shop, orders: orders.map(({ orderId }) => orderId), leads: leads.map(({ leadId }) => leadId) },
    "a customer's data is asked for",
  );
}
