import { handleDataRequest } from "#app/privacy/customer-data.server.ts";
import { parseDataRequestPayload } from "#app/shopify/payloads/customers.ts";
import { withPayload } from "./topic-handler.ts";

/** Opens a task for the merchant, who has to answer the customer. */
export const customersDataRequest = withPayload(parseDataRequestPayload, handleDataRequest);
