import { defineConfig } from "vitest/config";
import LongestFirst from "./test/longest-first.ts";

/**
 * Tests of what has effects (`x.server.test.ts` of `x.server.ts`, and routes) import the app, once in a worker: each
 * file has a new database and new stand-ins (test/world.setup.ts).
 */
const withWorld = ["test/**/*.server.test.{ts,tsx}", "test/routes/**/*.test.{ts,tsx}"];

/** These replace a module of the app's, and have to be there before it is imported: a process for each of them. */
const withMocks = [
  "test/orders/every-premium.server.test.ts",
  "test/orders/rebuild.server.test.ts",
  "test/processes/operations.server.test.ts",
  "test/routes/quotes.test.ts",
  "test/routes/query-counts.test.ts",
];

export default defineConfig({
  test: {
    reporters: ["default", "./test/closing-line.ts"],
    // Two cores are what CI has, and much of the time is waiting: for a lease, a restart, a page.
    maxWorkers: 5,
    // For what hangs, not for what is slow: no test says how fast anything is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 180_000 } },
    sequence: { sequencer: LongestFirst },
    globalSetup: ["test/compile-cache.setup.ts", "test/browser.setup.ts", "test/database.setup.ts"],
    server: {
      deps: {
        inline: [/@shopify\/shopify-app-remix/, /@shopify\/polaris/, /@shopify\/ui-extensions-tester/],
      },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "app",
          include: withWorld,
          exclude: withMocks,
          setupFiles: ["test/world.setup.ts"],
          isolate: false,
        },
      },
      { extends: true, test: { name: "mocks", include: withMocks, setupFiles: ["test/world.setup.ts"] } },
      {
        extends: true,
        test: {
          name: "parts",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...withWorld, "test/flows/**"],
          isolate: false,
        },
      },
      { extends: true, test: { name: "flows", include: ["test/flows/**/*.test.ts"] } },
    ],
  },
});
