/** Claims, read from the service. */
import { LRUCache } from "lru-cache";
import type { Claim } from "#app/insurance/claims.ts";
import { callService } from "#app/merchants/insurance-connection.server.ts";
import type { InsuranceConnection, ServiceResult } from "#app/merchants/insurance-connection.server.ts";

/** The service returns all claims at once: paging through the list must not fetch them again for each page. */
const claimsCache = new LRUCache<string, Claim[], InsuranceConnection>({
  // Of memory, in bytes: two for each character. A list that is larger is fetched for every page.
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: (claims) => 2 * JSON.stringify(claims).length,
  ttl: 60_000,
  fetchMethod: (_key, _stale, { context }) => context.client.claims.list(),
});

/** All claims of the shop's store, at most a minute old. */
export async function readClaims(shop: string): Promise<ServiceResult<Claim[]>> {
  return callService(shop, async (connection) => {
    const key = JSON.stringify([shop, connection.environment, connection.account.storeId]);
    // An answer from the cache says nothing about an account that the service does not accept now.
    const forceRefresh = connection.state !== "accepted";
    return (await claimsCache.fetch(key, { context: connection, forceRefresh })) ?? [];
  });
}
