/** The catalogue run, from the insurer to the storefront's metafields, over real HTTP. */
import { staff } from "#app/audit/actor.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  cancelRun,
  handleShopCurrency,
  listRuns,
  listUnsoldPlaces,
  startRun,
} from "#app/catalogue/runs/runs.server.ts";
import { startDueRuns } from "#app/catalogue/runs/due-runs.server.ts";
import { loader as historyLoader } from "#app/routes/app.history/route.tsx";
import { readCatalogueSettings, saveCatalogueSettings } from "#app/catalogue/settings.server.ts";
import { syncCatalogue } from "#app/catalogue/sync/sync.server.ts";
import { categoriseProducts } from "#app/catalogue/product-categories/categorise-products.server.ts";
import { db } from "#app/platform/db.server.ts";
import { InsuranceError } from "#app/insurance/errors.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { PLAN_TAG } from "#app/catalogue/sync/plan-products.ts";
import { publishCheckout, updateStorefrontSettings } from "#app/offers/checkout/publish-checkout.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { switchAccount } from "#app/catalogue/connect-store.server.ts";
import { env } from "#app/platform/env.server.ts";
import { activeEnvironment } from "#app/merchants/environment.server.ts";
import { refreshMerchant } from "#app/merchants/lifecycle.server.ts";
import { ask } from "#test/routes/ask.ts";
import { eventually } from "#test/eventually.ts";
import { connectProduction, connectShop, installApp } from "#test/install.ts";
import { onShopEvent } from "#test/sandbox/shop/events.ts";
import { gid, nextId } from "#test/sandbox/shop/ids.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { putProduct, removeProduct } from "#test/sandbox/shop/products.ts";
import type { Product, Publication, Variant } from "#test/sandbox/shop/state.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import {
  applyRules,
  channelsOf,
  compactCatalogues,
  findReference,
  findRun,
  footprint,
  listRunProblems,
  onSale,
  planProducts,
  service,
  sync,
  variantOf,
} from "#test/catalogue/world.ts";
import { readCatalogue, readSettings } from "../../../extensions/checkout-offer/src/data.ts";

const { shopDomain } = shop;
const bare = {
  marketing_data: {
    buttons: { link_text: "", headline: "" },
    modal: {
      headline: "",
      coverage_bullets_heading: "",
      bullet_points: [],
      link_text: "",
      buy_text: "",
      decline_text: "",
      legal_text: "",
      image: "",
      merchant_logo: "",
      marketing_page_url: "",
    },
    cart: { simple_offer_button_text: "" },
  },
  legal_documents: { ipid_url: "", cg_url: "" },
};

/** The shop sells exactly the insurer's references at its prices, and the storefront reads the same. */
async function expectShopEqualsInsurer(): Promise<void> {
  const { references } = await service.catalogue();
  const offered = references.filter((each) => each.product_reference_ids === null);
  const { products, compact } = onSale();
  expect(products.map((each) => each.split(" ").slice(0, -1).join(" "))).toEqual(
    offered.map(({ reference_id: id, price }) => `${id} ${price}`).sort(),
  );
  expect(compact).toEqual(products);
}

beforeAll(async () => {
  await connectShop();
  // The first sync sets the language; saving the settings earlier would keep the default.
  await sync();
});

beforeEach(async () => {
  await service.reset();
  await sync();
});

