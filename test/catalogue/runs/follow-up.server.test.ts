/** What changes while a run is under way is not left to the next day. */
import { staff } from "#app/audit/actor.ts";
import { beforeAll, expect, it } from "vitest";
import { parseReferences } from "#app/catalogue/references/import.ts";
import { importReferences } from "#app/catalogue/references/import.server.ts";
import { listRuns, startRun } from "#app/catalogue/runs/runs.server.ts";
import { syncCatalogue } from "#app/catalogue/sync/sync.server.ts";
import { connectShop } from "#test/install.ts";
import { shop } from "#test/world.ts";
import { referenceOfFile, variantOf } from "#test/catalogue/world.ts";

const { shopDomain } = shop;
beforeAll(() => connectShop());

it("a run is followed by another where something was imported while it was under way, and by none otherwise", async () => {
  const first = await startRun(shopDomain, "catalogue", "merchant");
  // It has begun: what comes now, it may have read already.
  const stopped = AbortSignal.abort();
  await expect(syncCatalogue({ shop: shopDomain, runId: first.id }, { signal: stopped })).rejects.toThrow();
  const { runId } = await importReferences(
    shopDomain,
    parseReferences(JSON.stringify([referenceOfFile("BROUGHT-LATE")])),
    staff("1"),
  );
  expect(runId).toBe(first.id);
  await startRun(shopDomain, "catalogue", "schedule");
  const never = new AbortController().signal;
  await syncCatalogue({ shop: shopDomain, runId: first.id }, { signal: never });
  const [next] = await listRuns(shopDomain, "catalogue", 1);
  expect(next).toMatchObject({ reason: "import", state: "queued" });
  await syncCatalogue({ shop: shopDomain, runId: next?.id ?? "" }, { signal: never });
  expect(variantOf("BROUGHT-LATE").variant.tracked).toBe(false);
  expect((await listRuns(shopDomain, "catalogue", 1)).map(({ id }) => id)).toEqual([next?.id]);
});
