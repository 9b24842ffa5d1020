/** The insurance of a product: rules over the shop's products, the theme's metafield, the webhooks. */
import { beforeAll, describe, expect, it } from "vitest";
import { action } from "#app/routes/webhooks.tsx";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { seal } from "#app/platform/crypto.server.ts";
import { processProductWebhooks } from "#app/webhooks/topics/products.server.ts";
import { categoriseProducts } from "#app/catalogue/product-categories/categorise-products.server.ts";
import { db } from "#app/platform/db.server.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import {
  findPricedVariants,
  listPricedVariants,
} from "#app/catalogue/product-categories/product-store.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { gid, nextId } from "#test/sandbox/shop/ids.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { putProduct, removeProduct } from "#test/sandbox/shop/products.ts";
import { manyProducts } from "#test/sandbox/shop/seed/many.ts";
import type { Product } from "#test/sandbox/shop/state.ts";
import { shop, webhookRequest } from "#test/world.ts";
import { applyRules, categoryOfProducts, planProducts, sync } from "#test/catalogue/world.ts";

const { shopDomain, state } = shop;
const never = new AbortController().signal;
const PHONES = "Smartphone casse et vol";
const COMPUTERS = "Informatique casse et panne";

const ownProducts = () =>
  [...state.products.values()].filter(({ tags }) => !tags.includes("parasol-insurance"));
const writtenOn = ({ id }: Product) =>
  findMetafield(state, gid("Product", id), "$app", "insurance_category")?.value ?? null;

