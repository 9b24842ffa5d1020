/**
 * Security headers of documents: only the shop's own admin may show the app in a frame, and only the app's own scripts
 * and App Bridge run in it.
 */
import { env } from "#app/platform/env.server.ts";
import { shopify } from "./app.server.ts";

/** Where App Bridge comes from. Not the CDN's whole host: merchants' own files are there too. */
const appBridge = env.APP_BRIDGE_URL ?? "https://cdn.shopify.com/shopifycloud/";

/**
 * Sets the headers of a document: who may frame it, which scripts run, and the preload of App Bridge where it comes
 * from its CDN.
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
