/**
 * The app proxy: forwards `/apps/parasol/…`, or the merchant's renamed path, to the app. It signs the request with the
 * app's secret and removes the shopper's cookies.
 */
import { createHmac } from "node:crypto";
import { type Context, Hono } from "hono";
import type { StorefrontSandbox } from "./sandbox.ts";

export function appProxy(sandbox: StorefrontSandbox): Hono {
  const app = new Hono();
  const proxy = sandbox.app.appProxy;
  if (proxy === null) return app;
  app.use("*", async (c: Context, next) => {
    // The storefront's language or market may precede it.
    const proxyPath = `/${proxy.prefix}/${proxy.subpath}`;
    const requested = new URL(c.req.url);
    const path = requested.pathname.replace(/^\/[a-z]{2}(-[a-z]{2})?(?=\/)/, "");
    if (!path.startsWith(`${proxyPath}/`)) return next();
    const { appUrl } = sandbox;
    if (appUrl === null || sandbox.state.installation === null) return c.text("Not found", 404);
    const target = new URL(appUrl + proxy.path + path.slice(proxyPath.length));
    target.search = signedQuery(requested.searchParams, proxyPath, sandbox).toString();
    const hasBody = !["GET", "HEAD"].includes(c.req.method);
    const answer = await fetch(target, {
      method: c.req.method,
      headers: forwardedHeaders(c, sandbox),
      redirect: "manual",
      ...(hasBody ? { body: await c.req.arrayBuffer() } : {}),
    }).catch((error: unknown) => new Response(`The app did not answer: ${String(error)}`, { status: 502 }));
    const headers = new Headers(answer.headers);
    // Headers that Shopify removes.
    for (const name of [
      "set-cookie",
      "connection",
      "transfer-encoding",
      "content-encoding",
      "content-length",
    ])
      headers.delete(name);
    return new Response(answer.body, { status: answer.status, headers });
  });
  return app;
}

/**
 * The shopper's parameters with Shopify's, and the signature over all of them: `key=value` sorted and concatenated,
 * values of a repeated key joined with commas, HMAC-SHA256 in hex with the app's secret.
 */
export function signedQuery(
  requested: URLSearchParams,
  pathPrefix: string,
  { shopDomain, apiSecret }: Pick<StorefrontSandbox, "shopDomain" | "apiSecret">,
): URLSearchParams {
  const query = new URLSearchParams(requested);
  query.delete("signature");
  query.set("shop", shopDomain);
  query.set("logged_in_customer_id", "");
  query.set("path_prefix", pathPrefix);
  query.set("timestamp", Math.floor(Date.now() / 1000).toString());
  const message = [...new Set(query.keys())]
    .map((key) => `${key}=${query.getAll(key).join(",")}`)
    .sort()
    .join("");
  query.set("signature", createHmac("sha256", apiSecret).update(message).digest("hex"));
  return query;
}

function forwardedHeaders(c: Context, { shopDomain }: StorefrontSandbox): Headers {
  const headers = new Headers(c.req.raw.headers);
  for (const name of ["cookie", "host", "connection", "content-length", "accept-encoding"])
    headers.delete(name);
  headers.set("x-forwarded-host", shopDomain);
  return headers;
}
