/** The pages of Insured products: rules with their preview, one product's override, and why there is no offer. */
import { beforeAll, describe, expect, test } from "vitest";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { categoriseProducts } from "#app/catalogue/product-categories/categorise-products.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { listRuns } from "#app/catalogue/runs/runs.server.ts";
import { action, loader } from "#app/routes/app.products._index/route.tsx";
import { emptyCondition, parseRuleDraft } from "#app/routes/app.products._index/rule-draft.ts";
import { loader as categoriesLoader } from "#app/routes/app.products.categories/route.tsx";
import { action as listAction, loader as listLoader } from "#app/routes/app.products.list/route.tsx";
import { loader as valuesLoader } from "#app/routes/app.products.values.tsx";
import { loader as variantsLoader } from "#app/routes/app.products.variants.tsx";
import { loader as inspectorLoader } from "#app/routes/app.products.inspector/route.tsx";
import { refused, success } from "#app/ui/action-result.ts";
import { service, sync } from "#test/catalogue/world.ts";
import { connectShop, installApp } from "#test/install.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { otherShop, shop } from "#test/world.ts";
import { ask, responseOf, valueOf } from "./ask.ts";

const path = "/app/products";
const never = new AbortController().signal;
const PHONES = "Smartphone casse et vol";
const COMPUTERS = "Informatique casse et panne";

const phones: Rule = {
  id: "phones",
  conditions: [{ field: "product_type", value: "Smartphone" }],
  categoryId: PHONES,
};
const dear: Rule = {
  id: "dear",
  conditions: [{ field: "price", minMinor: 150_000, maxMinor: null }],
  categoryId: null,
};

const page = (domain?: string) => ask(loader, path, { domain });
const send = (form: Record<string, string>, domain?: string) => ask(action, path, { form, domain });
const withRules = (intent: "preview" | "save", rules: Rule[]) =>
  send({ intent, rules: JSON.stringify(rules) });
const list = (search = "", domain?: string) => ask(listLoader, `${path}/list${search}`, { domain });
const say = (form: Record<string, string>, domain?: string) =>
  ask(listAction, `${path}/list`, { form, domain });

const ownProducts = () =>
  [...shop.state.products.values()].filter(({ tags }) => !tags.includes("parasol-insurance"));
const smartphones = () => ownProducts().filter(({ productType }) => productType === "Smartphone");
const written = (productId: string) =>
  findMetafield(shop.state, gid("Product", productId), "$app", "insurance_category")?.value ?? null;

/** Runs the job that a page started, as the worker does. */
async function finish(): Promise<void> {
  const [run] = await listRuns(shop.shopDomain, "products", 1);
  if (run) await categoriseProducts({ shop: shop.shopDomain, runId: run.id }, { signal: never });
}

beforeAll(async () => {
  await installApp();
  await installApp(otherShop.shopDomain);
});

test("a shop that is not connected sees that at its first step", async () => {
  expect(await send({ intent: "read" })).toEqual(refused("not_connected"));
  expect(await page()).toMatchObject({ products: 0, categories: [], rules: [], run: null });
});

