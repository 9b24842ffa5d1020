/**
 * Claims, read from the service.
 */
import { LRUCache } from "lru-cache";
import type { Claim } from "#app/insurance/claim.ts";
import { askService } from "#app/merchants/connection.server.ts";
import type { Asked, ServiceAccess } from "#app/merchants/connection.server.ts";

/** A page of the list asks for all claims; going on to the next page must not ask for all of them again. */
const recent = new LRUCache<string, Claim[], ServiceAccess>({
  max: 100,
  ttl: 60_000,
  fetchMethod: (_key, _stale, { context }) => context.client.claims.list(),
});

/** All claims of the shop's store, at most a minute old. */
export async function readClaims(shop: string): Promise<Asked<Claim[]>> {
  return askService(shop, async (access) => {
    const key = JSON.stringify([shop, access.environment, access.account.storeId]);
    return (await recent.fetch(key, { context: access })) ?? [];
  });
}
