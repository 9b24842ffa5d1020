/** Which files are pure rules, and which tests they have: no database, no server, no browser. */
import { globSync } from "node:fs";

const rules = [
  "app/analytics/commission-rules.ts",
  "app/catalogue/discovery/{price-search,product-samples}.ts",
  "app/catalogue/product-categories/{rules,suggest}.ts",
  "app/catalogue/references/{import,reference}.ts",
  "app/catalogue/sync/{compact-catalogue,compact-content,difference,manual-edits,plan-product-state,plan-product-texts,plan-products,product-set,sold-references,variant-allowance}.ts",
  "app/insurance/*.ts",
  "app/offers/{cart,markets,offers-response,placement,term-order}.ts",
  "app/offers/inspector/inspector.ts",
  "app/plans/attachment/day-ranges.ts",
  "app/plans/issuing/*.ts",
  "app/plans/ledger/*.ts",
  "app/plans/reconciliation/reconciliation.ts",
  "app/platform/{day,money}.ts",
  "app/shopify/{gid,line-properties,order}.ts",
  "app/shopify/payloads/*.ts",
  "extensions/storefront-scripts/cart-rules.ts",
];

export const tests = {
  include: [
    "test/{analytics,catalogue,offers,plans,platform,shopify}/**/*.test.ts",
    "test/insurance/{bodies,failures,fields,list-items,retry}.test.ts",
    "test/storefront/cart-rules.test.ts",
  ],
  exclude: [
    "test/**/*.server.test.ts",
    "test/shopify/operations.test.ts",
    // Reads in a thread, where no mutant is switched on.
    "test/catalogue/references/read-file.test.ts",
  ],
};

/** @param named patterns of files; all pure rules where there are none */
export function ruleFiles(named: readonly string[]): string[] {
  const patterns = named.length > 0 ? [...named] : rules;
  return globSync(patterns)
    .filter((file) => !/(?:\.server|-thread)\.ts$/.test(file))
    .sort();
}
