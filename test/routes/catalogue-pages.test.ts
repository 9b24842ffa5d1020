/** The pages of Catalogue: the references beside the shop's variants, the sync, its history, import and settings. */
import { beforeAll, describe, expect, test } from "vitest";
import { saveImportedReferences, saveReferences } from "#app/catalogue/references/references.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import type { ListedReference } from "#app/catalogue/references/reference-list.ts";
import { findRun } from "#app/catalogue/runs/runs.server.ts";
import { syncCatalogue } from "#app/catalogue/sync/sync.server.ts";
import { loader, action } from "#app/routes/app.catalogue._index/route.tsx";
import { action as importAction, loader as importLoader } from "#app/routes/app.catalogue.import/route.tsx";
import { action as runAction, loader as runLoader } from "#app/routes/app.catalogue.runs.$runId/route.tsx";
import { loader as runsLoader } from "#app/routes/app.catalogue.runs._index/route.tsx";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import {
  action as settingsAction,
  loader as settingsLoader,
} from "#app/routes/app.catalogue.settings/route.tsx";
import { offerReferenceOfFile, referenceOfFile, service, sync, variantOf } from "#test/catalogue/world.ts";
import { reference } from "#test/catalogue/samples.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop, installApp } from "#test/install.ts";
import { adminRequest, insurance, otherShop, shop } from "#test/world.ts";
import { ask, responseOf, valueOf } from "./ask.ts";

const path = "/app/catalogue";
const never = new AbortController().signal;

const page = (search = "", domain = shop.shopDomain) => ask(loader, path + search, { domain });
const send = (form: Record<string, string>, domain = shop.shopDomain) => ask(action, path, { form, domain });

/** A file as the import's form sends it. */
async function upload(intent: "preview" | "import", text: string, environment = "test") {
  const body = new FormData();
  body.set("intent", intent);
  body.set("environment", environment);
  body.set("file", new File([text], "references.csv", { type: "text/csv" }));
  const plain = await adminRequest(`${path}/import`);
  return importAction({ request: new Request(plain, { method: "POST", body }), params: {}, context: {} });
}

beforeAll(async () => {
  await installApp();
  await installApp(otherShop.shopDomain);
});

test("a shop that is not connected sees that, and has no references", async () => {
  const { connected, run, page: list } = await page();
  expect({ connected, run, references: list.items }).toEqual({ connected: false, run: null, references: [] });
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
    const { items } = (await page()).page;
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
      const { page: list } = await page(search);
      firsts.push(list.items[0]?.referenceId ?? "");
      seen.push(...list.items);
      last = list.previous;
      more = list.next !== null;
      search = `?sort=${sort}&after=${encodeURIComponent(list.next ?? "")}`;
    }
    const { references } = await service.catalogue();
    expect(seen.map(({ referenceId }) => referenceId).sort()).toEqual(
      references.map(({ reference_id }) => reference_id).sort(),
    );
    expect(firsts.length).toBeGreaterThan(1);
    const back = await page(`?sort=${sort}&before=${encodeURIComponent(last ?? "")}`);
    expect(back.page.items[0]?.referenceId).toBe(firsts.at(-2));
    if (rank === null) return;
    const ranks = seen.map(rank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });

  test("what is held back comes first where the list is sorted by state", async () => {
    const [first] = (await page("?sort=lowest")).page.items;
    if (!first) throw new Error("no reference");
    const where = { shop: shop.shopDomain, referenceId: first.referenceId };
    await db.reference.updateMany({ where, data: { problem: "price_changed" } });
    expect((await page("?sort=state")).page.items[0]).toMatchObject({
      referenceId: first.referenceId,
      state: "withheld",
    });
    await db.reference.updateMany({ where, data: { problem: null } });
  });

  test("a phone gets fewer rows of the same list, and the page knows how many rows there are", async () => {
    const request = await adminRequest(path);
    request.headers.set("user-agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148");
    const phone = await loader({ request, params: {}, context: {} });
    const desktop = await page();
    expect([phone.page.items.length, desktop.page.items.length]).toEqual([15, 50]);
    const { references } = await service.catalogue();
    expect(desktop.total).toBe(references.length);
    // A search would have to count by itself.
    expect((await page("?query=x")).total).toBeUndefined();
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
    expect((await page(`?${search}`)).page.items.map(({ referenceId }) => referenceId)).toEqual([id]);
    expect((await page(`?query=${id.toLowerCase()}`)).page.items[0]?.referenceId).toBe(id);
    expect((await page("?state=vanished")).page.items).toEqual([]);
    expect((await page("?query=%25")).page.items).toEqual([]);
    const all = (await page()).page.items;
    expect((await page("?state=odd&term=many&band=wide&after=%7B")).page.items).toEqual(all);
  });

  test("another shop sees none of them", async () => {
    const { page: list, counts, choices, run } = await page("", otherShop.shopDomain);
    expect({ items: list.items, onSale: counts.on_sale, categories: choices.categories, run }).toEqual({
      items: [],
      onSale: 0,
      categories: [],
      run: null,
    });
  });

  test("one with a problem is shown as held back, with the reason, and in the run's problems", async () => {
    const [first] = (await service.catalogue()).references;
    if (!first) throw new Error("no reference");
    await service.putReference(first.reference_id, { currency_code: "USD" });
    const { id } = await sync();
    expect((await page("?state=withheld")).page.items).toMatchObject([
      { referenceId: first.reference_id, problem: "currency", problemDetail: "USD" },
    ]);
    const { problems } = await ask(runLoader, `${path}/runs/${id}`, { params: { runId: id } });
    expect(problems.items).toMatchObject([{ referenceId: first.reference_id, problem: "currency" }]);
    await service.putReference(first.reference_id, { currency_code: "EUR" });
  });
});

