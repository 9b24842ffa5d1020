import { defineConfig } from "vitest/config";

/** The tests of the pure rules, for `npm run mutants`: no database, no server, no browser. */
export default defineConfig({
  test: {
    include: [
      "test/{analytics,catalogue,offers,plans,platform,shopify}/**/*.test.ts",
      "test/insurance/{analytics,failures,fields,http-client,response-reader,retry}.test.ts",
      "test/storefront/cart-rules.test.ts",
    ],
    // Code with mutants in it is slow; what hangs is Stryker's to end.
    testTimeout: 60_000,
    exclude: [
      "test/**/*.server.test.ts",
      "test/shopify/operations.test.ts",
      // Reads in a thread, where no mutant is switched on.
      "test/catalogue/references/read-file.test.ts",
    ],
  },
});
