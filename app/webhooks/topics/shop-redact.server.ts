import { handleShopRedact } from "#app/privacy/shop-erasure.server.ts";
import type { TopicHandler } from "./topic-handler.ts";

/** Schedules the erasure of the shop's data, unless Shopify reports the app as installed. */
export const shopRedact: TopicHandler = ({ shop }) => handleShopRedact(shop);
