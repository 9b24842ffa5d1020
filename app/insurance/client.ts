/**
 * The client of the insurer for one store in one environment (spec, "Endpoints" 1 to 9). Every method throws
 * an InsuranceError (errors.ts).
 */
import { categories } from "./categories.ts";
import { type ClaimQuery, claims } from "./claims.ts";
import { NotFound } from "./errors.ts";
import { pathSegment } from "./fields.ts";
import { leads } from "./leads.ts";
import { describeRows, type Listed } from "./list.ts";
import { type OfferQuery, offers } from "./offers.ts";
import { orders } from "./orders.ts";
import { type PlanQuery, plans } from "./plans.ts";
import { createSend, type Account, type ClientOptions } from "./request.ts";
import type { StatusWords } from "./status-words.ts";

/** `token` is the Bearer token of this store in this environment. */
export interface InsuranceAccount extends Account {
  storeId: string;
  /** what the merchant said that words for the status of a plan mean */
  statusWords?: StatusWords;
}

export type InsuranceClient = ReturnType<typeof insuranceClient>;

/** @throws TypeError when the account's base address is no URL or its store id cannot be part of a path */
export function insuranceClient(account: InsuranceAccount, options: ClientOptions = {}) {
  const authorization = { authorization: `Bearer ${account.token}` };
  const send = createSend(account, authorization, options);
  // Offers have limits of their own: many offer requests, or a failing offers endpoint, must not delay plan creations.
  const sendOffers = createSend({ ...account, key: `${account.key}:offers` }, authorization, options);
  const store = `/api/v2/store/${pathSegment(account.storeId)}`;
  const ofCategories = categories(send, store);
  const ofPlans = plans(send, store, account, account.statusWords);
  const ofClaims = claims(send, store);

  /** A list that is not found is empty where its store is found: a 404 may also mean a wrong store. */
  async function ifFound<T>(list: Promise<T>, empty: T): Promise<T> {
    try {
      return await list;
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      await ofCategories.list();
      return empty;
    }
  }

  const ofOffers = offers(sendOffers, store);
  /** Logs the rows that a list leaves out. */
  async function logged<T>(name: string, list: Promise<Listed<T>>): Promise<Listed<T>> {
    const listed = await list;
    if (listed.unreadable !== null)
      options.log?.warn({ key: account.key }, describeRows(name, listed.unreadable));
    return listed;
  }

  return {
    offers: {
      ...ofOffers,
      listReadable: (query: OfferQuery) => logged("offers", ofOffers.listReadable(query)),
    },
    categories: ofCategories,
    plans: {
      ...ofPlans,
      list: (query?: PlanQuery) => ifFound(ofPlans.list(query), []),
      listReadable: (query?: PlanQuery) =>
        ifFound(logged("plans", ofPlans.listReadable(query)), { items: [], unreadable: null }),
    },
    leads: leads(send, store, account),
    claims: {
      listReadable: (query?: ClaimQuery) =>
        ifFound(logged("claims", ofClaims.listReadable(query)), { items: [], unreadable: null }),
    },
    orders: orders(send, store),
  };
}