describe("the history", () => {
  test("has the latest run first, and a run can be done again", async () => {
    const { id } = await sync();
    const { items } = await ask(runsLoader, `${path}/runs`);
    expect(items[0]).toMatchObject({ id, state: "done", reason: "merchant" });
    const answer = await ask(runAction, `${path}/runs/${id}`, {
      params: { runId: id },
      form: { intent: "retry" },
    });
    if (!(answer instanceof Response)) throw new Error("no redirect");
    const next = answer.headers.get("location")?.split("/").at(-1) ?? "";
    expect(await findRun(shop.shopDomain, next)).toMatchObject({ reason: "retry", kind: "catalogue" });
    await syncCatalogue({ shop: shop.shopDomain, runId: next }, { signal: never });
  });

  test("another shop gets 404 for a run, and cannot do it again", async () => {
    const { id } = await sync();
    const as = { params: { runId: id }, domain: otherShop.shopDomain };
    expect((await responseOf(ask(runLoader, `${path}/runs/${id}`, as))).status).toBe(404);
    const again = ask(runAction, `${path}/runs/${id}`, { ...as, form: { intent: "retry" } });
    expect((await responseOf(again)).status).toBe(404);
    expect((await ask(runsLoader, `${path}/runs`, { domain: otherShop.shopDomain })).items).toEqual([]);
  });
});

