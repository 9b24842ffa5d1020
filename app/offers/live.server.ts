/**
 * Live offers of the service for one product: cached for minutes, requested once however many shoppers wait for the
 * same offers, and served stale while the service is away.
 */
import { LRUCache } from "lru-cache";
import { insuranceClient } from "#app/insurance/client.server.ts";
import type { Offer } from "#app/insurance/offer.ts";
import { activeConnection } from "#app/merchants/insurance-connection.server.ts";
import { log } from "#app/platform/log.server.ts";

export interface LiveOffersQuery {
  shop: string;
  categoryId: string;
  /** the spec's product reference */
  variantId: string;
  priceMinor: number;
}

const FRESH_MS = 5 * 60_000;

/**
 * Shoppers do not wait long for offers, and as many of them as like may ask: live offers have limits of their own, far
 * below those under which a paid order's plans are created.
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
    const access = await activeConnection(shop);
    if (!access) return undefined;
    const account = { ...access.account, key: `${access.account.key}:live` };
    try {
      return await insuranceClient(account, { log, ...limits }).offers.list({
        categoryId,
        productReferenceId,
        productPriceMinor,
      });
    } catch (error) {
      // The cache returns the last offers, or none: the error is only known here.
      log.warn({ err: error, shop }, "live offers not to be had");
      throw error;
    }
  },
});

export type LiveOffersResult =
  { ok: true; offers: Offer[] } | { ok: false; reason: "not_connected" | "service_unreachable" };

export async function fetchLiveOffers(
  environment: string,
  question: LiveOffersQuery,
): Promise<LiveOffersResult> {
  const { shop, categoryId, variantId, priceMinor } = question;
  const key = JSON.stringify([shop, environment, categoryId, variantId, priceMinor]);
  const offers = await cache.fetch(key, { context: question });
  if (offers) return { ok: true, offers: offers.filter((offer) => offer.category_id === categoryId) };
  const connected = (await activeConnection(shop)) !== null;
  return { ok: false, reason: connected ? "service_unreachable" : "not_connected" };
}

/** Clears the cache, such as after the catalogue was synced. */
export function clearLiveOffers(): void {
  cache.clear();
}