/** The product types of the demo shop, the largest first. */
function typesByCount(): string[] {
  const counts = new Map<string, number>();
  for (const { productType } of ownProducts()) counts.set(productType, (counts.get(productType) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([type]) => type);
}

const rule = (id: string, categoryId: string | null, ...conditions: Rule["conditions"]): Rule => ({
  id,
  categoryId,
  conditions,
});

/** Shopify's webhook body for this product. */
function event(product: Product): string {
  return JSON.stringify({
    id: "#",
    title: product.title,
    handle: product.handle,
    status: product.status.toLowerCase(),
    product_type: product.productType,
    vendor: product.vendor,
    tags: product.tags.join(", "),
    has_variants_that_requires_components: product.requiresComponents === true,
    variants: product.variants.map(({ id, price }) => ({ id: Number(id), price: (price / 100).toFixed(2) })),
  }).replace('"#"', product.id);
}

/** Staff delete the product in the shop, and the webhook has no more than its id. */
async function deleteInShop(product: Product): Promise<void> {
  const { id } = product;
  removeProduct(state, product);
  const request = webhookRequest("products/delete", `{"id":${id}}`);
  expect((await action({ request, params: {}, context: {} })).status).toBe(200);
  await processProductWebhooks({ shop: shopDomain }, { signal: never, isTimeSliceUsed: () => false });
}

/** Shopify delivers the event, and the worker processes it with all other pending ones. */
async function webhook(body: string): Promise<void> {
  const request = webhookRequest("products/update", body);
  expect((await action({ request, params: {}, context: {} })).status).toBe(200);
  await processProductWebhooks({ shop: shopDomain }, { signal: never, isTimeSliceUsed: () => false });
}

beforeAll(async () => {
  await connectShop();
  await sync();
});

describe("category rules", () => {
  it("write each product's category where the theme reads it, and only what differs", async () => {
    const [first = "", second = ""] = typesByCount();
    const rules = [
      rule("one", PHONES, { field: "product_type", value: first }),
      rule("two", COMPUTERS, { field: "product_type", value: second }),
    ];
    const run = await applyRules(rules);
    for (const product of ownProducts()) {
      const expected = { [first]: PHONES, [second]: COMPUTERS }[product.productType];
      expect(writtenOn(product)).toBe(expected === undefined ? null : categoryKey(expected));
    }
    expect(run.counts["written"]).toBe(ownProducts().filter((product) => writtenOn(product) !== null).length);
    const again = await applyRules(rules);
    expect(again.counts["written"] ?? 0).toBe(0);
    expect(again.adminCalls).toBeLessThanOrEqual(5);
  });

  it("write no category on a bundle, in a run and for its webhook, until it is none any more", async () => {
    const [product] = ownProducts();
    if (!product) throw new Error("The shop has no product");
    const rules = [rule("one", PHONES, { field: "product", value: product.id })];
    await applyRules(rules);
    expect(writtenOn(product)).toBe(categoryKey(PHONES));
    product.requiresComponents = true;
    await webhook(event(product));
    expect(writtenOn(product)).toBeNull();
    await applyRules(rules);
    expect(writtenOn(product)).toBeNull();
    product.requiresComponents = false;
    await webhook(event(product));
    expect(writtenOn(product)).toBe(categoryKey(PHONES));
  });

  it("take the category away where a rule no longer matches", async () => {
    const [first = ""] = typesByCount();
    await applyRules([rule("one", PHONES, { field: "product_type", value: first })]);
    await applyRules([rule("one", null, { field: "product_type", value: first })]);
    expect(ownProducts().map(writtenOn)).toEqual(ownProducts().map(() => null));
  });

  it("know the products of a collection", async () => {
    const collection = [...state.collections.values()].find(({ productIds }) => productIds.length > 1);
    await applyRules([rule("c", PHONES, { field: "collection", value: collection?.id ?? "" })]);
    for (const product of ownProducts()) {
      expect(writtenOn(product) !== null).toBe(collection?.productIds.includes(product.id));
    }
  });

  it("never check plan products", async () => {
    await applyRules([rule("all", PHONES, { field: "price", minMinor: null, maxMinor: null })]);
    expect(planProducts().map(writtenOn)).toEqual(planProducts().map(() => null));
    const ids = planProducts().map(({ id }) => id);
    const recorded = { shop: shopDomain, productId: { in: ids } };
    expect(await db.syncedProduct.count({ where: recorded })).toBe(ids.length);
    expect(await categoryOfProducts(shopDomain, ids)).toEqual(new Map());
  });
});

describe("a product's webhook", () => {
  it("decides a new product's category at once, also where its id is larger than a double holds", async () => {
    const [seed] = ownProducts();
    if (!seed) throw new Error("no product");
    await applyRules([rule("nova", PHONES, { field: "tag", value: "brand-new" })]);
    const product: Product = {
      ...structuredClone(seed),
      id: "9007199254740993123",
      handle: "brand-new",
      tags: ["brand-new"],
      variants: seed.variants.map((variant) => ({ ...variant, id: nextId(state, "variant") })),
    };
    putProduct(state, product);
    await webhook(event(product));
    expect(writtenOn(product)).toBe(categoryKey(PHONES));
    expect(await categoryOfProducts(shopDomain, [product.id])).toEqual(new Map([[product.id, PHONES]]));

    product.tags = [];
    await webhook(event(product));
    expect(writtenOn(product)).toBeNull();
  });

  it("costs no call where nothing has changed, and follows a changed price", async () => {
    const [product] = ownProducts();
    const [variant] = product?.variants ?? [];
    if (!product || !variant) throw new Error("no product");
    const body = () =>
      event(product).replace(
        /"variants":.*$/,
        `"variants":[${product.variants.map(({ id, price }) => `{"id":${id},"price":"${(price / 100).toFixed(2)}"}`).join()}]}`,
      );
    await webhook(body());
    shop.faults.add({ operation: "admin", status: 500, times: 1 });
    await webhook(body());
    expect(shop.faults.list).toMatchObject([{ times: 1 }]);
    shop.faults.clear();
    variant.price = 123_456;
    await webhook(body());
    const prices = await listPricedVariants(shopDomain, "no such category");
    expect(prices.find(({ variantId }) => variantId === variant.id)?.priceMinor).toBe(123_456);
  });

  it("is processed with all others that wait, in a few calls however many there are", async () => {
    await applyRules([rule("in", PHONES, { field: "collection", value: "999999" })]);
    const some = ownProducts().slice(0, 40);
    const deliver = async (product: Product) => {
      const request = webhookRequest("products/update", event(product));
      await action({ request, params: {}, context: {} });
    };
    for (const product of some) product.title = `${product.title} (new)`;
    await Promise.all([...some, ...some, ...some].map(deliver));
    const before = shop.api.usage.calls;
    await processProductWebhooks({ shop: shopDomain }, { signal: never, isTimeSliceUsed: () => false });
    expect(shop.api.usage.calls - before).toBe(2);
    const titles = await db.shopProduct.findMany({
      where: { shop: shopDomain, title: { endsWith: "(new)" } },
    });
    expect(titles).toHaveLength(40);
    expect(await db.webhook.count({ where: { state: { not: "done" } } })).toBe(0);
  });

  it("waits where Shopify does not answer, and one retry is enough for all", async () => {
    const [product] = ownProducts();
    if (!product) throw new Error("no product");
    shop.faults.add({ operation: "admin", status: 500, times: 100 });
    product.title = "Renamed meanwhile";
    await expect(webhook(event(product))).rejects.toThrow("does not respond");
    expect(await db.webhook.count({ where: { state: { not: "done" } } })).toBe(1);
    shop.faults.clear();
    await processProductWebhooks({ shop: shopDomain }, { signal: never, isTimeSliceUsed: () => false });
    expect(await db.webhook.count({ where: { state: { not: "done" } } })).toBe(0);
  });

  it("does not wait for another that cannot be opened or unpacked", async () => {
    const [product] = ownProducts();
    if (!product) throw new Error("no product");
    const key = await dataKeyOf(shopDomain);
    const broken = {
      "0 unknown key": "gone.AAAA.AAAA.AAAA",
      "0 not packed": seal("neither deflate nor zstd", "webhook 0 not packed", [key]),
    };
    for (const [id, sealedBody] of Object.entries(broken))
      await db.webhook.create({
        data: { shop: shopDomain, id, topic: "products/update", webhookId: id, eventId: id, sealedBody },
      });
    product.title = "Renamed behind them";
    await webhook(event(product));
    expect(await db.shopProduct.count({ where: { shop: shopDomain, title: product.title } })).toBe(1);
    const events = await db.webhook.findMany({ where: { id: { in: Object.keys(broken) } } });
    expect(events.map(({ state, sealedBody }) => [state, sealedBody])).toEqual([
      ["done", ""],
      ["done", ""],
    ]);
    expect(events.map(({ error }) => error)).toContain(
      'Failed to decrypt: no key with the id "gone" is configured (ENCRYPTION_KEYS)',
    );
    expect(events.every(({ error }) => (error ?? "") !== "")).toBe(true);
  });

  it("is decided by rules that were saved while others before it were read", async () => {
    await applyRules([]);
    const tagged = ownProducts().slice(0, 30);
    for (const product of tagged) {
      product.tags.push("fragile");
      const request = webhookRequest("products/update", event(product));
      expect((await action({ request, params: {}, context: {} })).status).toBe(200);
    }
    // They are read 25 at a time.
    const goOn = shop.faults.hold("ParasolProducts", { skip: 1 });
    const processed = processProductWebhooks(
      { shop: shopDomain },
      { signal: never, isTimeSliceUsed: () => false },
    );
    await eventually(() => expect(shop.faults.list).toEqual([]));
    await applyRules([rule("fragile", PHONES, { field: "tag", value: "fragile" })]);
    goOn();
    await processed;
    expect(tagged.map(writtenOn)).toEqual(tagged.map(() => categoryKey(PHONES)));
  });

  it("is left to a run where many products have changed", async () => {
    await db.$executeRaw`DELETE FROM pgboss.job`;
    const [seed] = ownProducts();
    if (!seed) throw new Error("no product");
    const requests = Array.from({ length: 500 }, (_, index) =>
      webhookRequest("products/update", event({ ...seed, id: `${77_000 + index}` })),
    );
    // The app stores 64 at a time, and answers 503 after a long wait.
    while (requests.length > 0) {
      const answers = requests.splice(0, 64).map((request) => action({ request, params: {}, context: {} }));
      for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    }
    const before = shop.api.usage.calls;
    await processProductWebhooks({ shop: shopDomain }, { signal: never, isTimeSliceUsed: () => false });
    expect(shop.api.usage.calls).toBe(before);
    const run = await db.syncRun.findFirstOrThrow({ where: { shop: shopDomain, active: true } });
    expect(run).toMatchObject({ kind: "products", reason: "changes" });
    await categoriseProducts({ shop: shopDomain, runId: run.id }, { signal: never });
    expect(await db.webhook.count({ where: { state: { not: "done" } } })).toBe(0);
  });
});

describe("a read of all products", () => {
  it("keeps what webhooks saved while Shopify was at it", async () => {
    const [seed, known] = ownProducts();
    const [variant] = known?.variants ?? [];
    if (!seed || !known || !variant) throw new Error("no products");
    const rules = [rule("late", PHONES, { field: "tag", value: "late" })];
    await applyRules(rules);
    const release = shop.api.bulk.hold("QUERY");
    const run = applyRules(rules);
    await eventually(() => {
      const isRead = shop.api.bulk.all().some(({ status, objects }) => status === "RUNNING" && objects > 0);
      return isRead ? Promise.resolve() : Promise.reject(new Error("not read yet"));
    });
    const late: Product = {
      ...structuredClone(seed),
      id: nextId(state, "product"),
      handle: "late",
      tags: ["late"],
      variants: seed.variants.map((each) => ({ ...each, id: nextId(state, "variant") })),
    };
    putProduct(state, late);
    await webhook(event(late));
    variant.price = 765_432;
    known.tags = ["late"];
    await webhook(event(known));
    release();
    await run;
    expect(await categoryOfProducts(shopDomain, [late.id, known.id])).toEqual(
      new Map([
        [late.id, PHONES],
        [known.id, PHONES],
      ]),
    );
    const prices = await listPricedVariants(shopDomain, PHONES);
    expect(prices).toContainEqual({ variantId: variant.id, priceMinor: 765_432 });
    // A product that neither the read nor a later webhook contains is deleted.
    removeProduct(state, late);
    await applyRules(rules);
    expect(await categoryOfProducts(shopDomain, [late.id])).toEqual(new Map());
  });
});

describe("a product of more variants than a page holds", () => {
  it("is known with all of them after its webhook", async () => {
    const [seed] = ownProducts();
    const [first] = seed?.variants ?? [];
    if (!seed || !first) throw new Error("no product");
    const large: Product = {
      ...structuredClone(seed),
      id: nextId(state, "product"),
      handle: "large",
      tags: ["large"],
      variants: Array.from({ length: 300 }, (_, index) => ({
        ...first,
        id: nextId(state, "variant"),
        optionValues: [`${index}`],
        price: 8_000_000 + index,
      })),
    };
    putProduct(state, large);
    await webhook(event(large));
    const ids = large.variants.map(({ id }) => id);
    expect(await findPricedVariants(shopDomain, ids)).toHaveLength(300);
    removeProduct(state, large);
  });
});

describe("a deleted product", () => {
  const catalogueRuns = () => db.syncRun.count({ where: { shop: shopDomain, kind: "catalogue" } });

  it("is forgotten at once, and nothing is synced for it", async () => {
    const [product] = ownProducts();
    if (!product) throw new Error("The shop has no product");
    const runs = await catalogueRuns();
    await deleteInShop(product);
    expect(await db.shopProduct.count({ where: { shop: shopDomain, productId: product.id } })).toBe(0);
    expect(await catalogueRuns()).toBe(runs);
    putProduct(state, product);
    await webhook(event(product));
    expect(await db.shopProduct.count({ where: { shop: shopDomain, productId: product.id } })).toBe(1);
  });

  it("of a plan is written again by a sync; a webhook about one that is there changes nothing", async () => {
    const [plan] = planProducts();
    if (!plan) throw new Error("The shop has no plan product");
    const runs = await catalogueRuns();
    const products = await db.shopProduct.count({ where: { shop: shopDomain } });
    const request = webhookRequest("products/delete", `{"id":${plan.id}}`);
    await action({ request, params: {}, context: {} });
    await processProductWebhooks({ shop: shopDomain }, { signal: never, isTimeSliceUsed: () => false });
    expect(await catalogueRuns()).toBe(runs);
    expect(await db.shopProduct.count({ where: { shop: shopDomain } })).toBe(products);
    await deleteInShop(plan);
    expect(await catalogueRuns()).toBe(runs + 1);
  });
});

describe("a run that writes in bulk", () => {
  it("leaves what a webhook decides meanwhile", async () => {
    const known = new Set(state.products.keys());
    manyProducts(state, 6_000);
    const made = [...state.products.values()].filter(({ id }) => !known.has(id));
    const [type = ""] = typesByCount();
    const product = made.find(({ productType }) => productType === type);
    if (!product) throw new Error("no product");
    const release = shop.api.bulk.hold("MUTATION");
    const run = applyRules([
      rule("late", PHONES, { field: "tag", value: "late" }),
      rule("type", COMPUTERS, { field: "product_type", value: type }),
    ]);
    await eventually(() => {
      const isHeld = shop.api.bulk
        .all()
        .some((each) => each.type === "MUTATION" && each.status === "RUNNING");
      return isHeld ? Promise.resolve() : Promise.reject(new Error("not writing yet"));
    });
    product.tags = ["late"];
    await webhook(event(product));
    expect(writtenOn(product)).toBe(categoryKey(PHONES));
    release();
    await run;
    expect(writtenOn(product)).toBe(categoryKey(PHONES));
    const others = made.filter(({ id, productType }) => productType === type && id !== product.id);
    expect(new Set(others.map(writtenOn))).toEqual(new Set([categoryKey(COMPUTERS)]));
  });
});
