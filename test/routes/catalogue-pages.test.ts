/** The pages of Catalogue: the references beside the shop's variants, the sync and the settings. */
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { toPriceGrids } from "#app/catalogue/references/price-grid.ts";
import type { ListedReference } from "#app/catalogue/references/reference-list.ts";
import { syncCatalogue } from "#app/catalogue/sync/sync.server.ts";
import { loader, action } from "#app/routes/app.catalogue._index/route.tsx";
import { loader as listLoader } from "#app/routes/app.catalogue.list/route.tsx";
import { invalid, success } from "#app/ui/action-result.ts";
import {
  action as settingsAction,
  loader as settingsLoader,
} from "#app/routes/app.catalogue.settings/route.tsx";
import { service, sync, variantOf } from "#test/catalogue/world.ts";
import { connectShop, installApp } from "#test/install.ts";
import { adminRequest, otherShop, shop } from "#test/world.ts";
import { ask, responseOf, valueOf } from "./ask.ts";

const path = "/app/catalogue";
const never = new AbortController().signal;

const page = (search = "", domain = shop.shopDomain) => ask(loader, path + search, { domain });
const list = (search = "", domain = shop.shopDomain) => ask(listLoader, `${path}/list${search}`, { domain });
const send = (form: Record<string, string>, domain = shop.shopDomain) => ask(action, path, { form, domain });

beforeAll(async () => {
  await installApp();
  await installApp(otherShop.shopDomain);
});

test("a shop that is not connected sees that, and has no references", async () => {
  const { connected, run, grid } = await page();
  const { items } = (await list()).page;
  expect({ connected, run, grid, items }).toEqual({ connected: false, run: null, grid: null, items: [] });
});

async function startSync(): Promise<{ run: string }> {
  const started = valueOf(await send({ intent: "sync" }));
  if (!("run" in started)) throw new Error("not started");
  return started;
}

describe("the sync", () => {
  beforeAll(() => connectShop());

  test("starts with one click, is shown while it runs, and sells what it found", async () => {
    const started = await startSync();
    expect((await page()).run).toMatchObject({ id: started.run, state: "queued", active: true, percent: 0 });
    await syncCatalogue({ shop: shop.shopDomain, runId: started.run }, { signal: never });
    const { run, counts, connected } = await page();
    expect(run).toMatchObject({ id: started.run, state: "done", active: false, percent: 100 });
    const { references } = await service.catalogue();
    expect({ connected, onSale: counts.on_sale }).toEqual({ connected: true, onSale: references.length });
  });

  test("a second click while a sync is running starts no other", async () => {
    const [first, second] = [await startSync(), await startSync()];
    expect(second).toEqual(first);
    expect(await send({ intent: "cancel", run: first.run })).toEqual(success({ stopping: true }));
    expect((await page()).run).toMatchObject({ active: true, stopping: true });
    await syncCatalogue({ shop: shop.shopDomain, runId: first.run }, { signal: never });
    expect((await page()).run).toMatchObject({ state: "cancelled", active: false });
  });

  test("cannot be stopped by another shop", async () => {
    const started = await startSync();
    expect(await send({ intent: "cancel", run: started.run }, otherShop.shopDomain)).toEqual(
      success({ stopping: false }),
    );
    await syncCatalogue({ shop: shop.shopDomain, runId: started.run }, { signal: never });
    expect((await page()).run).toMatchObject({ state: "done" });
  });

  test("an action that the page does not have gets 400", async () => {
    expect((await responseOf(send({ intent: "explode" }))).status).toBe(400);
  });
});

