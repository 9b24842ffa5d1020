/**
 * Requests through the app proxy (shopper → shop → app), whose query the platform signs. No session is loaded and no
 * token refreshed: a shopper's request must not depend on either.
 *
 * They are public and not limited by the platform, and a refusal by Remix costs eight times as much: the web server
 * checks them before Remix does (app/processes/server.ts). The development server does not; there the routes check.
 */
import type { AppLoadContext } from "@remix-run/node";
import { env } from "#app/platform/env.server.ts";
import { tooManyRequests } from "#app/platform/request-limit.server.ts";
import { countProxyRequest } from "./proxy-limits.server.ts";
import { checkProxyQuery } from "./proxy-signature.ts";

const secrets = [env.SHOPIFY_API_SECRET, env.SHOPIFY_API_SECRET_PREVIOUS].filter(
  (secret) => secret !== undefined,
);

/** A request that the platform signed, and that was counted. */
export class AdmittedProxyRequest {
  readonly shop: string;
  readonly query: URLSearchParams;

  constructor(shop: string, query: URLSearchParams) {
    this.shop = shop;
    this.query = query;
  }
}

/**
 * Verifies the signature of the query, and that it is at most 90 seconds old; then counts the request
 * (proxy-limits.server.ts).
 * @param address of the request, from its path on
 * @param forwardedFor the request's `X-Forwarded-For`
 * @returns the answer to who is refused
 */
export async function admitProxyRequest(
  address: string,
  forwardedFor: string,
): Promise<AdmittedProxyRequest | Response> {
  const query = new URLSearchParams(address.replace(/^[^?]*/, ""));
  const shop = query.get("shop") ?? "";
  const found = checkProxyQuery(query, secrets);
  if (found === "malformed") return refusal(400, "Not a query that the platform signed just now");
  if (found === "unsigned" || !/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(shop))
    return refusal(401, "The signature does not fit the query");
  const retryAfter = await countProxyRequest(shop, forwardedFor);
  return retryAfter === null ? new AdmittedProxyRequest(shop, query) : tooManyRequests(retryAfter);
}

/** For a route of the app proxy: the request as the web server admitted it, or the answer to who is refused. */
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