describe("the import", () => {
  const header =
    "reference_id,category_id,title,term_length,price,currency_code,price_band_min,price_band_max,billing,contract_id";
  const good = "FILE-1,Smartphone casse et vol,Neuf,12 mois,1990,EUR,300000,399999,annually,C1";
  const bad = "FILE-2,Smartphone casse et vol,Neuf,12 mois,a lot,EUR,300000,399999,annually,C1";
  const dear = "FILE-3,Smartphone casse et vol,Neuf,24 mois,1990,USD,300000,399999,annually,C1";

  test("first says what it would do, line by line, and keeps nothing", async () => {
    const answer = await upload("preview", [header, good, bad, dear].join("\n"));
    expect(answer).toMatchObject({
      state: "success",
      value: {
        preview: {
          added: 2,
          changed: 0,
          errors: 1,
          firstErrors: [{ line: 3, field: "price", problem: "malformed" }],
          withheld: 1,
          firstWithheld: [{ referenceId: "FILE-3", problem: "currency", detail: "USD" }],
        },
      },
    });
    expect((await page("?query=FILE-")).page.items).toEqual([]);
  });

  /** Imports the lines, and lets the sync end that follows. */
  async function importLines(...lines: string[]): Promise<number> {
    const done = valueOf(await upload("import", [header, ...lines].join("\n")));
    if (!("imported" in done)) throw new Error("not imported");
    await syncCatalogue({ shop: shop.shopDomain, runId: done.runId }, { signal: never });
    return done.imported;
  }

  test("once confirmed, keeps the readable lines, and sells none that the service does not offer", async () => {
    expect(await importLines(good, bad)).toBe(1);
    expect((await page("?query=FILE-")).page.items).toMatchObject([
      { referenceId: "FILE-1", isImported: true, state: "withheld", problem: "not_confirmed" },
    ]);
    expect(() => variantOf("FILE-1")).toThrow("no variant");
  });

  test("sells what the service offers, at the service's price, and keeps its mark", async () => {
    await offerReferenceOfFile("FILE-4");
    const { price, price_band_min: min, price_band_max: max } = referenceOfFile("FILE-4");
    await importLines(`FILE-4,Smartphone casse et vol,Neuf,12 mois,1990,EUR,${min},${max},annually,C1`);
    expect((await page("?query=FILE-4")).page.items).toMatchObject([
      { isImported: true, state: "on_sale", priceMinor: price, variant: { priceMinor: price } },
    ]);
  });

  test("says which references the service offers otherwise, and leaves the service's own in its place", async () => {
    const { references } = await service.catalogue();
    const own = references.find(
      ({ category_id: id, term }) => id === "Smartphone casse et vol" && term === 12,
    );
    if (!own) throw new Error("no reference");
    const { reference_id: id, price, price_band_min: min, price_band_max: max, billing } = own;
    const rest = `Smartphone casse et vol,Neuf,12 mois,1,EUR,${min},${max},${billing},C1`;
    const lines = [`${id},${rest}`, `FILE-5,${rest}`];
    const previewed = valueOf(await upload("preview", [header, ...lines].join("\n")));
    expect(previewed).toMatchObject({
      preview: {
        added: 1,
        changed: 0,
        withheld: 2,
        firstWithheld: [
          { referenceId: id, problem: "service_differs" },
          { referenceId: "FILE-5", problem: "overlap", detail: id },
        ],
      },
    });
    // Of the two the service's own is not.
    expect(await importLines(...lines)).toBe(1);
    expect((await page(`?query=${id}`)).page.items).toMatchObject([
      { referenceId: id, isImported: false, state: "on_sale", priceMinor: price },
    ]);
    expect((await page("?query=FILE-5")).page.items).toMatchObject([{ state: "withheld" }]);
    expect(variantOf(id).variant).toMatchObject({ price, tracked: false });
  });

  test("is retired one by one and as a whole, with an entry in the audit log; the service's own stays", async () => {
    const retire = (form: Record<string, string>, domain?: string) =>
      send({ intent: "retire", environment: "test", ...form }, domain);
    const imported = async () => (await ask(importLoader, `${path}/import`)).imported;
    expect(await imported()).toBe(3);
    // The page of a shop that has switched meanwhile showed the other account's.
    expect(await retire({ environment: "production" })).toEqual(refused("account_changed"));
    expect(await upload("import", header, "production")).toEqual(refused("account_changed"));
    expect(await imported()).toBe(3);
    expect(await retire({}, otherShop.shopDomain)).toEqual(success({ retired: 0 }));
    expect(await retire({ reference: "FILE-1" })).toEqual(success({ retired: 1 }));
    expect((await page("?query=FILE-1")).page.items).toMatchObject([
      { state: "vanished", isImported: false },
    ]);
    expect(await retire({ reference: "FILE-1" })).toEqual(success({ retired: 0 }));
    expect(await retire({})).toEqual(success({ retired: 2 }));
    await sync();
    expect(await imported()).toBe(0);
    expect(
      (await page("?query=FILE-")).page.items.map(({ referenceId, state }) => [referenceId, state]),
    ).toEqual([
      ["FILE-5", "vanished"],
      ["FILE-1", "vanished"],
      ["FILE-4", "on_sale"],
    ]);
    const entries = await db.auditEntry.findMany({
      where: { shop: shop.shopDomain, action: "references_retired" },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ after }) => after)).toEqual([
      { references: 1, reference: "FILE-1" },
      { references: 2 },
    ]);
  });

  test("leaves what the service has confirmed, whichever of the two is written first", async () => {
    const domain = shop.shopDomain;
    await connectShop(domain);
    const where = { shop: domain, referenceId: "RACE" };
    const own = reference({ referenceId: "RACE", priceMinor: 1_000 });
    const file = { ...own, priceMinor: 2_000 };
    const row = { shop: domain, environment: "test" };
    const ofFile = { ...file, ...row, source: "file", importedAt: new Date() };
    const ofService = { ...own, ...row, source: "service" };
    const importIt = () => saveImportedReferences(domain, "test", [file]);
    const store = { environment: "test" as const, storeId: insurance.store_id };
    const confirmIt = () => saveReferences(domain, store, own.categoryId, [own], false);
    /** The second one has read what there was before the first one's writing is to be seen. */
    const race = async (
      first: (transaction: Transaction) => Promise<unknown>,
      second: () => Promise<unknown>,
    ) => {
      const { result } = await db.$transaction(
        async (transaction) => {
          await first(transaction);
          const result = second();
          await eventually(async () => {
            const waiting = await transaction.$queryRaw<unknown[]>`
              SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
            expect(waiting).toHaveLength(1);
          });
          return { result };
        },
        { timeout: 180_000 },
      );
      await result;
      const found = await db.reference.findMany({ where });
      expect(found).toMatchObject([{ priceMinor: 1_000, source: "service", state: "offered" }]);
    };
    await race((transaction) => transaction.reference.create({ data: ofService }), importIt);
    await db.reference.updateMany({ where, data: { ...file, source: "file" } });
    await race((transaction) => transaction.reference.updateMany({ where, data: ofService }), importIt);
    await db.reference.deleteMany({ where });
    await race((transaction) => transaction.reference.create({ data: ofFile }), confirmIt);
    await db.reference.deleteMany({ where });
  });

  test("an empty file is refused", async () => {
    expect(await upload("preview", "")).toEqual(invalid({ file: "empty" }));
  });
});

describe("the settings", () => {
  const settings = (domain?: string) => ask(settingsLoader, `${path}/settings`, { domain });
  const save = (json: unknown) => ask(settingsAction, `${path}/settings`, { json });

  test("are kept, per shop; nonsense is refused and changes nothing", async () => {
    const wanted = { taxable: true, refreshHours: 168, language: "fr" };
    const before = (await settings(otherShop.shopDomain)).settings;
    expect(await save(wanted)).toEqual(success());
    expect(await save({ ...wanted, refreshHours: 3 })).toEqual(invalid({ refreshHours: "malformed" }));
    expect((await settings()).settings).toEqual(wanted);
    expect((await settings(otherShop.shopDomain)).settings).toEqual(before);
    await save({ ...wanted, taxable: false });
  });
});
