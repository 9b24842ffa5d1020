import { handleCustomerRedact } from "#app/privacy/customer-data.server.ts";
import { parseCustomerRedactPayload } from "#app/shopify/payloads/customers.ts";
import { withPayload } from "./topic-handler.ts";

/** Erases the customer's personal data. Contracts stay on record under their numbers. */
export const customersRedact = withPayload(parseCustomerRedactPayload, handleCustomerRedact);