describe("a catalogue run", () => {
  it("sells every reference: unlisted, published, untaxed, nothing to ship, nothing to count", async () => {
    await expectShopEqualsInsurer();
    for (const product of planProducts()) {
      expect(product.status).toBe("UNLISTED");
      expect(channelsOf(product)).toEqual(["online_store"]);
      expect(product.images).toHaveLength(1);
      // Finance & Insurance of Shopify's taxonomy.
      expect(product.category).toBe("gid://shopify/TaxonomyCategory/se-7-2");
      for (const variant of product.variants) {
        expect(variant).toMatchObject({ taxable: false, requiresShipping: false, tracked: false });
      }
    }
    expect(planProducts().map(({ options }) => options.map(({ name }) => name))).toEqual(
      planProducts().map(() => ["Durée"]),
    );
    // The plan in carts, orders and e-mails: plain words, and a picture.
    const names = new Set(planProducts().flatMap(({ variants }) => variants.map(({ title }) => title)));
    expect([...names].toSorted()).toEqual(["12 mois", "24 mois", "36 mois"]);
    const pictures = planProducts().map(({ images }) => images[0]?.url);
    expect(new Set(pictures)).toEqual(new Set([`${env.SHOPIFY_APP_URL}/insurance.png`]));
  });

  it("takes an insurance product off a channel that it was put on later", async () => {
    const [product] = planProducts();
    for (const { id } of shop.state.publications.values()) product?.publishedOn.add(id);
    const run = await sync();
    expect(run.counts).toMatchObject({ channels_left: 2 });
    expect(run.counts["products_written"] ?? 0).toBe(0);
    expect(planProducts().map((each) => channelsOf(each))).toEqual(
      planProducts().map(() => ["online_store"]),
    );
  });

  describe("where shoppers see offers", () => {
    const { publications } = shop.state;
    /** The handles or names of a plan product's publications. */
    const namesOf = ({ publishedOn }: Product) =>
      [...publishedOn].map((id) => publications.get(id)?.name ?? id).toSorted();
    const online = [...publications.values()].find(({ appHandle }) => appHandle === "online_store")?.name;
    const publishedOn = () => [...new Set(planProducts().map((each) => namesOf(each).join(", ")))];
    const added: string[] = [];
    function addPublication(values: Partial<Publication> & { name: string }): Publication {
      const id = nextId(shop.state, "publication");
      const publication = { id, appHandle: "", autoPublish: false, ...values };
      publications.set(id, publication);
      added.push(id);
      return publication;
    }
    afterEach(() => {
      for (const id of added.splice(0)) {
        publications.delete(id);
        for (const product of shop.state.products.values()) product.publishedOn.delete(id);
      }
    });

    it("sells plans to a headless storefront's cart, and leaves them on its channel", async () => {
      const token = "headless-token";
      const headless = addPublication({ name: "Headless", appHandle: "headless", storefrontToken: token });
      const plan = planProducts()[0]?.variants[0]?.id ?? "";
      const fill = async () => {
        const response = await fetch(`${shop.origin}/api/2026-07/graphql.json`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-shopify-storefront-access-token": token },
          body: JSON.stringify({
            query: `mutation ($lines: [CartLineInput!]!) {
              cartCreate(input: { lines: $lines }) { cart { totalQuantity } userErrors { message } } }`,
            variables: { lines: [{ merchandiseId: gid("ProductVariant", plan) }] },
          }),
        });
        return (await response.json()) as unknown;
      };
      const refused = { cart: null, userErrors: [{ message: "Cannot find variant" }] };
      expect(await fill()).toEqual({ data: { cartCreate: refused } });
      expect((await sync()).counts["channels_joined"]).toBe(planProducts().length);
      expect(await fill()).toEqual({ data: { cartCreate: { cart: { totalQuantity: 1 }, userErrors: [] } } });
      const run = await sync();
      expect(run.counts).not.toHaveProperty("channels_joined");
      expect(run.counts).not.toHaveProperty("channels_left");
      expect(publishedOn()).toEqual([[headless.name, online].toSorted().join(", ")]);
    });

    it("publishes plans on a channel that the merchant chose, until they choose otherwise", async () => {
      const app = addPublication({ name: "Application mobile", appHandle: "app-builder" });
      const settings = await readCatalogueSettings(shop.shopDomain);
      await saveCatalogueSettings(shop.shopDomain, { ...settings, channels: [app.id] }, staff("1"));
      await sync();
      expect(publishedOn()).toEqual([[app.name, online].toSorted().join(", ")]);
      await saveCatalogueSettings(shop.shopDomain, settings, staff("1"));
      await sync();
      expect(publishedOn()).toEqual([online]);
    });

    it("publishes plans in the catalogues of markets and companies that restrict products", async () => {
      const market = { type: "MARKET" as const, marketIds: ["7"] };
      addPublication({ name: "Belgique", catalogue: market });
      addPublication({ name: "Entreprises", catalogue: { type: "COMPANY_LOCATION" } });
      expect((await sync()).counts["channels_joined"]).toBe(planProducts().length * 2);
      expect(publishedOn()).toEqual([["Belgique", "Entreprises", online].toSorted().join(", ")]);
      expect((await sync()).counts).not.toHaveProperty("channels_joined");
      for (const { closed } of compactCatalogues().values()) expect(closed).toBeUndefined();
    });

    it("offers nothing where Shopify refuses the plans, and Display names the place and the reason", async () => {
      addPublication({ name: "Suisse", catalogue: { type: "MARKET", marketIds: ["9", "8"] }, refuses: true });
      addPublication({ name: "Belgique", catalogue: { type: "MARKET", marketIds: ["7"] } });
      const companies = addPublication({ name: "Entreprises", catalogue: { type: "COMPANY_LOCATION" } });
      companies.refuses = true;
      const run = await sync();
      expect(run.state).toBe("done");
      expect(publishedOn()).toEqual([["Belgique", online].toSorted().join(", ")]);
      for (const { closed } of compactCatalogues().values())
        expect(closed).toEqual({ markets: ["8", "9"], companies: true });
      const places = ["Entreprises", "Suisse"].map(
        (name) => `${name}: Publication does not exist or is not publishable`,
      );
      expect(await listUnsoldPlaces(shop.shopDomain)).toEqual(places);
      for (const publication of publications.values()) publication.refuses = false;
      await sync();
      expect(await listUnsoldPlaces(shop.shopDomain)).toEqual([]);
      for (const { closed } of compactCatalogues().values()) expect(closed).toBeUndefined();
    });
  });

  it("finds the online store that the shop removed and added again", async () => {
    const { publications } = shop.state;
    const store = [...publications.values()].find(({ appHandle }) => appHandle === "online_store");
    if (!store) throw new Error("The shop has no online store");
    publications.delete(store.id);
    for (const product of planProducts()) product.publishedOn.delete(store.id);
    const id = nextId(shop.state, "publication");
    publications.set(id, { ...store, id });
    expect(await sync()).toMatchObject({ state: "done" });
    expect(planProducts().map((each) => channelsOf(each))).toEqual(
      planProducts().map(() => ["online_store"]),
    );
  });

  it("writes bands, terms, prices and variants for the storefront, with texts and legal links", async () => {
    const { references } = await service.catalogue();
    for (const [category, { bands, texts, cg, ipid, currency, live }] of compactCatalogues()) {
      const own = references.filter((each) => each.category_id === category);
      expect(
        bands.flatMap(({ min, max, offers }) =>
          offers.map(({ term, price, reference }) => [reference, min, max, term, price]),
        ),
      ).toEqual(
        expect.arrayContaining(
          own.map((each) => [
            each.reference_id,
            each.price_band_min,
            each.price_band_max,
            each.term,
            each.price,
          ]),
        ),
      );
      expect({ currency, live }).toEqual({ currency: "EUR", live: false });
      expect(texts.bullets.length).toBeGreaterThan(0);
      expect([cg, ipid].every((link) => link.startsWith("http"))).toBe(true);
    }
  });

  it("writes each plan's price band and price onto its variant, again only where one has changed", async () => {
    const written = (key: string) =>
      new Map(
        planProducts()
          .flatMap(({ variants }) => variants)
          .map(({ id, sku }) => [
            sku,
            findMetafield(shop.state, gid("ProductVariant", id), "$app", key)?.value,
          ]),
      );
    const bands = () => written("band");
    const { references } = await service.catalogue();
    for (const each of references.filter(({ product_reference_ids: products }) => products === null)) {
      const { reference_id: id, price_band_min: min, price_band_max: max } = each;
      const band = JSON.stringify([min, max, "EUR", [categoryKey(each.category_id)]]);
      expect([id, bands().get(id)]).toEqual([id, band]);
      expect([id, written("price").get(id)]).toEqual([id, String(each.price)]);
    }
    const operations = shop.api.bulk.all().length;
    await service.putReference("SMA-CV-24-03", { price_band_max: 49_998 });
    await sync();
    expect(bands().get("SMA-CV-24-03")).toMatch(/,49998,"EUR",/);
    // One request reads the shop; a single band costs less without a bulk operation.
    expect(
      shop.api.bulk
        .all()
        .slice(operations)
        .map(({ type }) => type),
    ).toEqual(["QUERY"]);
    await service.putReference("SMA-CV-24-03", { price: 4_141 });
    await sync();
    expect(written("price").get("SMA-CV-24-03")).toBe("4141");
  });

  it("sends the insurer at most 1.2 requests per price band", async () => {
    insurance.traffic.clear();
    await sync();
    const { references } = await service.catalogue();
    const bands = new Set(references.map((each) => `${each.category_id} ${each.price_band_min}`)).size;
    expect(service.offerCalls()).toBeGreaterThanOrEqual(bands);
    expect(service.offerCalls()).toBeLessThanOrEqual(1.2 * bands);
  });

  it("writes nothing where nothing changed", async () => {
    const before = footprint();
    const polls = vi.spyOn(shop.api.bulk, "find");
    const run = await sync();
    // The number of polls depends on the machine.
    const repeated = polls.mock.calls.length - 1;
    polls.mockRestore();
    expect(footprint()).toEqual(before);
    expect(run.counts["products_written"] ?? 0).toBe(0);
    expect(run.adminCalls - repeated).toBeLessThanOrEqual(7);
  });

  it("writes one product where one price changed, and its catalogue with the next version", async () => {
    const before = new Map(planProducts().map(({ id, updatedAt }) => [id, updatedAt]));
    const versions = new Map([...compactCatalogues()].map(([category, { v }]) => [category, v]));
    await service.putReference("SMA-CV-24-03", { price: 4_242 });
    const run = await sync();
    const changed = planProducts().filter(({ id, updatedAt }) => before.get(id) !== updatedAt);
    expect(changed.map(({ variants }) => variants.some(({ sku }) => sku === "SMA-CV-24-03"))).toEqual([true]);
    expect(run.counts).toMatchObject({ products_written: 1, variants_updated: 1, catalogues_written: 1 });
    // The insurer's own price is not counted as a corrected edit of the merchant.
    expect(run.counts["products_restored"] ?? 0).toBe(0);
    const bumped = [...compactCatalogues()].filter(([category, { v }]) => v !== versions.get(category));
    expect(bumped.map(([category]) => category)).toEqual(["Smartphone casse et vol"]);
    expect(Math.max(...versions.values())).toBeLessThan(bumped[0]?.[1].v ?? 0);
    await expectShopEqualsInsurer();
  });

  it("retires a vanished reference from sale, keeps its variant for carts and orders, and takes it back", async () => {
    const { variant } = variantOf("PHO-CVO-12-02");
    await service.deleteReference("PHO-CVO-12-02");
    const run = await sync();
    expect(run.counts).toMatchObject({ references_vanished: 1, variants_retired: 1 });
    expect(variantOf("PHO-CVO-12-02").variant).toMatchObject({
      id: variant.id,
      tracked: true,
      inventoryPolicy: "DENY",
      inventoryQuantity: 0,
    });
    await expectShopEqualsInsurer();
    expect(await findReference(shopDomain, "PHO-CVO-12-02")).toMatchObject({ state: "vanished" });
    await service.reset();
    await sync();
    expect(variantOf("PHO-CVO-12-02").variant).toMatchObject({ id: variant.id, tracked: false });
    await expectShopEqualsInsurer();
  });

  it("retires a category that the insurer no longer lists", async () => {
    await service.deleteCategory("Photo casse, vol et oxydation");
    await sync();
    expect(onSale().products.some((each) => each.startsWith("PHO"))).toBe(false);
    expect(compactCatalogues().get("Photo casse, vol et oxydation")?.bands).toEqual([]);
    expect(planProducts().flatMap(({ variants }) => variants)).toHaveLength(90);
  });

  it("reports what cannot be sold, reference by reference, and sells the rest", async () => {
    await service.putReference("SMA-CV-12-01", { price: 0 });
    await service.putReference("SMA-CV-12-02", { currency_code: "USD" });
    await service.putReference("INF-CP-12-03", { price_band_max: 35_000 });
    const run = await sync();
    const problems = await listRunProblems(shopDomain, run.id);
    expect(problems.map(({ referenceId, problem }) => `${referenceId ?? ""} ${problem}`).sort()).toEqual([
      "INF-CP-12-04 overlap",
      "SMA-CV-12-01 price_zero",
      "SMA-CV-12-02 currency",
    ]);
    expect(run.state).toBe("done");
    expect(onSale().products).toHaveLength(87);
    expect(await findReference(shopDomain, "SMA-CV-12-02")).toMatchObject({ problem: "currency" });
  });

  it("reports an empty category and continues", async () => {
    await service.putCategory("Vélo vol", { id: "Vélo vol", ...bare });
    const run = await sync();
    const problems = await listRunProblems(shopDomain, run.id);
    expect(problems).toMatchObject([{ categoryId: "Vélo vol", problem: "empty_category" }]);
    await expectShopEqualsInsurer();
  });

  it("finds the same references where the insurer answers 404 in place of no offers", async () => {
    const control = `${insurance.control_url}/stores/${insurance.store_id}`;
    await fetch(control, { method: "PATCH", body: JSON.stringify({ empty_is_404: true }) });
    const run = await sync();
    expect(await listRunProblems(shopDomain, run.id)).toEqual([]);
    await expectShopEqualsInsurer();
  });

  it("keeps the references that it did not find among offers of which one cannot be read, and reports that", async () => {
    insurance.faults.add({
      operation: "offers.list",
      kind: "json",
      answer: { offers: [{ reference_id: 1 }] },
      times: 1,
    });
    await service.putReference("SMA-CV-24-03", { price: 4_343 });
    const run = await sync();
    const problems = await listRunProblems(shopDomain, run.id);
    expect(problems.map(({ problem }) => problem)).toEqual(["rows_not_read"]);
    expect(onSale().products).toHaveLength(90);
  });
});

