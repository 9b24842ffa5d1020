import { handleAppUninstalled } from "#app/merchants/lifecycle.server.ts";
import type { TopicHandler } from "./topic-handler.ts";

/** Deletes the shop's access tokens once Shopify confirms that the app is gone. Contracts stay on record. */
export const appUninstalled: TopicHandler = ({ shop, triggeredAt, receivedAt }) =>
  handleAppUninstalled(shop, triggeredAt ?? receivedAt);
