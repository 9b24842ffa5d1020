/** The Admin API with the shop's offline access token: for jobs, webhooks and the storefront. */
import { type AdminApiContext, SessionNotFoundError } from "@shopify/shopify-app-remix/server";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { abstractFetch } from "@shopify/shopify-api/runtime";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { shopify } from "./app.server.ts";
import { AdminUnavailable, NoAccess } from "./errors.ts";
import { acquireRefreshLock, releaseRefreshLock, sessionStorage } from "./sessions.server.ts";

const REFRESH_MARGIN_MS = 5 * 60_000;

/** By shop: a page's requests start at the same time, and each would read the session again. */
const opening = new Map<string, Promise<AdminApiContext>>();

/** @throws NoAccess, AdminUnavailable */
export function offlineAdmin(shop: string): Promise<AdminApiContext> {
  const admin = opening.get(shop) ?? openAdmin(shop).finally(() => opening.delete(shop));
  opening.set(shop, admin);
  return admin;
}

/**
 * Refreshes the access token before it expires, in one process at a time per shop. Shopify rotates the refresh token
 * on each use, and the library takes no lock.
 */
async function openAdmin(shop: string): Promise<AdminApiContext> {
  const id = `offline_${shop}`;
  const session = await sessionStorage.loadSession(id);
  if (!session) throw new NoAccess(shop);
  if (!session.isExpired(REFRESH_MARGIN_MS)) return adminOf(shop);
  for (let tries = 0; !(await acquireRefreshLock(id)); tries++) {
    if (tries >= 150)
      throw new AdminUnavailable("another process refreshes the access token and does not finish", {
        shop,
        operation: null,
        requestId: null,
      });
    await wait(200);
    const refreshed = await sessionStorage.loadSession(id);
    if (!refreshed) throw new NoAccess(shop);
    if (!refreshed.isExpired(REFRESH_MARGIN_MS)) break;
  }
  try {
    return await adminOf(shop);
  } finally {
    await releaseRefreshLock(id);
  }
}

/** The library throws the same Response for every failed refresh, so this queries the reason. */
async function adminOf(shop: string): Promise<AdminApiContext> {
  try {
    return (await shopify.unauthenticated.admin(shop)).admin;
  } catch (error) {
    // The session was deleted after it was read.
    if (error instanceof SessionNotFoundError) throw new NoAccess(shop);
    if (!(error instanceof Response)) throw error;
    const answer = await askForRefresh(shop);
    // Any other answer, for example to a wrong secret of the app, does not concern the shop.
    if (answer?.error === "invalid_grant" || answer?.error === "app_not_installed") throw new NoAccess(shop);
    const context = { shop, operation: null, requestId: null };
    throw new AdminUnavailable("Shopify does not refresh the access token", context);
  }
}

const errorBody = z.object({ error: z.string() });

/**
 * Shopify's answer to an exchange of the shop's refresh token; null: no token, or no answer. A new token in the
 * answer is not used, so that the stored one stays valid.
 */
export async function askForRefresh(shop: string): Promise<{ status: number; error: string | null } | null> {
  const session = await sessionStorage.loadSession(`offline_${shop}`);
  if (!session?.refreshToken) return null;
  try {
    const response = await abstractFetch(`https://${shop}/admin/oauth/access_token`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        client_id: env.SHOPIFY_API_KEY,
        client_secret: env.SHOPIFY_API_SECRET,
        grant_type: "refresh_token",
        refresh_token: session.refreshToken,
      }),
    });
    const body = await response.text();
    return { status: response.status, error: readError(body) };
  } catch (error) {
    log.warn({ err: error, shop }, "Failed to read from Shopify why the access token was not refreshed");
    return null;
  }
}

function readError(body: string): string | null {
  try {
    return errorBody.safeParse(JSON.parse(body)).data?.error ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
