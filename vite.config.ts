import type {} from "@remix-run/node";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Plugin } from "vite";

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

/**
 * The server reads texts, settings and everything else that is no component anew at the next request. Vite replaces
 * components in an open page, which would still show what the server said before: so such an edit reloads the page.
 */
const reloadForServerFiles: Plugin = {
  name: "reload-for-server-files",
  handleHotUpdate({ file, server }) {
    if (!/\/(app|extensions)\/.*\.(json|ts)$/.test(file)) return;
    server.ws.send({ type: "full-reload" });
  },
};

export default defineConfig(({ command }) => ({
  server: { port: Number(process.env["PORT"] ?? 3000), allowedHosts: true },
  // A test starts from an empty folder, as an empty checkout does.
  ...(process.env["VITE_CACHE_DIR"] === undefined ? {} : { cacheDir: process.env["VITE_CACHE_DIR"] }),
  plugins: [
    reloadForServerFiles,
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
