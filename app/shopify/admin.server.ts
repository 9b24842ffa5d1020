/**
 * The Admin API with the shop's offline access token: for jobs, webhooks and the storefront.
 */
import type { AdminApiContext } from "@shopify/shopify-app-remix/server";
import { setTimeout as wait } from "node:timers/promises";
import { shopify } from "./app.server.ts";
import { AdminUnavailable, NoAccess } from "./errors.ts";
import { acquireRefreshLock, releaseRefreshLock, sessionStorage } from "./sessions.server.ts";

const REFRESH_MARGIN_MS = 5 * 60_000;

/**
 * Refreshes the access token when it is about to expire, in one process at a time per shop: the platform rotates the
 * refresh token on each use, and the library takes no lock.
 * @throws NoAccess
 */
export async function offlineAdmin(shop: string): Promise<AdminApiContext> {
  const id = `offline_${shop}`;
  const session = await sessionStorage.loadSession(id);
  if (!session) throw new NoAccess(shop);
  if (!session.isExpired(REFRESH_MARGIN_MS)) return (await shopify.unauthenticated.admin(shop)).admin;
  for (let tries = 0; !(await acquireRefreshLock(id)); tries++) {
    if (tries >= 150)
      throw new AdminUnavailable("another process refreshes the access token and does not finish", {
        shop,
        operation: null,
        requestId: null,
      });
    await wait(200);
    const fresh = await sessionStorage.loadSession(id);
    if (!fresh) throw new NoAccess(shop);
    if (!fresh.isExpired(REFRESH_MARGIN_MS)) break;
  }
  try {
    return (await shopify.unauthenticated.admin(shop)).admin;
  } finally {
    await releaseRefreshLock(id);
  }
}
