/** Checks of orders on the page History, and past orders: started, stopped, shown with what they found. */
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { loader as open } from "#app/routes/app.history/route.tsx";
import { action as start } from "#app/routes/app.history_.check.tsx";
import { refused, success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { setUpSellingShop } from "#test/plans/selling-shop.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { ask, responseOf } from "./ask.ts";

const selling = setUpSellingShop();
beforeAll(() => connectShop(otherShop.shopDomain, insurance.stores.at(-1)));

const domain = shop.shopDomain;
const page = (of = domain) => ask(open, "/app/history", { domain: of });

describe("runs over the shop's orders", () => {
  const list = async (of = domain) => (await page(of)).checks;
  const begin = (form: Record<string, string>, of = domain) =>
    ask(start, "/app/history/check", { form, domain: of });
  const today = async () => (await page()).today;

  test("are started for days of the shop, and show how far they are and what they found", async () => {
    const start = await today();
    shop.webhooks.behaviour.dropShare = 1;
    selling.buyInsured();
    shop.webhooks.behaviour.dropShare = 0;
    expect(await begin({ intent: "start", kind: "manual", start, end: await today() })).toEqual(
      success("started"),
    );
    const run = await eventually(async () => {
      const [found] = await list();
      if (found?.state !== "done") throw new Error("It is not done");
      return found;
    });
    expect(run).toMatchObject({ kind: "manual", total: 1, counts: { orders: 1, missed: 1 }, error: null });
    expect(run.finishedAt).not.toBeNull();
  });

  test("are refused for days that are none, are to come, end before they start, or are too long ago", async () => {
    const day = await today();
    const problems = async (form: Record<string, string>) => {
      const answer = await begin({ intent: "start", kind: "manual", start: day, end: day, ...form });
      return answer.state === "invalid" ? answer.problems : answer.state;
    };
    expect(await problems({ start: "yesterday" })).toEqual({ start: "missing" });
    expect(await problems({ end: "2999-01-01" })).toEqual({ end: "future" });
    expect(await problems({ start: day, end: "2026-01-01" })).toEqual({ end: "order" });
    expect(await problems({ start: "2019-01-01" })).toEqual({ start: "too_long" });
    expect((await responseOf(problems({ kind: "hourly" }))).status).toBe(400);
  });

  test("run one of a kind at a time, and can be stopped by their own shop", async () => {
    const row = {
      shop: domain,
      kind: "backfill",
      state: "running",
      from: new Date("2026-01-01"),
      until: new Date(),
    };
    const { id } = await db.reconciliationRun.create({ data: row });
    const day = await today();
    expect(await begin({ intent: "start", kind: "backfill", start: day, end: day })).toEqual(
      refused("running"),
    );
    expect(await begin({ intent: "stop", id }, otherShop.shopDomain)).toEqual(refused("over"));
    expect((await list()).find((run) => run.id === id)?.state).toBe("running");
    expect(await begin({ intent: "stop", id })).toEqual(success("stopped"));
    expect(await begin({ intent: "stop", id })).toEqual(refused("over"));
    expect(await list(otherShop.shopDomain)).toEqual([]);
  });

  test("every hour are listed only where they found something", async () => {
    const hourly = (counts: object) => ({
      shop: otherShop.shopDomain,
      kind: "hourly",
      state: "done",
      counts,
      from: new Date(0),
      until: new Date(),
      finishedAt: new Date(),
    });
    await db.reconciliationRun.createMany({
      data: [hourly({ orders: 9 }), hourly({ orders: 9, missed: 2 })],
    });
    expect(await list(otherShop.shopDomain)).toMatchObject([{ kind: "hourly", counts: { missed: 2 } }]);
    expect((await page(otherShop.shopDomain)).checkedAt).not.toBeNull();
  });
});