describe("changed prices", () => {
  const change = (prices: Record<string, number>) =>
    Promise.all(Object.entries(prices).map(([id, price]) => service.putReference(id, { price })));

  it("cost what the changed variants cost, not what their products do", async () => {
    const ids = new Map(planProducts().flatMap(({ variants }) => variants.map(({ sku, id }) => [sku, id])));
    await change({ "SMA-CV-24-03": 4_343 });
    const one = await sync();
    expect(one.counts).toMatchObject({ products_written: 1, variants_updated: 1, catalogues_written: 1 });
    // The shop is read in bulk (10, and polls), publications, 10.2 for the variant, 10 for the compact catalogue.
    expect(one.points).toBeLessThan(60);
    await expectShopEqualsInsurer();
    expect(
      new Map(planProducts().flatMap(({ variants }) => variants.map(({ sku, id }) => [sku, id]))),
    ).toEqual(ids);
  });

  it("are written in one bulk operation where they are in many products", async () => {
    const operations = shop.api.bulk.all().length;
    await change({
      "SMA-CV-24-03": 4_001,
      "INF-CP-12-03": 4_002,
      "PHO-CVO-12-02": 4_003,
      "PHO-CVO-12-03": 4_004,
    });
    const run = await sync();
    expect(run.counts).toMatchObject({ products_written: 4, variants_updated: 4 });
    expect(
      shop.api.bulk
        .all()
        .slice(operations)
        .map(({ type }) => type),
    ).toEqual(["QUERY", "MUTATION"]);
    await expectShopEqualsInsurer();
  });

  it("are written product by product where the bulk operation refuses one of them", async () => {
    const { product } = variantOf("INF-CP-12-03");
    await change({ "SMA-CV-24-03": 5_001, "INF-CP-12-03": 5_002, "PHO-CVO-12-02": 5_003 });
    const release = shop.api.bulk.hold("QUERY");
    const running = sync();
    // Read, and deleted before the first write.
    await eventually(() =>
      shop.api.bulk.all().some(({ status, objects }) => status === "RUNNING" && objects > 0),
    );
    product.variants = product.variants.filter(({ sku }) => sku !== "INF-CP-12-03");
    release();
    const run = await running;
    expect(await listRunProblems(shopDomain, run.id)).toMatchObject([
      { referenceId: "INF-CP-12-03", problem: "not_written" },
    ]);
    expect(run.counts).toMatchObject({ variants_updated: 2 });
    await sync();
    await expectShopEqualsInsurer();
  });

  it("are the latest, though a sync died while Shopify wrote others", async () => {
    const of = (wanted: string) => shop.api.bulk.all().filter(({ type }) => type === wanted).length;
    /** A sync that is killed after Shopify's write has started; the merchant then stops it. */
    const dies = async (price: number, during?: (id: string) => Promise<void>) => {
      await change({ "SMA-CV-24-03": price, "INF-CP-12-03": price + 1, "PHO-CVO-12-02": price + 2 });
      const { id } = await startRun(shopDomain, "catalogue", "merchant");
      const mutations = of("MUTATION");
      const death = new AbortController();
      const died = syncCatalogue({ shop: shopDomain, runId: id }, { signal: death.signal });
      await during?.(id);
      await eventually(() => of("MUTATION") > mutations);
      death.abort();
      await expect(died).rejects.toThrow();
      await cancelRun(shopDomain, id, staff("1"));
      await syncCatalogue({ shop: shopDomain, runId: id }, { signal: new AbortController().signal });
    };
    const release = shop.api.bulk.hold("MUTATION");
    await dies(6_001);
    let releaseNext = release;
    await dies(7_001, async (id) => {
      const queries = of("QUERY");
      await eventually(async () => (await findRun(shopDomain, id))?.phase === "read");
      const { calls } = shop.api.usage;
      await eventually(() => shop.api.usage.calls >= calls + 2);
      // The killed sync's operation still writes: the next sync reads the shop after it has ended.
      expect(of("QUERY")).toBe(queries);
      release();
      releaseNext = shop.api.bulk.hold("MUTATION");
    });
    // Shopify aborts this operation: the shop has the first one's data.
    for (const operation of shop.api.bulk.all())
      if (operation.status === "RUNNING") operation.status = "CANCELED";
    releaseNext();
    expect(variantOf("SMA-CV-24-03").variant.price).toBe(6_001);
    await change({ "SMA-CV-24-03": 8_001 });
    expect((await sync()).state).toBe("done");
    await expectShopEqualsInsurer();
    // A price that returns to its old value after such a crash.
    await dies(9_001);
    await eventually(() => variantOf("SMA-CV-24-03").variant.price === 9_001);
    await change({ "SMA-CV-24-03": 8_001 });
    await sync();
    await change({ "SMA-CV-24-03": 9_101 });
    expect((await sync()).state).toBe("done");
    await expectShopEqualsInsurer();
  });
});

