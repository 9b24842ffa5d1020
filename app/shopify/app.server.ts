/** The library's app object: one instance per process. */
import "@shopify/shopify-app-remix/adapters/node";
import { setAbstractFetchFunc } from "@shopify/shopify-api/runtime";
import { ApiVersion, AppDistribution, LogSeverity, shopifyApp } from "@shopify/shopify-app-remix/server";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { adminScopes } from "./configuration.server.ts";
import { sessionStorage } from "./sessions.server.ts";

const levels = {
  [LogSeverity.Error]: "error",
  [LogSeverity.Warning]: "warn",
  [LogSeverity.Info]: "debug",
  [LogSeverity.Debug]: "trace",
} as const;

export const shopify = shopifyApp({
  apiKey: env.SHOPIFY_API_KEY,
  apiSecretKey: env.SHOPIFY_API_SECRET,
  apiVersion: ApiVersion.October26,
  appUrl: env.SHOPIFY_APP_URL,
  authPathPrefix: "/auth",
  distribution: AppDistribution.AppStore,
  scopes: adminScopes(),
  sessionStorage,
  isEmbeddedApp: true,
  future: { unstable_newEmbeddedAuthStrategy: true, expiringOfflineAccessTokens: true },
  logger: { log: (severity, message) => log[levels[severity]]({ from: "shopify" }, message) },
});

/**
 * A refresh and the query for its failure together take less time than a refresh holds its lock (sessions.server.ts).
 */
const TOKEN_TIMEOUT_MS = 10_000;

const sandbox = env.SANDBOX_SHOP_ORIGIN;

// The library waits for an access token without a timeout, and a missing response would block all work for the shop.
setAbstractFetchFunc((address, options) => {
  const url = new URL(address instanceof Request ? address.url : address);
  const init = { ...options };
  if (url.pathname === "/admin/oauth/access_token") init.signal ??= AbortSignal.timeout(TOKEN_TIMEOUT_MS);
  if (sandbox === undefined || !url.hostname.endsWith(".myshopify.com")) return fetch(address, init);
  const headers = new Headers(init.headers);
  headers.set("x-sandbox-shop", url.hostname);
  return fetch(new URL(url.pathname + url.search, sandbox), { ...init, headers });
});
