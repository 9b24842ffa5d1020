/**
 * Starts the files that failed in the last run here first: whether a mend works shows in the first minute. Then the files of
 * a project together, and of each those first that take longest: none is left alone at the end of a run.
 */
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** The longest first. Vitest remembers durations by itself, but a fresh checkout has nothing to remember. */
const longest = [
  "flows/admin-pages.test.ts",
  "faults/rows.test.ts",
  "flows/admin-states.test.ts",
  "flows/newcomer.test.ts",
  "flows/admin-work.test.ts",
  "flows/main-job.test.ts",
  "storefront/formats.test.ts",
  "storefront/cart.test.ts",
  "storefront/product-page.test.ts",
  "sync/sync.server.test.ts",
  "reconciliation/reconciliation.server.test.ts",
  "reconciler/reconcile-order.server.test.ts",
  "quotes/order-quotes.server.test.ts",
  "sync/killed-worker.server.test.ts",
];

/** A worker keeps the modules that it has imported as long as the next file is of the same project. */
const projects = ["flows", "mocks", "parts", "app"];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place === -1 ? longest.length : place;
    };
    const position = ({ project }: TestSpecification) => projects.indexOf(project.name);
    const failed = (file: TestSpecification) =>
      Number(this.ctx.cache.getTestSpecificationResult(file)?.failed ?? false);
    return (await super.sort(files)).sort(
      (one, other) =>
        failed(other) - failed(one) || position(one) - position(other) || rank(one) - rank(other),
    );
  }
}
