import { expect, it } from "vitest";
import { reconciliationCounts } from "#app/reconciliation/reconciliation.ts";

it("a run's counts begin with nothing", () => {
  expect(reconciliationCounts.parse({ orders: 3 })).toEqual({
    orders: 3,
    missed: 0,
    behind: 0,
    resumed: 0,
    contracts: 0,
    different: 0,
    tasks: 0,
  });
});
