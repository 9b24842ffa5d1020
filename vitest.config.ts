import { defineConfig } from "vitest/config";
import LongestFirst from "./test/longest-first.ts";

/**
 * Tests of what has effects (`x.server.test.ts` of `x.server.ts`, and routes) import the app: a fresh database
 * and both stand-ins, per file (test/world.setup.ts).
 */
const withWorld = ["test/**/*.server.test.ts", "test/routes/**/*.test.{ts,tsx}"];

export default defineConfig({
  test: {
    reporters: ["default", "./test/closing-line.ts"],
    // Two cores are what CI has, and much of the time is waiting: for a lease, a restart, a page.
    maxWorkers: 3,
    // For what hangs, not for what is slow: no test says how fast anything is.
    testTimeout: 240_000,
    hookTimeout: 480_000,
    sequence: { sequencer: LongestFirst },
    globalSetup: ["test/compile-cache.setup.ts", "test/browser.setup.ts", "test/database.setup.ts"],
    server: {
      deps: {
        inline: [/@shopify\/shopify-app-remix/, /@shopify\/polaris/, /@shopify\/ui-extensions-tester/],
      },
    },
    projects: [
      { extends: true, test: { name: "app", include: withWorld, setupFiles: ["test/world.setup.ts"] } },
      {
        extends: true,
        test: {
          name: "parts",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...withWorld, "test/flows/**"],
        },
      },
      { extends: true, test: { name: "flows", include: ["test/flows/**/*.test.ts"] } },
    ],
  },
});