describe("the rules", () => {
  beforeAll(() => connectShop());

  test("start with reading: categories are there at once, products after the run", async () => {
    expect(await send({ intent: "read" })).toMatchObject({ state: "success" });
    expect((await page()).run).toMatchObject({ state: "queued", active: true });
    await finish();
    const { run, products, categories } = await page();
    const offered = (await service.catalogue()).categories.map(({ id }) => id);
    expect(run).toMatchObject({ state: "done", percent: 100 });
    expect(products).toBe(ownProducts().length);
    expect(categories).toEqual(offered.sort());
  });

  test("suggest the category whose words a product type shares, and none where there is no such", async () => {
    const { productTypes } = await page();
    const suggestion = (type: string) =>
      productTypes.find(({ productType }) => productType === type)?.suggestion;
    expect(suggestion("Smartphone")).toEqual([PHONES]);
    expect(suggestion("Tablette")).toEqual([COMPUTERS]);
    expect(suggestion("Carte cadeau")).toEqual([]);
  });

  test("are previewed without being kept: how many products each decides, in order, and which", async () => {
    const answer = valueOf(await withRules("preview", [dear, phones]));
    if (!("preview" in answer)) throw new Error("no preview");
    const isDear = ({ variants }: { variants: { price: number }[] }) =>
      Math.min(...variants.map(({ price }) => price)) >= 150_000;
    const cheap = smartphones().filter((product) => !isDear(product));
    expect(answer.preview.rules).toEqual({ dear: ownProducts().filter(isDear).length, phones: cheap.length });
    expect(answer.preview.products).toBe(ownProducts().length);
    expect(answer.preview.changed).toBe(cheap.length);
    expect(answer.preview.examples["phones"]?.map(({ title }) => title).sort()).toEqual(
      cheap.map(({ title }) => title).sort(),
    );
    expect((await page()).rules).toEqual([]);
  });

  test("are kept in their order with their ids, however often they are saved, and reach the products", async () => {
    await withRules("save", [phones]);
    await withRules("save", [dear, phones]);
    await finish();
    const { rules, decided } = await page();
    expect(rules).toEqual([dear, phones]);
    expect(Object.keys(decided).sort()).toEqual(["dear", "phones"]);
    const [cheap] = smartphones().filter(({ variants }) => variants.every(({ price }) => price < 150_000));
    expect(written(cheap?.id ?? "")).toBe(categoryKey(PHONES));
    await withRules("save", rules);
    await finish();
    expect((await page()).rules).toEqual([dear, phones]);
  });

  test("by collection name it, and by its number while Shopify does not answer", async () => {
    const [collection] = shop.state.collections.values();
    if (!collection) throw new Error("The shop has no collection");
    const { id, title } = collection;
    await withRules("save", [{ ...phones, conditions: [{ field: "collection", value: id }] }]);
    expect((await page()).names).toEqual({ [`collection ${id}`]: title });
    shop.faults.add({ operation: "ParasolCollections", status: 503, times: 100 });
    expect((await page()).names).toEqual({ [`collection ${id}`]: id });
    shop.faults.clear();
    await finish();
  });

  test("saved while a run applies others are not lost: another run follows", async () => {
    const all: Rule = { ...phones, conditions: [{ field: "price", minMinor: 0, maxMinor: null }] };
    await withRules("save", [all]);
    const [run] = await listRuns(shop.shopDomain, "products", 1);
    if (!run) throw new Error("no run");
    // After the run has read its rules, Shopify delays one of its writes until other rules are saved.
    const saved: Promise<unknown>[] = [];
    const { metafields } = shop.state;
    const set = metafields.set.bind(metafields);
    metafields.set = (...entry) => {
      if (saved.length === 0) {
        shop.faults.add({ operation: "admin", kind: "throttled", times: 1_000 });
        saved.push(withRules("save", []).finally(() => shop.faults.clear()));
      }
      return set(...entry);
    };
    await categoriseProducts({ shop: shop.shopDomain, runId: run.id }, { signal: never });
    metafields.set = set;
    expect(await Promise.all(saved)).toEqual([success({ run: run.id })]);
    const [next] = await listRuns(shop.shopDomain, "products", 1);
    expect(next?.id).not.toBe(run.id);
    await finish();
    expect(ownProducts().map(({ id }) => written(id))).toEqual(ownProducts().map(() => null));
  });

  test.each([
    ["no JSON", "{"],
    ["no conditions", JSON.stringify([{ ...phones, conditions: [] }])],
    ["an unknown field", JSON.stringify([{ ...phones, conditions: [{ field: "colour", value: "red" }] }])],
    [
      "a price range that ends before it begins",
      JSON.stringify([{ ...phones, conditions: [{ field: "price", minMinor: 2, maxMinor: 1 }] }]),
    ],
    ["one id twice", JSON.stringify([phones, phones])],
  ])("with %s are refused and nothing is kept", async (_, rules) => {
    const before = (await page()).rules;
    expect(await send({ intent: "save", rules })).toEqual(refused("malformed"));
    expect((await page()).rules).toEqual(before);
  });

  test("are one shop's own", async () => {
    await withRules("save", [phones]);
    await finish();
    expect(await page(otherShop.shopDomain)).toMatchObject({ rules: [], products: 0, productTypes: [] });
    await send({ intent: "save", rules: "[]" }, otherShop.shopDomain);
    expect((await page()).rules).toEqual([phones]);
  });
});

test.each([
  ["12,5", "EUR", 1_250],
  ["1 000.50", "EUR", 100_050],
  // A thousand in one country, more decimals than the currency has in another.
  ["1,000", "EUR", null],
  ["1.000", "EUR", null],
  ["1,000", "JPY", null],
  ["1000", "JPY", 1_000],
  ["1.250", "KWD", 1_250],
])(
  "the limit of a price that is typed as %j in %s is %j minor units (null: it is refused)",
  (min, currency, minMinor) => {
    const typed = {
      conditions: [{ ...emptyCondition, field: "price" as const, min }],
      outcome: { categoryId: null },
    };
    const { rule, faults } = parseRuleDraft(typed, "dear", currency);
    expect(rule?.conditions ?? faults).toEqual(
      minMinor === null ? { "0.min": "amount" } : [{ field: "price", minMinor, maxMinor: null }],
    );
  },
);

