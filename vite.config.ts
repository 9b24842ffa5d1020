import type {} from "@remix-run/node";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

// `shopify app dev` gives the address of its tunnel as HOST, which other tools take for an interface to listen on.
const { HOST: tunnel } = process.env;
if (tunnel?.startsWith("https://") === true) {
  process.env["SHOPIFY_APP_URL"] = tunnel;
  delete process.env["HOST"];
}

export default defineConfig(({ command }) => ({
  server: { port: Number(process.env["PORT"] ?? 3000), allowedHosts: true },
  plugins: [
    remix({
      buildDirectory: process.env["BUILD_DIR"] ?? "build",
      ignoredRouteFiles: ["**/.*"],
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_lazyRouteDiscovery: true,
        v3_singleFetch: true,
        // Without it Vite finds packages page by page in development, and reloads the page each time.
        unstable_optimizeDeps: true,
      },
    }),
  ],
  // Left outside, Node loads every component and icon that there is; in the bundle are those that pages use. The last one
  // shares Polaris's contexts with the pages.
  ssr:
    command === "build"
      ? { noExternal: ["@shopify/polaris", "@shopify/polaris-icons", "@shopify/shopify-app-remix"] }
      : {},
  build: { assetsInlineLimit: 0, target: "es2022" },
}));
