/**
 * Runs the files that failed last time first, so that a fix shows in the first minute. The files of a project follow
 * together, longest first: no long file runs alone at the end.
 */
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** The longest first. Vitest stores durations itself, but a fresh checkout has none. */
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
  "issuing/reconcile-order.server.test.ts",
  "quotes/order-quotes.server.test.ts",
  "sync/killed-worker.server.test.ts",
];

/** A worker keeps its imported modules as long as the next file is of the same project. */
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
