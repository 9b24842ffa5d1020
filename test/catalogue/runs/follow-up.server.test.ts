/** A change during a run is applied at once, not the next day. */
import { staff } from "#app/audit/actor.ts";
import { beforeAll, expect, it } from "vitest";
import { categoriseProducts } from "#app/catalogue/product-categories/categorise-products.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { listRules, saveRules } from "#app/catalogue/product-categories/rules.server.ts";
import { cancelRun, listRuns, startRun } from "#app/catalogue/runs/runs.server.ts";
import { switchAccount } from "#app/catalogue/connect-store.server.ts";
import { syncCatalogue } from "#app/catalogue/sync/sync.server.ts";
import { jobs } from "#app/jobs/definitions.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { readAccounts } from "#app/merchants/environment.server.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { eventually } from "#test/eventually.ts";
import { connectProduction, connectShop } from "#test/install.ts";
import { countWaiting } from "#test/orders/selling-shop.ts";
import { insurance, shop } from "#test/world.ts";
import { categoryOfProducts, findRun } from "#test/catalogue/world.ts";

const { shopDomain } = shop;
const never = new AbortController().signal;
const PHONES = "Smartphone casse et vol";
beforeAll(() => connectShop());

it("rules that are saved right before a shop's first sync give all its products their category", async () => {
  const products = [...shop.state.products.values()].map(({ id }) => id);
  const release = shop.api.bulk.hold("QUERY");
  const rule: Rule = {
    id: "all",
    categoryId: PHONES,
    conditions: [{ field: "price", minMinor: null, maxMinor: null }],
  };
  const rules = (await saveRules(shopDomain, [rule], staff("1"))) ?? "";
  const first = await startRun(shopDomain, "catalogue", "merchant");
  const runs = Promise.all([
    categoriseProducts({ shop: shopDomain, runId: rules }, { signal: never }),
    syncCatalogue({ shop: shopDomain, runId: first.id }, { signal: never }),
  ]);
  await eventually(() => {
    const reads = shop.api.bulk.all().filter(({ status, objects }) => status === "RUNNING" && objects > 0);
    expect(reads).toHaveLength(2);
  });
  release();
  await runs;
  // Two concurrent reads: the rules may have run on products whose variants and collections the newer read was still
  // saving. They found no price, so the rules run again.
  const [again] = await listRuns(shopDomain, "products", 1);
  expect(again).toMatchObject({ reason: "rules", state: "queued" });
  await categoriseProducts({ shop: shopDomain, runId: again?.id ?? "" }, { signal: never });
  expect((await categoryOfProducts(shopDomain, products)).size).toBe(products.length);
});

it("a run is followed by another where offers have changed while it was under way, and by none otherwise", async () => {
  const first = await startRun(shopDomain, "catalogue", "merchant");
  // The run has started, so it may have read the data before this change.
  const stopped = AbortSignal.abort();
  await expect(syncCatalogue({ shop: shopDomain, runId: first.id }, { signal: stopped })).rejects.toThrow();
  expect((await startRun(shopDomain, "catalogue", "live")).id).toBe(first.id);
  await startRun(shopDomain, "catalogue", "schedule");
  await syncCatalogue({ shop: shopDomain, runId: first.id }, { signal: never });
  const [next] = await listRuns(shopDomain, "catalogue", 1);
  expect(next).toMatchObject({ reason: "live", state: "queued" });
  await syncCatalogue({ shop: shopDomain, runId: next?.id ?? "" }, { signal: never });
  expect((await listRuns(shopDomain, "catalogue", 1)).map(({ id }) => id)).toEqual([next?.id]);
});

it("a switch that is requested during a run is completed after that run was stopped, whatever else was to follow it", async () => {
  await connectProduction();
  const first = await startRun(shopDomain, "catalogue", "merchant");
  const release = insurance.faults.hold("offers.list");
  const work = syncCatalogue({ shop: shopDomain, runId: first.id }, { signal: never });
  await eventually(() => insurance.faults.list.length === 0, "the run requests offers");
  await switchAccount(shopDomain, "production", staff("1"));
  await startRun(shopDomain, "catalogue", "live");
  await cancelRun(shopDomain, first.id, staff("1"));
  release();
  await work;
  expect(await findRun(shopDomain, first.id)).toMatchObject({ state: "cancelled" });
  const [next] = await listRuns(shopDomain, "catalogue", 1);
  expect(next).toMatchObject({ reason: "connection", state: "queued" });
  await syncCatalogue({ shop: shopDomain, runId: next?.id ?? "" }, { signal: never });
  expect(await readAccounts(shopDomain)).toMatchObject({ inUse: "production", next: null });
});

