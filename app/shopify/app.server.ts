/**
 * The app at the shop platform: one instance for the process.
 */
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

if (env.SANDBOX_SHOP_ORIGIN !== undefined) {
  const sandbox = env.SANDBOX_SHOP_ORIGIN;
  setAbstractFetchFunc((address, options) => {
    const url = new URL(address instanceof Request ? address.url : address);
    if (!url.hostname.endsWith(".myshopify.com")) return fetch(address, options);
    const headers = new Headers(options?.headers);
    headers.set("x-sandbox-shop", url.hostname);
    return fetch(new URL(url.pathname + url.search, sandbox), { ...options, headers });
  });
}
