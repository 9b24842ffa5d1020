/** A run that reads no offer is no success: it ends as failed and says why for each category. */
import { expect, it } from "vitest";
import { readLastRun } from "#app/catalogue/runs/runs.server.ts";
import { planProducts, sync } from "#test/catalogue/world.ts";
import { connectShop } from "#test/install.ts";
import { insurance, shop } from "#test/world.ts";

const { shopDomain } = shop;

it("a first run whose offers cannot be read fails with the reason of each category", async () => {
  await connectShop();
  const answer = [{ reference_id: "A" }, { reference_id: "B" }];
  insurance.faults.add({ operation: "offers.list", kind: "json", answer, times: null });
  await sync();
  const { run, problems } = await readLastRun(shopDomain, "catalogue");
  expect(run).toMatchObject({ state: "failed", error: "nothing_read" });
  expect(problems.items.length).toBeGreaterThan(0);
  for (const { problem, detail } of problems.items) {
    expect(problem).toBe("rows_not_read");
    expect(detail).toContain("2 of 2 offers cannot be read: ");
  }
  expect(planProducts()).toEqual([]);
  insurance.faults.clear();
  expect(await sync()).toMatchObject({ state: "done" });
  expect(planProducts().length).toBeGreaterThan(0);
});