it("what is saved while a run is being stopped is applied by another one, and what was saved before is not", async () => {
  const { id } = await startRun(shopDomain, "products", "merchant");
  await expect(
    categoriseProducts({ shop: shopDomain, runId: id }, { signal: AbortSignal.abort() }),
  ).rejects.toThrow();
  const saveAgain = async () => saveRules(shopDomain, await listRules(shopDomain), staff("1"));
  expect(await saveAgain()).toBe(id);
  await cancelRun(shopDomain, id, staff("1"));
  await categoriseProducts({ shop: shopDomain, runId: id }, { signal: never });
  expect(await listRuns(shopDomain, "products", 1)).toMatchObject([{ id, state: "cancelled" }]);

  const stopped = await startRun(shopDomain, "products", "merchant");
  await cancelRun(shopDomain, stopped.id, staff("1"));
  expect(await saveAgain()).toBe(stopped.id);
  await categoriseProducts({ shop: shopDomain, runId: stopped.id }, { signal: never });
  expect(await findRun(shopDomain, stopped.id)).toMatchObject({ state: "cancelled" });
  const [next] = await listRuns(shopDomain, "products", 1);
  expect(next).toMatchObject({ reason: "rules", state: "queued" });
  await categoriseProducts({ shop: shopDomain, runId: next?.id ?? "" }, { signal: never });
  expect(await findRun(shopDomain, next?.id ?? "")).toMatchObject({ state: "done" });
});

it("rules are not saved where the run that applies them cannot be started", async () => {
  const before = await listRules(shopDomain);
  const restore = await refuseRunStarts();
  await expect(saveRules(shopDomain, [], staff("1"))).rejects.toThrow("no run today");
  await expect(switchAccount(shopDomain, "test", staff("1"))).rejects.toThrow("no run today");
  await restore();
  expect(before.length).toBeGreaterThan(0);
  expect(await listRules(shopDomain)).toEqual(before);
  expect(await readAccounts(shopDomain)).toMatchObject({ inUse: "production", next: null });
});

it("a run is not over where the one that is to follow it cannot be started", async () => {
  const { id } = await startRun(shopDomain, "catalogue", "merchant");
  await db.syncRun.update({ where: { shop: shopDomain, id }, data: { followUpReason: "live" } });
  const restore = await refuseRunStarts();
  const deliver = () => syncCatalogue({ shop: shopDomain, runId: id }, { signal: never });
  await expect(deliver()).rejects.toThrow("no run today");
  await restore();
  expect(await findRun(shopDomain, id)).toMatchObject({ state: "running", active: true });
  await deliver();
  const [next] = await listRuns(shopDomain, "catalogue", 1);
  expect(next).toMatchObject({ reason: "live", state: "queued" });
  await syncCatalogue({ shop: shopDomain, runId: next?.id ?? "" }, { signal: never });
});

it("a run that has not begun waits for the change that it is to read", async () => {
  const { id } = await startRun(shopDomain, "products", "merchant");
  const change = async (transaction: Transaction) => {
    expect((await startRun(shopDomain, "products", "rules", { transaction })).id).toBe(id);
    const begun = categoriseProducts({ shop: shopDomain, runId: id }, { signal: never });
    await eventually(async () => expect(await countWaiting()).toBe(1));
    return { work: begun };
  };
  const { work } = await db.$transaction(change, { timeout: 180_000 });
  await work;
  expect(await findRun(shopDomain, id)).toMatchObject({ state: "done", followUpReason: null });
});

/** The database refuses runs until `restore`, as if the process had exited between the two writes. */
async function refuseRunStarts() {
  await db.$executeRawUnsafe(`CREATE FUNCTION refuse_run() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no run today'; END $$`);
  await db.$executeRaw`CREATE TRIGGER refuse_run BEFORE INSERT ON "SyncRun" EXECUTE FUNCTION refuse_run()`;
  return () => db.$executeRaw`DROP FUNCTION refuse_run CASCADE`;
}

it("a run whose last attempt is cut off is over, so that another one can start", async () => {
  const { id } = await startRun(shopDomain, "catalogue", "merchant");
  const context = { signal: AbortSignal.abort(), isTimeSliceUsed: () => false };
  const attempt = () => jobHandlers["catalogue-sync"]({ shop: shopDomain, runId: id }, context);
  for (let retries = 0; retries < jobs["catalogue-sync"].retryLimit; retries++)
    await expect(attempt()).rejects.toThrow();
  expect(await findRun(shopDomain, id)).toMatchObject({ state: "running", error: "waiting" });
  await expect(attempt()).rejects.toThrow();
  expect(await findRun(shopDomain, id)).toMatchObject({ state: "failed", error: "gave_up", active: null });
  expect((await startRun(shopDomain, "catalogue", "merchant")).id).not.toBe(id);
});
