/**
 * Requests through the app proxy (shopper → shop → app), whose query the platform signs. No session is loaded and no
 * token refreshed: a shopper's request must not depend on either.
 */
import { ApiVersion, InvalidHmacError, shopifyApi } from "@shopify/shopify-api";
import { env } from "#app/platform/env.server.ts";
import { tooManyRequests } from "#app/platform/request-limit.server.ts";
// Loads the library's adapter for Node; importing the adapter here again would reset the app's own fetch.
import "./app.server.ts";
import { countProxyRequest } from "./proxy-limits.server.ts";

/** One per secret: during a rotation the platform may still sign with the previous one. */
const validators = [env.SHOPIFY_API_SECRET, env.SHOPIFY_API_SECRET_PREVIOUS]
  .filter((secret) => secret !== undefined)
  .map(
    (apiSecretKey) =>
      shopifyApi({
        apiKey: env.SHOPIFY_API_KEY,
        apiSecretKey,
        apiVersion: ApiVersion.October26,
        hostName: new URL(env.SHOPIFY_APP_URL).host,
        isEmbeddedApp: true,
        logger: { log: () => undefined },
      }).utils,
  );

export type AppProxyRequest =
  { ok: true; shop: string; query: URLSearchParams } | { ok: false; response: Response };

/**
 * Verifies the signature of the query, and that it is at most 90 seconds old; then counts the request
 * (proxy-limits.server.ts).
 */
export async function authenticateAppProxy(request: Request): Promise<AppProxyRequest> {
  const query = new URL(request.url).searchParams;
  const shop = query.get("shop") ?? "";
  try {
    for (const utils of validators) {
      if (!(await utils.validateHmac(query, { signator: "appProxy" }))) continue;
      if (!/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(shop)) break;
      const retryAfter = await countProxyRequest(shop, request.headers);
      if (retryAfter === null) return { ok: true, shop, query };
      return { ok: false, response: tooManyRequests(retryAfter) };
    }
  } catch (error) {
    if (error instanceof InvalidHmacError) return refusal(400, error.message);
    throw error;
  }
  return refusal(401, "The signature does not fit the query");
}

function refusal(status: number, error: string): AppProxyRequest {
  const headers = { "cache-control": "no-store" };
  return { ok: false, response: Response.json({ error }, { status, headers }) };
}
