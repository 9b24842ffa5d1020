/** A merchant goes live during the first sync: no test contract may stay on sale. */
import { staff } from "#app/audit/actor.ts";
import { expect, it } from "vitest";
import { switchAccount } from "#app/catalogue/connect-store.server.ts";
import { listRuns, startRun } from "#app/catalogue/runs/runs.server.ts";
import { syncCatalogue } from "#app/catalogue/sync/sync.server.ts";
import { planProducts, sync } from "#test/catalogue/world.ts";
import { eventually } from "#test/eventually.ts";
import { connectProduction, connectShop } from "#test/install.ts";
import { shop } from "#test/world.ts";

const { shopDomain } = shop;

it("a first sync of an account that is not in use any more is followed by one that takes its plans off sale", async () => {
  await connectShop();
  await connectProduction();
  const release = shop.api.bulk.hold("QUERY");
  const { id } = await startRun(shopDomain, "catalogue", "merchant");
  const first = syncCatalogue({ shop: shopDomain, runId: id }, { signal: new AbortController().signal });
  await eventually(() => shop.api.bulk.all().some(({ status }) => status === "RUNNING"));
  // The shop has no plans yet, so the switch is immediate, without a run.
  expect(await switchAccount(shopDomain, "production", staff("1"))).toEqual({ state: "switched" });
  release();
  await first;
  expect(planProducts().length).toBeGreaterThan(0);
  expect(await listRuns(shopDomain, "catalogue")).toMatchObject([
    { reason: "connection", state: "queued" },
    { id, state: "done", environment: "test" },
  ]);
  await sync();
  for (const { handle, status } of planProducts())
    expect(status).toBe(/-test(-\d+)?$/.test(handle) ? "DRAFT" : "UNLISTED");
});