describe("the references", () => {
  test("each is beside the variant that sells it, at its price", async () => {
    const { items } = (await list()).page;
    expect(items.length).toBeGreaterThan(0);
    for (const { referenceId, priceMinor, variant } of items) {
      const sold = variantOf(referenceId);
      expect(variant).toEqual({
        variantId: sold.variant.id,
        productId: sold.product.id,
        priceMinor: sold.variant.price,
      });
      expect(sold.variant.price).toBe(priceMinor);
    }
  });

  const priceOf = ({ priceMinor }: ListedReference) => priceMinor;
  const termOf = ({ termMonths }: ListedReference) => termMonths;
  test.each([
    ["category", "", null],
    ["the lowest premium", "lowest", priceOf],
    ["the highest premium", "highest", (row: ListedReference) => -priceOf(row)],
    ["the shortest term", "shortest", termOf],
    ["the longest term", "longest", (row: ListedReference) => -termOf(row)],
    ["state", "state", (row: ListedReference) => ["withheld", "on_sale"].indexOf(row.state)],
  ])("pages forward and back show every reference once, sorted by %s", async (_name, sort, rank) => {
    const seen: ListedReference[] = [];
    const firsts: string[] = [];
    let search = `?sort=${sort}`;
    let last: string | null = null;
    for (let more = true; more;) {
      const { page: found } = await list(search);
      firsts.push(found.items[0]?.referenceId ?? "");
      seen.push(...found.items);
      last = found.previous;
      more = found.next !== null;
      search = `?sort=${sort}&after=${encodeURIComponent(found.next ?? "")}`;
    }
    const { references } = await service.catalogue();
    expect(seen.map(({ referenceId }) => referenceId).sort()).toEqual(
      references.map(({ reference_id }) => reference_id).sort(),
    );
    expect(firsts.length).toBeGreaterThan(1);
    const back = await list(`?sort=${sort}&before=${encodeURIComponent(last ?? "")}`);
    expect(back.page.items[0]?.referenceId).toBe(firsts.at(-2));
    if (rank === null) return;
    const ranks = seen.map(rank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });

  test("what is held back comes first where the list is sorted by state", async () => {
    const [first] = (await list("?sort=lowest")).page.items;
    if (!first) throw new Error("no reference");
    const where = { shop: shop.shopDomain, referenceId: first.referenceId };
    await db.reference.updateMany({ where, data: { problem: "price_changed" } });
    expect((await list("?sort=state")).page.items[0]).toMatchObject({
      referenceId: first.referenceId,
      state: "withheld",
    });
    await db.reference.updateMany({ where, data: { problem: null } });
  });

  test("a phone gets fewer rows of the same list, and the page knows how many rows there are", async () => {
    const request = await adminRequest(`${path}/list`);
    request.headers.set("user-agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148");
    const phone = await listLoader({ request, params: {}, context: {} });
    const desktop = await list();
    expect([phone.page.items.length, desktop.page.items.length]).toEqual([15, 50]);
    const { references } = await service.catalogue();
    expect(desktop.total).toBe(references.length);
    // A search would need a count of its own.
    expect((await list("?query=x")).total).toBeUndefined();
  });

  test("filters match category, term, band, state and words; an unreadable filter or cursor is ignored", async () => {
    const [first] = (await service.catalogue()).references;
    if (!first) throw new Error("no reference");
    const { reference_id: id, category_id: category, term, price_band_min: min, price_band_max: max } = first;
    const search = new URLSearchParams({
      category,
      term: String(term),
      band: `${min}-${max}`,
      state: "on_sale",
    });
    expect((await list(`?${search}`)).page.items.map(({ referenceId }) => referenceId)).toEqual([id]);
    expect((await list(`?query=${id.toLowerCase()}`)).page.items[0]?.referenceId).toBe(id);
    expect((await list("?state=vanished")).page.items).toEqual([]);
    expect((await list("?query=%25")).page.items).toEqual([]);
    const all = (await list()).page.items;
    expect((await list("?state=odd&term=many&band=wide&after=%7B")).page.items).toEqual(all);
  });

  test("another shop sees none of them", async () => {
    const { page: found, categories } = await list("", otherShop.shopDomain);
    const { counts, grid, run } = await page("", otherShop.shopDomain);
    expect({ items: found.items, categories, onSale: counts.on_sale, grid, run }).toEqual({
      items: [],
      categories: [],
      onSale: 0,
      grid: null,
      run: null,
    });
  });

  test("one with a problem is shown as held back, with the reason, and in the last run's problems", async () => {
    const [first] = (await service.catalogue()).references;
    if (!first) throw new Error("no reference");
    await service.putReference(first.reference_id, { currency_code: "USD" });
    const { id } = await sync();
    expect((await list("?state=withheld")).page.items).toMatchObject([
      { referenceId: first.reference_id, problem: "currency", problemDetail: "USD" },
    ]);
    const { run, problems } = await page();
    expect(run).toMatchObject({ id, state: "done" });
    expect(problems).toMatchObject({
      items: [{ referenceId: first.reference_id, problem: "currency" }],
      hasMore: false,
    });
    expect((await page("", otherShop.shopDomain)).problems.items).toEqual([]);
    await service.putReference(first.reference_id, { currency_code: "EUR" });
    await sync();
    expect((await page()).problems.items).toEqual([]);
    expect(await db.syncProblem.count({ where: { shop: shop.shopDomain, runId: id } })).toBe(0);
  });
});

describe("the prices", () => {
  const smartphones = async () =>
    (await service.catalogue()).references.filter(({ category_id }) => category_id.startsWith("Smartphone"));
  const gridOf = async (category: string) => {
    const { shown, grid } = await page(`?category=${encodeURIComponent(category)}`);
    expect(shown?.categoryId).toBe(category);
    return grid?.references ?? [];
  };

  test("of a category are all in its grid, each once, by band and term", async () => {
    const offered = await smartphones();
    const category = offered[0]?.category_id ?? "";
    const ofCategory = offered.filter(({ category_id }) => category_id === category);
    const grids = toPriceGrids(await gridOf(category));
    const prices = grids.flatMap(({ terms, bands }) =>
      bands.flatMap(({ minMinor, cells }) =>
        cells.flatMap((references, index) =>
          references.map(({ priceMinor }) => ({ min: minMinor, term: terms[index], price: priceMinor })),
        ),
      ),
    );
    const expected = ofCategory.map(({ price_band_min: min, term, price }) => ({ min, term, price }));
    expect(prices).toHaveLength(expected.length);
    expect(prices).toEqual(expect.arrayContaining(expected));
  });

  test("of single products, and retired ones, are counted instead, and are in the list", async () => {
    const [first, second] = await smartphones();
    if (!first || !second || first.category_id !== second.category_id) throw new Error("no references");
    const category = first.category_id;
    const where = { shop: shop.shopDomain };
    const before = (await gridOf(category)).length;
    const change = (referenceId: string, data: { productReferenceIds?: string[]; state?: string }) =>
      db.reference.updateMany({ where: { ...where, referenceId }, data });
    await change(first.reference_id, { productReferenceIds: ["1"] });
    await change(second.reference_id, { state: "vanished" });
    expect(await gridOf(category)).toHaveLength(before - 2);
    expect((await page(`?category=${encodeURIComponent(category)}`)).shown).toMatchObject({
      forProducts: 1,
      counts: { vanished: 1 },
    });
    expect((await list(`?query=${first.reference_id}`)).page.items[0]?.forProducts).toBe(1);
    await change(first.reference_id, { productReferenceIds: [] });
    await change(second.reference_id, { state: "offered" });
  });

  test("of a category that does not exist are those of the first", async () => {
    const { shown, categories } = await page("?category=Nothing");
    expect(shown).toEqual(categories[0]);
  });
});

describe("the settings", () => {
  const settings = (domain?: string) => ask(settingsLoader, `${path}/settings`, { domain });
  const save = (json: unknown) => ask(settingsAction, `${path}/settings`, { json });

  test("are kept, per shop; nonsense is refused and changes nothing", async () => {
    const wanted = { taxable: true, refreshHours: 168, language: "fr", channels: ["1"] };
    const before = (await settings(otherShop.shopDomain)).settings;
    expect(await save(wanted)).toEqual(success());
    expect(await save({ ...wanted, refreshHours: 3 })).toEqual(invalid({ refreshHours: "malformed" }));
    expect((await settings()).settings).toEqual(wanted);
    expect((await settings(otherShop.shopDomain)).settings).toEqual(before);
    await save({ ...wanted, taxable: false });
  });
});