describe("the category override of one product", () => {
  test("takes precedence over the rules at once, and can be removed", async () => {
    const [product] = smartphones();
    const id = product?.id ?? "";
    const shown = async () =>
      (await list(`?query=${encodeURIComponent(product?.title ?? "")}`)).page.items[0];
    expect(await shown()).toMatchObject({ productId: id, categoryId: PHONES, decidedBy: "rule", rule: 1 });
    expect(await say({ product: id, override: "none" })).toEqual(success("saved"));
    expect(await shown()).toMatchObject({ categoryId: null, decidedBy: "override" });
    expect(written(id)).toBeNull();
    await say({ product: id, override: "category", category: COMPUTERS });
    expect(written(id)).toBe(categoryKey(COMPUTERS));
    await say({ product: id, override: "clear" });
    expect(await shown()).toMatchObject({ categoryId: PHONES, decidedBy: "rule" });
    expect(written(id)).toBe(categoryKey(PHONES));
  });

  test("does not overwrite a choice of another person since the list was shown", async () => {
    const [product] = smartphones();
    const choose = (form: Record<string, string>, version: string) =>
      ask(listAction, `${path}/list?version=${version}`, { form: { product: product?.id ?? "", ...form } });
    const shown = async () =>
      (await list(`?query=${encodeURIComponent(product?.title ?? "")}`)).page.items[0];
    const version = (await shown())?.version ?? "";
    expect(await choose({ override: "none" }, version)).toEqual(success("saved"));
    expect(await choose({ override: "category", category: COMPUTERS }, version)).toEqual(
      refused("changed_elsewhere"),
    );
    expect(await shown()).toMatchObject({ categoryId: null, decidedBy: "override" });
    expect(await choose({ override: "clear" }, (await shown())?.version ?? "")).toEqual(success("saved"));
  });

  test("of another shop changes nothing, and an unknown product is reported", async () => {
    const [product] = smartphones();
    const id = product?.id ?? "";
    expect(await say({ product: id, override: "none" }, otherShop.shopDomain)).toEqual(
      refused("unknown_product"),
    );
    expect(written(id)).toBe(categoryKey(PHONES));
  });

  test("that makes no sense gets 400", async () => {
    expect((await responseOf(say({ product: "1", override: "maybe" }))).status).toBe(400);
  });
});

describe("the list of products", () => {
  test("is by title, and filters by category, by who decided and by words", async () => {
    const titles = (await list()).page.items.map(({ title }) => title);
    expect([...titles].sort()).toEqual(
      ownProducts()
        .map(({ title }) => title)
        .sort()
        .slice(0, 50),
    );
    const inPhones = await list(`?category=${encodeURIComponent(PHONES)}`);
    expect(inPhones.page.items.map(({ productId }) => productId).sort()).toEqual(
      smartphones()
        .map(({ id }) => id)
        .sort(),
    );
    expect((await list("?decided=override")).page.items).toEqual([]);
    expect((await list("?decided=rule")).page.items).toHaveLength(smartphones().length);
    expect((await list("?query=no+such+thing")).page.items).toEqual([]);
    expect((await list("", otherShop.shopDomain)).page.items).toEqual([]);
  });
});

describe("the categories", () => {
  test("are listed with their texts, documents, references on sale and products", async () => {
    await sync();
    const { categories } = await ask(categoriesLoader, `${path}/categories`);
    const { references } = await service.catalogue();
    const listed = categories.find(({ category }) => category.id === PHONES);
    expect(listed).toMatchObject({
      onSale: references.filter(({ category_id }) => category_id === PHONES).length,
      products: smartphones().length,
      vanished: false,
      live: false,
    });
    expect(listed?.category.legal.ipidUrl).toMatch(/^https?:/);
    expect(
      (await ask(categoriesLoader, `${path}/categories`, { domain: otherShop.shopDomain })).categories,
    ).toEqual([]);
  });
});

test("a rule on vendors or tags is offered what the shop's products have, the most frequent first", async () => {
  const values = (field: string, domain?: string) =>
    ask(valuesLoader, `${path}/values?field=${field}`, { domain });
  const counts = new Map<string, number>();
  for (const { vendor } of ownProducts()) counts.set(vendor, (counts.get(vendor) ?? 0) + 1);
  const { values: vendors } = await values("vendor");
  expect([...vendors].sort()).toEqual([...counts.keys()].sort());
  expect(counts.get(vendors[0] ?? "")).toBe(Math.max(...counts.values()));
  const tags = new Set(ownProducts().flatMap(({ tags }) => tags));
  expect(new Set((await values("tag")).values)).toEqual(tags);
  expect((await values("vendor", otherShop.shopDomain)).values).toEqual([]);
  expect((await responseOf(values("title"))).status).toBe(400);
});

describe("why there is no offer", () => {
  test("a variant is found by its product's title, in this shop only", async () => {
    const [product] = smartphones();
    const query = `?query=${encodeURIComponent(product?.title ?? "")}`;
    const { variants } = await ask(variantsLoader, `${path}/variants${query}`);
    expect(variants.map(({ variantId }) => variantId)).toContain(product?.variants[0]?.id);
    const others = await ask(variantsLoader, `${path}/variants${query}`, { domain: otherShop.shopDomain });
    expect(others.variants).toEqual([]);
  });

  test("a malformed address sends no query", async () => {
    const search = new URLSearchParams({ variant: "drop table", touchpoint: "nowhere" });
    expect(await ask(inspectorLoader, `${path}/inspector?${search}`)).toEqual({
      query: { variant: null, touchpoint: "product_page", currency: null },
      result: null,
    });
  });
});