describe("a shop over the limit of variants, with a daily limit of new ones", () => {
  it("gets what it may, reports the rest, and gets that on the following days by itself", async () => {
    const throttle = shop.api.variantThrottle;
    for (const product of planProducts()) removeProduct(shop.state, product);
    Object.assign(throttle, { from: 100, perDay: 40 });
    await service.putReference("SMA-CV-12-01", { price: 0 });
    const first = await sync();
    expect(first).toMatchObject({ state: "done", counts: { variants_waiting: 50, problems: 1 } });
    expect(onSale().products).toHaveLength(39);
    expect(onSale().compact).toEqual(onSale().products);
    const waiting = await findReference(shopDomain, "SMA-CV-12-02");
    expect(waiting).toMatchObject({ problem: "variant_limit" });
    // Even without a refresh by the merchant.
    const settings = await readCatalogueSettings(shopDomain);
    await saveCatalogueSettings(shopDomain, { ...settings, refreshHours: 0 }, staff("1"));
    const latest = async () => (await listRuns(shopDomain, "catalogue", 1))[0]?.id ?? "";
    await startDueRuns(new Date(Date.now() + 20 * 3_600_000));
    expect(await latest()).toBe(first.id);
    throttle.nextDay();
    await startDueRuns(new Date(Date.now() + 24 * 3_600_000));
    const second = await latest();
    expect(second).not.toBe(first.id);
    await syncCatalogue({ shop: shopDomain, runId: second }, { signal: new AbortController().signal });
    expect(onSale().products.length).toBeGreaterThan(39);
    throttle.nextDay();
    await service.reset();
    expect((await sync()).counts["variants_waiting"]).toBe(0);
    await saveCatalogueSettings(shopDomain, settings, staff("1"));
    Object.assign(throttle, { from: 50_000, perDay: 1_000 });
    await expectShopEqualsInsurer();
  });
});

