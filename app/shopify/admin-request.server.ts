/**
 * Authenticates admin requests with the library, and sets the headers of documents. A request that makes the library
 * fail is refused and not reported as an error of the app.
 */
import { ShopifyError } from "@shopify/shopify-api";
import { z } from "zod";
import { env } from "#app/platform/env.server.ts";
import { shopify } from "./app.server.ts";

/**
 * @throws Response: 400 for an address that no page of the app links to. Otherwise the library's (401, or a redirect
 * to the page that fetches a session token): do not catch it
 */
export async function authenticateAdminRequest(received: Request) {
  const { searchParams } = new URL(received.url);
  if (searchParams.getAll("shopify-reload").some((address) => !isOwn(address)))
    throw new Response(null, { status: 400 });
  const request = withStaffTokenAlone(received);
  try {
    return await shopify.authenticate.admin(request);
  } catch (thrown) {
    if (isOfAddress(thrown, new URL(request.url))) throw new Response(null, { status: 400 });
    throw thrown;
  }
}

/** App Bridge opens this address with a session token, and anybody can send staff such a link. */
function isOwn(address: string): boolean {
  return URL.parse(address, env.SHOPIFY_APP_URL)?.origin === new URL(env.SHOPIFY_APP_URL).origin;
}

/**
 * The library decodes `host` without a check, and redirects out of the frame only to its own addresses and Shopify's.
 */
function isOfAddress(thrown: unknown, { pathname }: URL): boolean {
  const isUndecodable = thrown instanceof DOMException && thrown.name === "InvalidCharacterError";
  return isUndecodable || (pathname === "/auth/exit-iframe" && thrown instanceof ShopifyError);
}

/**
 * The claims of an admin session token. Shopify signs tokens of customer account and checkout extensions with the
 * same secret, and the library does not distinguish them. The issuer of an admin token is the shop's admin, and `sub`
 * is the staff member's number. A customer's `sub` is a gid, or missing.
 */
const staffClaims = z
  .object({ iss: z.url().regex(/\/admin$/), dest: z.url(), sub: z.string().regex(/^\d+$/) })
  .refine(({ iss, dest }) => new URL(iss).host === new URL(dest).host);

/** Whether the token has staff claims: the library checks its signature. */
function claimsStaff(token: string): boolean {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return staffClaims.safeParse(payload).success;
  } catch {
    // Not a token: the library refuses it.
    return false;
  }
}

const NO_TOKEN = "none";

/**
 * Returns the request, or a copy with an invalid token if its token is not a staff member's, so that the library
 * refuses it.
 */
function withStaffTokenAlone(request: Request): Request {
  const url = new URL(request.url);
  const inHeader = request.headers.get("authorization")?.replace("Bearer ", "");
  const inAddress = url.searchParams.get("id_token");
  if ([inHeader, inAddress].every((token) => !token || claimsStaff(token))) return request;
  if (inAddress !== null) url.searchParams.set("id_token", NO_TOKEN);
  const headers = new Headers(request.headers);
  if (inHeader !== undefined) headers.set("authorization", `Bearer ${NO_TOKEN}`);
  return new Request(url, { method: request.method, headers, signal: request.signal });
}

/** The origin of App Bridge. The CDN's whole host would include merchants' own files. */
const appBridge = env.APP_BRIDGE_URL ?? "https://cdn.shopify.com/shopifycloud/";

/**
 * Sets the headers of a document. Only the shop's own admin may frame the app, and only the app's scripts and App
 * Bridge may run. App Bridge is preloaded from its CDN.
 * @param nonce of the document's inline scripts
 */
export function setDocumentHeaders(request: Request, headers: Headers, nonce: string): void {
  shopify.addDocumentResponseHeaders(request, headers);
  const framing = headers.get("Content-Security-Policy")?.replace(/;$/, "") ?? "frame-ancestors 'none'";
  const sandbox =
    env.SANDBOX_SHOP_ORIGIN === undefined || framing.endsWith("'none'") ? "" : ` ${env.SANDBOX_SHOP_ORIGIN}`;
  const policy = [
    `${framing}${sandbox}`,
    `script-src 'self' 'nonce-${nonce}' ${appBridge}`,
    "object-src 'none'",
    "base-uri 'none'",
  ];
  headers.set("Content-Security-Policy", `${policy.join("; ")};`);
  if (env.APP_BRIDGE_URL !== undefined) headers.delete("Link");
  headers.set("Referrer-Policy", "origin-when-cross-origin");
}
