/**
 * Live offers of the service for one product: cached for minutes, requested once however many shoppers wait for the
 * same offers, and served stale while the service is away.
 */
import { LRUCache } from "lru-cache";
import { insuranceClient } from "#app/insurance/client.ts";
import type { InsuranceAccount } from "#app/insurance/client.ts";
import type { Offer } from "#app/insurance/offers.ts";
import { log } from "#app/platform/log.server.ts";

export interface LiveOffersQuery {
  shop: string;
  /** whose offers: those of another store, or of the other environment, are others */
  account: InsuranceAccount;
  categoryId: string;
  /** the spec's product reference */
  variantId: string;
  priceMinor: number;
}

const FRESH_MS = 5 * 60_000;

/**
 * Shoppers do not wait long for offers, and any number of them may request some: live offers have limits of their own,
 * far below those of creating a paid order's plans.
 */
const limits = {
  timeoutMs: 3_000,
  attempts: 2,
  maxRetryDelayMs: 500,
  concurrency: 4,
  waiting: 40,
  breaker: { failures: 5, openMs: 10_000 },
};

const cache = new LRUCache<string, Offer[], LiveOffersQuery>({
  // Of memory, in bytes: two for each character.
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: (offers, key) => 2 * (JSON.stringify(offers).length + key.length),
  ttl: FRESH_MS,
  allowStaleOnFetchRejection: true,
  noDeleteOnFetchRejection: true,
  fetchMethod: async (_key, _stale, { context }) => {
    const { shop, categoryId, variantId: productReferenceId, priceMinor: productPriceMinor } = context;
    const account = { ...context.account, key: `${context.account.key}:live` };
    try {
      return await insuranceClient(account, { log, ...limits }).offers.list({
        categoryId,
        productReferenceId,
        productPriceMinor,
      });
    } catch (error) {
      // The cache returns the last offers, or none: the error is only known here.
      log.warn({ err: error, shop }, "Failed to load live offers from the insurance service");
      throw error;
    }
  },
});

/** Null: the service cannot be reached, and said nothing lately. */
export async function fetchLiveOffers(question: LiveOffersQuery): Promise<Offer[] | null> {
  const { shop, account, categoryId, variantId, priceMinor } = question;
  const key = JSON.stringify([shop, account.key, account.storeId, categoryId, variantId, priceMinor]);
  const offers = await cache.fetch(key, { context: question });
  return offers?.filter((offer) => offer.categoryId === categoryId) ?? null;
}

/** Clears the cache, such as after the catalogue was synced. */
export function clearLiveOffers(): void {
  cache.clear();
}