describe("a merchant's change of a synced product", () => {
  it("is restored in price, SKU, status and publication, which History says; texts and pictures stay the merchant's", async () => {
    const { product, variant } = variantOf("SMA-CV-12-05");
    const { id, images } = product;
    const { price } = variant;
    Object.assign(product, {
      title: "Notre assurance",
      descriptionHtml: "<p>x</p>",
      status: "ACTIVE",
      images: [],
    });
    product.publishedOn.clear();
    Object.assign(variant, { price: 1_234, sku: "MINE" });
    const restored = await sync();
    expect(restored.counts).toMatchObject({ products_restored: 1, products_written: 1 });
    await expectShopEqualsInsurer();
    const now = variantOf("SMA-CV-12-05");
    expect(now.variant.id).toBe(variant.id);
    expect(now.product).toMatchObject({
      title: "Notre assurance",
      descriptionHtml: "<p>x</p>",
      images: [],
      status: "UNLISTED",
    });
    expect(channelsOf(now.product)).toEqual(["online_store"]);
    const { items } = (await ask(historyLoader, "/app/history?what=catalogue")).page;
    expect(items[0]).toMatchObject({
      source: "audit",
      action: "plan_product_restored",
      subject: id,
      before: {
        status: "ACTIVE",
        published: false,
        "SMA-CV-12-05.priceMinor": 1_234,
        "SMA-CV-12-05.sku": "MINE",
      },
      after: {
        status: "UNLISTED",
        published: true,
        "SMA-CV-12-05.priceMinor": price,
        "SMA-CV-12-05.sku": "SMA-CV-12-05",
      },
    });
    // Reported once, not at every run.
    expect((await sync()).counts["products_restored"] ?? 0).toBe(0);
    now.product.images = images;
  });

  it("is kept in names, options, tags, handle and own variants; a name that says another term is corrected", async () => {
    const { product, variant } = variantOf("PHO-CVO-12-05");
    const [option] = product.options;
    if (!option) throw new Error("The product has no option");
    const rename = (renamed: Variant, name: string) => {
      Object.assign(renamed, { title: name, optionValues: [name] });
      option.values = product.variants.map(({ title }) => title);
    };
    const own = { ...variant, id: nextId(shop.state, "variant"), sku: "MINE", price: 1, tracked: true };
    product.variants.push(own);
    putProduct(shop.state, product);
    rename(own, "À vie");
    rename(variant, "Un an");
    rename(variantOf("PHO-CVO-24-05").variant, "24 months");
    // The wrong term's name would be false information.
    rename(variantOf("PHO-CVO-36-05").variant, "12 months");
    Object.assign(option, { name: "Protection" });
    Object.assign(product, { handle: "mine", tags: ["sale"] });
    Object.assign(variantOf("INF-CP-12-05").variant, { requiresShipping: true });
    await sync();
    const now = variantOf("PHO-CVO-12-05").product;
    expect(now).toMatchObject({ id: product.id, handle: "mine", tags: ["sale", PLAN_TAG] });
    expect(now.options.map(({ name }) => name)).toEqual(["Protection"]);
    expect(now.variants.map(({ sku, title }) => `${sku ?? ""} ${title}`).sort()).toEqual([
      "MINE À vie",
      "PHO-CVO-12-05 Un an",
      "PHO-CVO-24-05 24 months",
      "PHO-CVO-36-05 36 mois",
    ]);
    expect(now.variants.find(({ sku }) => sku === "MINE")).toMatchObject({ price: 1, tracked: true });
    expect(variantOf("INF-CP-12-05").variant.requiresShipping).toBe(false);
    const before = footprint();
    await sync();
    expect(footprint()).toEqual(before);
    removeProduct(shop.state, now);
  });

  it("is undone where the product was deleted: a new one sells the references", async () => {
    const { product } = variantOf("INF-CP-12-01");
    removeProduct(shop.state, product);
    await sync();
    expect(variantOf("INF-CP-12-01").product.id).not.toBe(product.id);
    await expectShopEqualsInsurer();
  });

  it("is undone where a variant was deleted", async () => {
    const { product } = variantOf("INF-CP-12-02");
    product.variants = product.variants.filter(({ sku }) => sku !== "INF-CP-12-02");
    await sync();
    await expectShopEqualsInsurer();
  });
});

