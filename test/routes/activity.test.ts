/** The page Activity: everything on record, searched, filtered and paged. */
import { beforeAll, expect, test } from "vitest";
import { staff } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db } from "#app/platform/db.server.ts";
import { loader } from "#app/routes/app.activity/route.tsx";
import { installApp } from "#test/install.ts";
import { writeHistory } from "#test/shop-history.ts";
import { otherShop, shop } from "#test/world.ts";
import { ask } from "./ask.ts";

const ORDERS = 200;
const page = async (search = "", domain?: string) =>
  (await ask(loader, `/app/activity${search}`, { domain })).page;

beforeAll(async () => {
  await installApp();
  await installApp(otherShop.shopDomain);
  await writeHistory(db, { shop: shop.shopDomain, orders: ORDERS, references: 30, organisation: null });
});

test("lists what every part did, latest first", async () => {
  const { items } = await page();
  expect(items).toHaveLength(50);
  const times = items.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(new Set(items.map(({ source }) => source))).toEqual(new Set(["app", "plan", "event", "catalogue"]));
});

test("pages forward through all of it and back, each entry once", async () => {
  const seen: string[] = [];
  let here = await page("?source=plan");
  const pages = [here];
  for (;;) {
    seen.push(...here.items.map(({ id }) => id));
    if (here.next === null) break;
    here = await page(`?source=plan&after=${encodeURIComponent(here.next)}`);
    pages.push(here);
  }
  expect(new Set(seen).size).toBe(seen.length);
  // Four orders in ten are insured, each with three steps.
  expect(seen).toHaveLength(ORDERS * 0.4 * 3);
  for (const expected of pages.toReversed().slice(1)) {
    here = await page(`?source=plan&before=${encodeURIComponent(here.previous ?? "")}`);
    expect(here.items.map(({ id }) => id)).toEqual(expected.items.map(({ id }) => id));
  }
  expect(here.previous).toBeNull();
});

test("finds an order's entries by its number", async () => {
  const { items } = await page("?query=5000000021");
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(JSON.stringify(item)).toContain("5000000021");
});

test("finds nothing for words that no entry contains, whatever characters they have", async () => {
  for (const query of ["no such thing", "%_'\"\\", "x".repeat(200)]) {
    const { items } = await page(`?query=${encodeURIComponent(query)}&source=app`);
    expect(items, query.slice(0, 20)).toEqual([]);
  }
});

test.each(["?source=everything", "?after=nonsense", "?before=nonsense", "?source=event&after=2026|event|"])(
  "an address that was tampered with shows a page, and not an error: %s",
  async (search) => {
    expect((await page(search)).items.length).toBeGreaterThan(0);
  },
);

test("another shop has its own", async () => {
  expect((await page("", otherShop.shopDomain)).items).toEqual([]);
  await recordAudit({ shop: otherShop.shopDomain, actor: staff("1"), action: "settings_saved" });
  const { items } = await page("", otherShop.shopDomain);
  expect(items).toMatchObject([{ source: "app", action: "settings_saved", actorId: "1" }]);
  const cursor = (await page()).next ?? "";
  expect(
    (await page(`?after=${encodeURIComponent(cursor)}`, otherShop.shopDomain)).items.length,
  ).toBeLessThanOrEqual(1);
});
