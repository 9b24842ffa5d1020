import { handleScopesUpdate } from "#app/merchants/lifecycle.server.ts";
import { makeOrdersDueAfterGrant } from "#app/orders/schedule.server.ts";
import type { TopicHandler } from "./topic-handler.ts";

/** Reads the granted scopes from Shopify. Orders that waited for one of them are reconciled. */
export const appScopesUpdate: TopicHandler = async ({ shop }) => {
  await handleScopesUpdate(shop);
  await makeOrdersDueAfterGrant(shop);
};
