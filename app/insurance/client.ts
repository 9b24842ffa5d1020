/**
 * The client of the insurance service for one store in one environment (spec, "Endpoints" 1 to 9). Every method throws
 * an InsuranceError (errors.ts).
 */
import { categories } from "./categories.ts";
import { claims } from "./claims.ts";
import { pathSegment } from "./fields.ts";
import { leads } from "./leads.ts";
import { offers } from "./offers.ts";
import { orders } from "./orders.ts";
import { plans } from "./plans.ts";
import { createSend, type Account, type ClientOptions } from "./request.ts";

/** `token` is the Bearer token of this store in this environment. */
export interface InsuranceAccount extends Account {
  storeId: string;
}

export type InsuranceClient = ReturnType<typeof insuranceClient>;

/** @throws TypeError when the account's base address is no URL or its store id cannot be part of a path */
export function insuranceClient(account: InsuranceAccount, options: ClientOptions = {}) {
  const authorization = { authorization: `Bearer ${account.token}` };
  const send = createSend(account, authorization, options);
  // Offers have limits of their own: many offer requests, or a failing offers endpoint, must not delay plan creations.
  const sendOffers = createSend({ ...account, key: `${account.key}:offers` }, authorization, options);
  const store = `/api/v2/store/${pathSegment(account.storeId)}`;
  return {
    offers: offers(sendOffers, store),
    categories: categories(send, store),
    plans: plans(send, store),
    leads: leads(send, store),
    claims: claims(send, store),
    orders: orders(send, store),
  };
}