describe("three formulas of a category", () => {
  const category = "Smartphone";
  const formulas = ["Assurance Casse", "Assurance Casse et vol", "Assurance Intégrale"];

  it("are sold with all 90 references, as variants of a term and a formula", async () => {
    await service.reset("contracts");
    expect((await sync()).counts["problems"]).toBe(0);
    await expectShopEqualsInsurer();
    const sold = planProducts().filter(
      ({ status, options }) => status === "UNLISTED" && options.length === 2,
    );
    expect(sold.flatMap(({ variants }) => variants)).toHaveLength(90);
    for (const { options, variants } of sold) {
      expect(options.map(({ name }) => name)).toEqual(["Durée", "Formule"]);
      expect(variants.map(({ title }) => title).toSorted()).toEqual(
        [12, 24, 36].flatMap((term) => formulas.map((formula) => `${term} mois / ${formula}`)),
      );
    }
    for (const { offers } of compactCatalogues().get(category)?.bands ?? [])
      expect(offers.map(({ formula = "", term }) => `${formula} ${term}`)).toEqual(
        formulas.flatMap((formula) => [12, 24, 36].map((term) => `${formula} ${term}`)),
      );
  });

  it("appear in a category that had one, on the products that it has", async () => {
    const phones = "Smartphone casse et vol";
    const { references } = await service.catalogue();
    for (const { reference_id: id, ...fields } of references.filter((each) => each.category_id === phones))
      await service.putReference(`${id}-ALL`, {
        ...fields,
        currency_code: "EUR",
        contract_id: "ALL",
        title: `Assurance intégrale, ${fields.term} mois`,
        price: fields.price * 2,
      });
    await sync();
    await expectShopEqualsInsurer();
    const { product, variant } = variantOf("SMA-CV-24-03");
    expect(product.variants).toHaveLength(6);
    expect(variant.title).toBe("24 mois / Assurance Smartphone casse et vol");
    expect(variantOf("SMA-CV-24-03-ALL").variant.title).toBe("24 mois / Assurance intégrale");
    expect(await sync()).toMatchObject({ counts: {} });
  });

  it("leave the products of a category from which the insurer moves them to another", async () => {
    const id = "SMA-CV-24-01";
    const before = variantOf(id).product.id;
    await service.putReference(id, { category_id: "Informatique casse et panne" });
    await service.deleteReference("INF-CP-24-03");
    await sync();
    await expectShopEqualsInsurer();
    const left = planProducts().find((product) => product.id === before);
    expect(left?.variants.find(({ sku }) => sku === id)?.tracked).toBe(true);
    const offers = (category: string) =>
      (compactCatalogues().get(category)?.bands ?? []).flatMap(({ offers: found }) =>
        found.map(({ reference }) => reference),
      );
    expect(offers("Informatique casse et panne")).toContain(id);
    expect(offers("Smartphone casse et vol")).not.toContain(id);
    expect(await sync()).toMatchObject({ counts: {} });
    await service.putReference(id, { category_id: "Smartphone casse et vol" });
    await sync();
    await expectShopEqualsInsurer();
    expect(variantOf(id).variant.tracked).toBe(false);
  });

  it("are sold as three categories with all 90 references", async () => {
    await service.reset("categories");
    await sync();
    await expectShopEqualsInsurer();
    expect(onSale().products).toHaveLength(90);
  });
});

describe("an offer for single products", () => {
  it("is noticed: the category is only served live, and the storefront gets no bands", async () => {
    const category = "Smartphone casse et vol";
    const phones = [...shop.state.products.values()].filter(({ productType }) => /phone/i.test(productType));
    const ids = phones.flatMap(({ variants }) => variants.map(({ id }) => id));
    const { references } = await service.catalogue();
    for (const { reference_id: id, ...fields } of references.filter(
      (each) => each.category_id === category,
    )) {
      await service.putReference(`${id}-OWN`, {
        ...fields,
        currency_code: "EUR",
        title: "Own",
        contract_id: "C",
        price: 999,
        product_reference_ids: ids,
      });
    }
    await applyRules([
      {
        id: "phones",
        conditions: [{ field: "product_type", value: phones[0]?.productType ?? "" }],
        categoryId: category,
      },
    ]);
    await sync();
    await sync();
    expect(compactCatalogues().get(category)).toMatchObject({ live: true, bands: [] });
    expect(compactCatalogues().get("Informatique casse et panne")?.live).toBe(false);
    // Each run samples other products and all differing ones, so proving that none differs takes several runs.
    await service.reset();
    for (let runs = 0; runs < 5; runs++) await sync();
    expect(compactCatalogues().get(category)?.live).toBe(false);
    await expectShopEqualsInsurer();
  });
});

