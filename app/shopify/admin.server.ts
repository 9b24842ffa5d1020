/**
 * The Admin API for work without a merchant's request: jobs, webhooks, the start of the app.
 */
import type { AdminApiContext } from "@shopify/shopify-app-remix/server";
import { setTimeout as wait } from "node:timers/promises";
import { shopify } from "./app.server.ts";
import { acquireRefreshLock, releaseRefreshLock, sessionStorage } from "./sessions.server.ts";

/** The app has no access to this shop: never installed, or uninstalled. */
export class NoAccessError extends Error {
  override name = "NoAccessError";
  constructor(shop: string) {
    super(`The app has no access to ${shop}`);
  }
}

const REFRESH_MARGIN_MS = 5 * 60_000;

/**
 * The Admin API as the app itself. Refreshes the access token when it is about to expire; one process at a time per
 * shop, because the platform rotates the refresh token on each use and the library takes no lock.
 * @throws NoAccessError
 */
export async function offlineAdmin(shop: string): Promise<AdminApiContext> {
  const id = `offline_${shop}`;
  const session = await sessionStorage.loadSession(id);
  if (!session) throw new NoAccessError(shop);
  if (!session.isExpired(REFRESH_MARGIN_MS)) return (await shopify.unauthenticated.admin(shop)).admin;
  for (let tries = 0; !(await acquireRefreshLock(id)); tries++) {
    if (tries >= 150)
      throw new Error(`The access token of ${shop} is being refreshed elsewhere and does not arrive`);
    await wait(200);
    const fresh = await sessionStorage.loadSession(id);
    if (!fresh) throw new NoAccessError(shop);
    if (!fresh.isExpired(REFRESH_MARGIN_MS)) break;
  }
  try {
    return (await shopify.unauthenticated.admin(shop)).admin;
  } finally {
    await releaseRefreshLock(id);
  }
}
