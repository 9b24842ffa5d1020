import { handleShopCurrency } from "#app/catalogue/runs/runs.server.ts";
import { refreshMerchant } from "#app/merchants/lifecycle.server.ts";
import type { TopicHandler } from "./topic-handler.ts";

/** Reads the shop's details again. If its currency changed, the catalogue is checked again. */
export const shopUpdate: TopicHandler = async ({ shop }) => {
  await refreshMerchant(shop);
  await handleShopCurrency(shop);
};