describe("a run", () => {
  it("stops when the merchant cancels it, and the next one finishes the work", async () => {
    await service.putReference("SMA-CV-24-03", { price: 5_555 });
    const { id } = await startRun(shopDomain, "catalogue", "merchant");
    expect(await cancelRun(shopDomain, id, staff("1"))).toBe(true);
    await syncCatalogue({ shop: shopDomain, runId: id }, { signal: new AbortController().signal });
    expect((await findRun(shopDomain, id))?.state).toBe("cancelled");
    expect(await cancelRun(shopDomain, id, staff("1"))).toBe(false);
    await sync();
    await expectShopEqualsInsurer();
  });

  it("is the same for every start while it is under way", async () => {
    const first = await startRun(shopDomain, "catalogue", "merchant");
    const second = await startRun(shopDomain, "catalogue", "schedule");
    expect(second.id).toBe(first.id);
    await syncCatalogue({ shop: shopDomain, runId: first.id }, { signal: new AbortController().signal });
  });

  it("waits where the insurer is down, and is done when it is back", async () => {
    await service.putReference("SMA-CV-24-03", { price: 6_666 });
    insurance.faults.add({ operation: "*", kind: "status", status: 503, times: null });
    const { id } = await startRun(shopDomain, "catalogue", "merchant");
    const attempt = () =>
      syncCatalogue({ shop: shopDomain, runId: id }, { signal: new AbortController().signal });
    await expect(attempt()).rejects.toBeInstanceOf(InsuranceError);
    expect(await findRun(shopDomain, id)).toMatchObject({ state: "running", error: "waiting" });
    insurance.faults.clear();
    await eventually(attempt);
    expect(await findRun(shopDomain, id)).toMatchObject({ state: "done", error: null });
    await expectShopEqualsInsurer();
  });

  it("continues if Shopify throttles every other call", async () => {
    await service.putReference("SMA-CV-24-03", { price: 8_888 });
    await service.deleteReference("PHO-CVO-12-02");
    shop.faults.add(...Array.from({ length: 100 }, () => ({ kind: "throttled" as const, skip: 1 })));
    const run = await sync();
    shop.faults.clear();
    expect(run).toMatchObject({ state: "done", error: null });
    await service.reset();
    await sync();
    await expectShopEqualsInsurer();
  });

  it("ends where Shopify refuses one catalogue, says which and why, and writes the others", async () => {
    await service.putReference("SMA-CV-24-03", { price: 7_171 });
    await service.putReference("INF-CP-24-03", { price: 7_272 });
    const message = "Owner has reached its limit of metafields";
    const answer = { data: { metafieldsSet: { userErrors: [{ field: ["metafields", "0"], message }] } } };
    // The group is refused, then the first of its two members.
    shop.faults.add({ operation: "ParasolSetAppData", kind: "json", answer, times: 2 });
    const run = await sync();
    expect(run).toMatchObject({ state: "failed", error: "platform_refused", attempts: 1 });
    const problems = await listRunProblems(shopDomain, run.id);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      problem: "not_written",
      detail: expect.stringContaining(message) as string,
    });
    const published = await db.publishedCatalogue.findMany({ where: { shop: shopDomain } });
    const newest = Math.max(...published.map(({ version }) => version));
    expect(published.filter(({ version }) => version === newest)).toHaveLength(1);
    expect(await sync()).toMatchObject({ state: "done" });
    await expectShopEqualsInsurer();
  });

  it("continues after Shopify failed and throttled it", async () => {
    await service.putReference("SMA-CV-24-03", { price: 7_777 });
    shop.faults.add({ operation: "admin", status: 502, times: 2 });
    shop.api.bucket.drainTo(-2_000);
    const run = await sync();
    expect(run.state).toBe("done");
    await expectShopEqualsInsurer();
  });

  it("writes the price for the checkout where a run was cut off after the price", async () => {
    const id = "SMA-CV-24-01";
    const { references } = await service.catalogue();
    const like = references.find(({ reference_id }) => reference_id === id);
    await service.putReference(id, { price: 5_151 });
    // A new term: the product's variants are written as a list, without what the checkout reads.
    const added = {
      currency_code: "EUR",
      contract_id: "C",
      title: "Assurance, 60 mois",
      term: 60,
      price: 9_900,
    };
    await service.putReference("SMA-CV-60-01", { ...like, ...added });
    let isToFail = true;
    onShopEvent(shop.state, (event) => {
      if (!isToFail || event.topic !== "products/update") return;
      if (event.product.id === variantOf(id).product.id)
        shop.faults.add({ operation: "admin", status: 403, times: 1_000 });
    });
    expect(await sync()).toMatchObject({ state: "failed" });
    isToFail = false;
    shop.faults.clear();
    const prices = () => {
      const { variant } = variantOf(id);
      const known = findMetafield(shop.state, gid("ProductVariant", variant.id), "$app", "price")?.value;
      return { ofVariant: variant.price, atCheckout: Number(known) };
    };
    expect(prices()).toMatchObject({ ofVariant: 5_151, atCheckout: like?.price });
    await sync();
    expect(prices()).toEqual({ ofVariant: 5_151, atCheckout: 5_151 });
    expect(await sync()).toMatchObject({ counts: {} });
    await service.reset();
    await sync();
  });

  it("fails with a reason where the insurer refuses the token", async () => {
    insurance.faults.add({ operation: "*", kind: "status", status: 401, times: null });
    const run = await sync();
    expect(run).toMatchObject({ state: "failed", error: "token_refused" });
    insurance.faults.clear();
  });

  it("fails with a reason where the shop is not connected", async () => {
    await installApp(otherShop.shopDomain);
    const run = await sync(otherShop.shopDomain);
    expect(run).toMatchObject({ state: "failed", error: "not_connected" });
    expect(planProducts(otherShop.state)).toEqual([]);
  });
});

