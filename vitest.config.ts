import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    environment: "node",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores are what CI has; a browser and a database per file leave room for no more.
    maxWorkers: 2,
    server: { deps: { inline: [/^@shopify\/(?:shopify-app-remix|polaris)/] } },
  },
});
