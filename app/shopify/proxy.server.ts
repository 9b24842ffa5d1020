/**
 * Requests through the app proxy (shopper → shop → app), with a query that Shopify signs. A shopper's request must
 * not depend on a session or a token refresh, so neither is used.
 *
 * Shopify does not limit these public requests, and a refusal by Remix costs eight times as much. So the web server
 * checks them before Remix does (app/processes/server.ts). In the development server the routes check them.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { AppLoadContext } from "@remix-run/node";
import { env } from "#app/platform/env.server.ts";
import { tooManyRequests } from "#app/platform/request-limit.server.ts";
import { isShopDomain } from "./shop-domain.ts";
import { countProxyRequest } from "./proxy-limits.server.ts";

const secrets = [env.SHOPIFY_API_SECRET, env.SHOPIFY_API_SECRET_PREVIOUS].filter(
  (secret) => secret !== undefined,
);

/** A signed request that has been counted. */
class AdmittedProxyRequest {
  readonly shop: string;
  readonly query: URLSearchParams;

  constructor(shop: string, query: URLSearchParams) {
    this.shop = shop;
    this.query = query;
  }
}

/**
 * Verifies the signature of the query and its age of at most 90 seconds, then counts the request
 * (proxy-limits.server.ts).
 * @param address the request's URL from its path on
 * @param forwardedFor the request's `X-Forwarded-For`
 * @returns the response to a refused request
 */
export async function admitProxyRequest(
  address: string,
  forwardedFor: string,
): Promise<AdmittedProxyRequest | Response> {
  const query = new URLSearchParams(address.replace(/^[^?]*/, ""));
  const shop = query.get("shop") ?? "";
  const signature = checkProxyQuery(query);
  if (signature === "malformed") return refusal(400, "Not a query that Shopify signed just now");
  if (signature === "unsigned" || !isShopDomain(shop))
    return refusal(401, "The signature does not fit the query");
  const retryAfter = await countProxyRequest(shop, forwardedFor);
  return retryAfter === null ? new AdmittedProxyRequest(shop, query) : tooManyRequests(retryAfter);
}

/** For a route of the app proxy: the admitted request, or the response to a refused one. */
export async function readProxyRequest(
  request: Request,
  context: AppLoadContext,
): Promise<AdmittedProxyRequest | Response> {
  const admitted = context["admitted"];
  if (admitted instanceof AdmittedProxyRequest) return admitted;
  const { pathname, search } = new URL(request.url);
  return admitProxyRequest(pathname + search, request.headers.get("x-forwarded-for") ?? "");
}

function refusal(status: number, error: string): Response {
  return Response.json({ error }, { status, headers: { "cache-control": "no-store" } });
}

const PLATFORMS_OWN = ["logged_in_customer_id", "path_prefix", "shop", "timestamp"];
const MAX_AGE_SECONDS = 90;

/**
 * The signature of a query that Shopify forwards through the app proxy (shopify.dev, "Authenticate app proxies"). It
 * is an HMAC-SHA256 with the app's secret over `name=value` of all other parameters, sorted and joined without a
 * separator.
 *
 * Without a separator the signed text does not show where a value ends. A shopper of one shop could request
 * `?u=shop=another…`, and send what Shopify signed for that as a query of the other shop. But Shopify adds its own
 * parameters to every query that it signs, so such a text has one of their names twice.
 * @returns malformed: no query of Shopify's; unsigned: the signature fits no secret
 */
function checkProxyQuery(query: URLSearchParams): "signed" | "unsigned" | "malformed" {
  // One pass, because lookups by name in a query of some thousand names take quadratic time.
  const values = new Map<string, string>();
  for (const [name, value] of query) {
    const previousValue = values.get(name);
    if (previousValue !== undefined && (name === "signature" || PLATFORMS_OWN.includes(name)))
      return "malformed";
    values.set(name, previousValue === undefined ? value : `${previousValue},${value}`);
  }
  const signature = values.get("signature") ?? "";
  const timestamp = values.get("timestamp") ?? "";
  if (signature === "" || !/^\d{1,12}$/.test(timestamp)) return "malformed";
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > MAX_AGE_SECONDS) return "malformed";
  values.delete("signature");
  const signed = Array.from(values, ([name, value]) => `${name}=${value}`)
    .sort()
    .join("");
  if (PLATFORMS_OWN.some((name) => signed.split(`${name}=`).length > 2)) return "malformed";
  const signatureBytes = Buffer.from(/^[0-9a-f]{64}$/.test(signature) ? signature : "", "hex");
  const fits = (secret: string): boolean => {
    const expected = createHmac("sha256", secret).update(signed).digest();
    return signatureBytes.length === expected.length && timingSafeEqual(signatureBytes, expected);
  };
  return secrets.some(fits) ? "signed" : "unsigned";
}