describe("the offer at the checkout", () => {
  const save = (isOn: boolean) =>
    updateStorefrontSettings(
      shopDomain,
      storefrontSettings.parse({ touchpoints: { checkout: { on: isOn } } }),
      staff("1"),
      null,
    );
  const written = (owner: string) => findMetafield(shop.state, owner, "$app", "checkout");
  const settings = () => readSettings(written(gid("Shop", shop.state.id))?.value);
  /** The checkout's data of each plan product in the settings. */
  const offers = () =>
    Object.values(settings().plans).map((product) =>
      // The stand-in's documents have no https URL, without which the checkout offers nothing.
      readCatalogue(written(product)?.value.replaceAll('"http://', '"https://')),
    );

  it("is off until the merchant turns it on; then it is what the storefront offers, and follows it", async () => {
    await publishCheckout(shopDomain);
    // Its prices are in the shop all the same: the thank-you page names the lowest one of what may be insured later.
    expect(settings().on).toBe(false);
    expect(await save(true)).toBe("saved");
    const storefront = [...compactCatalogues().values()].filter(({ bands }) => bands.length > 0);
    expect(storefront.length).toBeGreaterThan(1);
    expect(settings()).toMatchObject({ on: true, quotes: false });
    expect(offers().map((each) => each?.bands)).toEqual(
      expect.arrayContaining(storefront.map(({ bands }) => bands)),
    );
    expect(offers()).toHaveLength(storefront.length);

    await service.putReference("SMA-CV-24-03", { price: 4_343 });
    await sync();
    await publishCheckout(shopDomain);
    const prices = offers().flatMap((each) => each?.bands.flatMap((band) => band.offers) ?? []);
    expect(prices.find(({ reference }) => reference === "SMA-CV-24-03")?.price).toBe(4_343);
    const before = footprint();
    await publishCheckout(shopDomain);
    expect(footprint()).toEqual(before);
  });

  it("is off at once, and stays as it was where the shop refuses it, until the job has been there", async () => {
    await save(true);
    expect(await save(false)).toBe("saved");
    expect(settings()).toMatchObject({ on: false, plans: {} });
    shop.faults.add({ operation: "admin", status: 403, times: 10 });
    expect(await save(true)).toBe("not_shown");
    shop.faults.clear();
    expect(settings().on).toBe(false);
    await publishCheckout(shopDomain);
    expect(settings().on).toBe(true);
    await save(false);
  });
});

describe("the schedule", () => {
  it("starts a run a day after the last one, and none earlier or where it is off", async () => {
    const { findMany } = await import("#app/catalogue/runs/runs.server.ts").then(({ listRuns }) => ({
      findMany: () => listRuns(shopDomain, "catalogue", 1),
    }));
    const [last] = await findMany();
    const after = (hours: number) => new Date((last?.createdAt.getTime() ?? 0) + hours * 3_600_000);
    await startDueRuns(after(23));
    expect((await findMany())[0]?.id).toBe(last?.id);
    const settings = await readCatalogueSettings(shopDomain);
    await saveCatalogueSettings(shopDomain, { ...settings, refreshHours: 0 }, staff("1"));
    await startDueRuns(after(100));
    expect((await findMany())[0]?.id).toBe(last?.id);
    await saveCatalogueSettings(shopDomain, settings, staff("1"));
    await startDueRuns(after(24));
    const [started] = await findMany();
    expect(started).toMatchObject({ reason: "schedule", state: "queued" });
    await syncCatalogue(
      { shop: shopDomain, runId: started?.id ?? "" },
      { signal: new AbortController().signal },
    );
  });

  it("reads the products a day after they were read, however often the merchant syncs", async () => {
    const read = await applyRules([]);
    const where = { shop: shopDomain, kind: "products" };
    await db.syncRun.updateMany({ where, data: { createdAt: new Date(Date.now() - 24 * 3_600_000) } });
    const synced = await sync();
    await startDueRuns();
    const [started] = await listRuns(shopDomain, "products", 1);
    expect(started?.id).not.toBe(read.id);
    expect(started).toMatchObject({ reason: "schedule", state: "queued" });
    expect((await listRuns(shopDomain, "catalogue", 1))[0]?.id).toBe(synced.id);
    await categoriseProducts(
      { shop: shopDomain, runId: started?.id ?? "" },
      { signal: new AbortController().signal },
    );
  });
});

describe("another currency of the shop", () => {
  it("starts a run that retires what no longer fits, and back again", async () => {
    const run = async (currency: string) => {
      shop.state.currency = currency;
      await refreshMerchant(shopDomain);
      await handleShopCurrency(shopDomain);
      return sync();
    };
    expect(await run("CHF")).toMatchObject({ reason: "currency" });
    expect(onSale()).toEqual({ products: [], compact: [] });
    await run("EUR");
    await expectShopEqualsInsurer();
  });
});

describe("the other environment", () => {
  it("sells its own products, and takes the test contracts off sale", async () => {
    const test = planProducts().map(({ id }) => id);
    await connectProduction();
    expect(await switchAccount(shopDomain, "production", staff("1"))).toEqual({ state: "switching" });
    expect(await activeEnvironment(shopDomain)).toBe("test");
    expect(await sync()).toMatchObject({ state: "done", environment: "production" });
    const ofTest = () => planProducts().filter(({ id }) => test.includes(id));
    expect(ofTest().map(({ status }) => status)).toEqual(test.map(() => "DRAFT"));
    await expectShopEqualsInsurer();
    // The merchant activates one again.
    for (const product of ofTest().slice(0, 1)) putProduct(shop.state, { ...product, status: "ACTIVE" });
    expect(await sync()).toMatchObject({ counts: { products_retired: 1 } });
    expect(ofTest().map(({ status }) => status)).toEqual(test.map(() => "DRAFT"));
    await switchAccount(shopDomain, "test", staff("1"));
    await sync();
    await expectShopEqualsInsurer();
    expect(
      onSale().products.every((each) => test.includes(variantOf(each.split(" ")[0] ?? "").product.id)),
    ).toBe(true);
  });
});
