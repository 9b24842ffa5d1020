/**
 * Security headers of documents: only the shop's own admin may show the app in a frame.
 */
import { env } from "#app/platform/env.server.ts";
import { shopify } from "./app.server.ts";

/** Sets the headers of a document: who may frame it, and the preload of App Bridge where it comes from its CDN. */
export function setFrameHeaders(request: Request, headers: Headers): void {
  shopify.addDocumentResponseHeaders(request, headers);
  const policy = headers.get("Content-Security-Policy");
  if (policy === null) headers.set("Content-Security-Policy", "frame-ancestors 'none';");
  else if (env.SANDBOX_SHOP_ORIGIN !== undefined) {
    headers.set("Content-Security-Policy", policy.replace(/;$/, ` ${env.SANDBOX_SHOP_ORIGIN};`));
  }
  if (env.APP_BRIDGE_URL !== undefined) headers.delete("Link");
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "origin-when-cross-origin");
}
