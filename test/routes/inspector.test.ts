/** "Why is there no offer here?": each step as the page shows it, with shop and insurer in the tested state. */
import { staff } from "#app/audit/actor.ts";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { loader as home } from "#app/routes/app._index/route.tsx";
import { loader } from "#app/routes/app.products.inspector/route.tsx";
import { action as listAction, loader as listLoader } from "#app/routes/app.products.list/route.tsx";
import { saveStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { saveReferences } from "#app/catalogue/references/references.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { inspectorSteps } from "#app/offers/inspector/inspector.ts";
import type { InspectorStepName } from "#app/offers/inspector/inspector.ts";
import { disconnect } from "#app/merchants/connection.server.ts";
import { pauseSelling, resumeSelling } from "#app/merchants/selling.server.ts";
import { db } from "#app/platform/db.server.ts";
import { reference } from "#test/catalogue/samples.ts";
import { applyRules, service, sync, variantOf } from "#test/catalogue/world.ts";
import { connectShop, installApp } from "#test/install.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { removeMetafield } from "#test/sandbox/shop/metafields.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { ask } from "./ask.ts";

const PHONES = "Smartphone casse et vol";
const rules: Rule[] = [
  { id: "none", conditions: [{ field: "product_type", value: "Carte cadeau" }], categoryId: null },
  { id: "gone", conditions: [{ field: "product_type", value: "Accessoire" }], categoryId: "Une autre" },
  { id: "phones", conditions: [{ field: "product_type", value: "Smartphone" }], categoryId: PHONES },
];

const products = () => [...shop.state.products.values()];
const ofType = (type: string) => {
  const found = products().find(({ productType }) => productType === type);
  const variant = found?.variants[0];
  if (!found || !variant) throw new Error(`The shop has no ${type}`);
  return { product: found, variant };
};

const inspect = (search: Record<string, string>, domain?: string) =>
  ask(loader, `/app/products/inspector?${new URLSearchParams(search)}`, { domain });
const stepsOf = async (search: Record<string, string>) => {
  const { result } = await inspect(search);
  const steps = Object.fromEntries(
    (result?.steps ?? []).map(({ step, state, outcome }) => [step, `${state}: ${outcome}`]),
  );
  return { steps, blocking: result?.blocking };
};
/** The step's outcome for a variant, and whether it blocks the offer. */
const stepOf = async (name: InspectorStepName, search: Record<string, string>) => {
  const { steps, blocking } = await stepsOf(search);
  return { [name]: steps[name], blocks: blocking?.step === name };
};

let price: number;
const phone = () => ofType("Smartphone");
beforeAll(async () => {
  await installApp();
  await installApp(otherShop.shopDomain);
  await connectShop();
  await sync();
  await applyRules(rules);
  price = phone().variant.price;
});
afterEach(() => {
  phone().variant.price = price;
  phone().product.status = "ACTIVE";
  insurance.faults.clear();
});

test("an insured phone shows all nine steps, and that its offer is shown", async () => {
  const { steps, blocking } = await stepsOf({ variant: phone().variant.id, currency: "EUR" });
  expect(Object.keys(steps)).toEqual(inspectorSteps);
  expect(Object.values(steps).every((step) => step.startsWith("ok: "))).toBe(true);
  expect(blocking).toBeNull();
});

test("a shop without an online store shows no product, and the page says so", async () => {
  const { publications } = shop.state;
  const stores = [...publications].filter(([, { appHandle }]) => appHandle === "online_store");
  for (const [id] of stores) publications.delete(id);
  expect(await stepOf("product", { variant: phone().variant.id })).toEqual({
    product: "blocks: hidden",
    blocks: true,
  });
  for (const [id, store] of stores) publications.set(id, store);
});

describe("the list of products", () => {
  const listed = async () => {
    const { offers } = await ask(listLoader, "/app/products/list");
    const found = (await offers)[phone().product.id];
    return found && { offered: found.offered, blocking: found.blocking?.outcome ?? null };
  };
  const every = () => phone().product.variants;

  test("says of a product that its insurance is offered, and of one without a category nothing", async () => {
    expect(await listed()).toEqual({ offered: every().length, blocking: null });
    const { offers } = await ask(listLoader, "/app/products/list");
    expect((await offers)[ofType("Carte cadeau").product.id]).toBeUndefined();
  });

  test("says so of no product that the online store does not show", async () => {
    const { product } = phone();
    const channels = [...product.publishedOn];
    product.publishedOn.clear();
    expect(await listed()).toEqual({ offered: 0, blocking: "hidden" });
    for (const channel of channels) product.publishedOn.add(channel);
  });

  test("says so of no product that is sold out, but of one that is sold beyond its stock", async () => {
    const before = structuredClone(every());
    for (const variant of every())
      Object.assign(variant, { tracked: true, inventoryQuantity: 0, inventoryPolicy: "DENY" });
    expect(await listed()).toEqual({ offered: 0, blocking: "sold_out" });
    expect(await stepOf("product", { variant: phone().variant.id })).toMatchObject({ blocks: true });
    for (const variant of every()) variant.inventoryPolicy = "CONTINUE";
    expect(await listed()).toMatchObject({ blocking: null });
    every().forEach((variant, index) => Object.assign(variant, before[index]));
  });

  test("says for how many variants, where a price is in no band", async () => {
    const row = { shop: shop.shopDomain, variantId: phone().variant.id };
    await db.shopVariant.updateMany({ where: row, data: { priceMinor: 99_000_000 } });
    expect(await listed()).toEqual({ offered: every().length - 1, blocking: "above" });
    await db.shopVariant.updateMany({ where: row, data: { priceMinor: price } });
  });

  test("says so of no product while the product page offers none", async () => {
    const off = storefrontSettings.parse({ touchpoints: { product_page: { on: false } } });
    await saveStorefrontSettings(shop.shopDomain, off, staff("1"));
    expect(await listed()).toEqual({ offered: 0, blocking: "off" });
    await saveStorefrontSettings(shop.shopDomain, storefrontSettings.parse({}), staff("1"));
  });

  test("says so of no product while the sale is paused, as the inspector does", async () => {
    await pauseSelling(shop.shopDomain, staff("1"));
    expect(await listed()).toEqual({ offered: 0, blocking: "paused" });
    expect(await stepOf("connection", { variant: phone().variant.id })).toEqual({
      connection: "blocks: paused",
      blocks: true,
    });
    await resumeSelling(shop.shopDomain, staff("1"));
    expect(await listed()).toMatchObject({ blocking: null });
  });

  test("says so of no product where no market of the shop sells in the offers' currency", async () => {
    const { markets } = shop.state;
    const [suisse] = markets.filter(({ name }) => name === "Suisse");
    shop.state.markets = suisse ? [suisse] : [];
    expect(await listed()).toEqual({ offered: 0, blocking: "no_market" });
    shop.state.markets = markets;
    // One place with the offer sets the badge; the list names the places without it.
    expect(await listed()).toMatchObject({ blocking: null });
    const { markets: known } = await ask(listLoader, "/app/products/list");
    expect((await known)?.filter(({ offers }) => offers === "none").map(({ name }) => name)).toEqual([
      "Suisse",
    ]);
    const { result } = await inspect({ variant: phone().variant.id });
    expect(result?.steps.find(({ step }) => step === "currency")).toMatchObject({
      state: "warns",
      values: { markets: "Suisse" },
    });
  });

  test("knows what the app knows while the shop does not respond", async () => {
    shop.faults.add({ operation: "admin", status: 503, times: 1_000 });
    expect(await listed()).toMatchObject({ blocking: null });
    shop.faults.clear();
  });

  test("is another shop's: nothing of this one is shown", async () => {
    const { offers } = await ask(listLoader, "/app/products/list", { domain: otherShop.shopDomain });
    expect(await offers).toEqual({});
  });
});

describe("the product", () => {
  test("is not known", async () => {
    expect(await stepOf("product", { variant: "1" })).toEqual({ product: "blocks: unknown", blocks: true });
  });
  test("is another shop's: nothing of it is shown", async () => {
    const { result } = await inspect({ variant: phone().variant.id }, otherShop.shopDomain);
    expect(result?.product).toBeNull();
  });
  test("is a plan itself", async () => {
    const [reference] = (await service.catalogue()).references;
    const { variant } = variantOf(reference?.reference_id ?? "");
    expect(await stepOf("product", { variant: variant.id })).toEqual({
      product: "blocks: insurance",
      blocks: true,
    });
  });
  test("is a draft that shoppers cannot see", async () => {
    phone().product.status = "DRAFT";
    expect(await stepOf("product", { variant: phone().variant.id })).toEqual({
      product: "blocks: hidden",
      blocks: true,
    });
  });
});

describe("the category rule", () => {
  test("does not exist for the product", async () => {
    const { variant } = ofType("Tablette");
    expect(await stepOf("category", { variant: variant.id })).toEqual({
      category: "blocks: no_rule",
      blocks: true,
    });
  });
  test("names a category that the insurer does not offer", async () => {
    const { variant } = ofType("Accessoire");
    expect(await stepOf("category", { variant: variant.id })).toEqual({
      category: "blocks: not_offered",
      blocks: true,
    });
  });
  test("names one that the insurer does not offer: Home counts its products apart, and leads to another one", async () => {
    const { catalogue } = await ask(home, "/app");
    const ofTypes = (type: string) => products().filter(({ productType }) => productType === type).length;
    expect(catalogue).toMatchObject({
      insuredProducts: ofTypes("Smartphone"),
      unofferedProducts: ofTypes("Accessoire"),
    });
    const example = products().find(({ handle }) => handle === catalogue.example);
    expect(example?.productType).toBe("Smartphone");
  });
  test("gives way to the merchant's override", async () => {
    const { product, variant } = phone();
    const choose = (override: string) =>
      ask(listAction, "/app/products/list", { form: { product: product.id, override } });
    await choose("none");
    const excluded = await stepOf("category", { variant: variant.id });
    await choose("clear");
    expect(excluded).toEqual({ category: "blocks: excluded_by_override", blocks: true });
    expect(await stepOf("category", { variant: variant.id })).toEqual({
      category: "ok: by_rule",
      blocks: false,
    });
  });
  test("is not written into the shop yet", async () => {
    removeMetafield(shop.state, gid("Product", phone().product.id), "$app", "insurance_category");
    expect(await stepOf("category", { variant: phone().variant.id })).toEqual({
      category: "blocks: not_written",
      blocks: true,
    });
    await applyRules(rules);
  });
});

describe("the price", () => {
  test.each([
    ["below every band", 1, "blocks: below"],
    ["above every band", 99_000_000, "blocks: above"],
  ])("is %s", async (_name, cents, answer) => {
    phone().variant.price = cents;
    expect(await stepOf("price", { variant: phone().variant.id })).toEqual({ price: answer, blocks: true });
  });
  test("is in a band", async () => {
    expect(await stepOf("price", { variant: phone().variant.id })).toEqual({
      price: "ok: in_band",
      blocks: false,
    });
  });
});

describe("the references of the price", () => {
  const atPrice = async () =>
    (await service.catalogue()).references.filter(
      (each) => each.category_id === PHONES && each.price_band_min <= price && price <= each.price_band_max,
    );

  test("are known, but all of them wrong: then the first one's problem is shown", async () => {
    const references = await atPrice();
    for (const { reference_id: id } of references) await service.putReference(id, { currency_code: "USD" });
    await sync();
    expect(await stepOf("reference", { variant: phone().variant.id })).toMatchObject({
      reference: "blocks: problem",
    });
    for (const { reference_id: id } of references) await service.putReference(id, { currency_code: "EUR" });
    await sync();
  });

  test("are known, and one of them wrong: the others are sold", async () => {
    const [first] = await atPrice();
    await service.putReference(first?.reference_id ?? "", { price: 0 });
    await sync();
    expect(await stepOf("reference", { variant: phone().variant.id })).toEqual({
      reference: "warns: some_problem",
      blocks: false,
    });
    await service.putReference(first?.reference_id ?? "", { price: first?.price });
    await sync();
  });
});

test("the variant of a reference that the catalogue has just found is not in the shop until a run has written it", async () => {
  const found = reference({
    referenceId: "JUST-FOUND",
    contractId: "CG-1",
    bandMinMinor: 70_000_000,
    bandMaxMinor: 80_000_000,
  });
  await service.putReference(found.referenceId, {
    reference_id: found.referenceId,
    category_id: found.categoryId,
    contract_id: found.contractId,
    title: found.title,
    term: found.termMonths,
    price: found.priceMinor,
    currency_code: found.currency,
    price_band_min: found.bandMinMinor,
    price_band_max: found.bandMaxMinor,
    billing: found.billing,
    product_reference_ids: null,
  });
  const store = { environment: "test", storeId: insurance.store_id } as const;
  await saveReferences(shop.shopDomain, store, found.categoryId, [found], false);
  phone().variant.price = 75_000_000;
  expect(await stepOf("variant", { variant: phone().variant.id })).toEqual({
    variant: "blocks: not_in_shop",
    blocks: true,
  });
  await sync();
  expect(await stepOf("variant", { variant: phone().variant.id })).toEqual({
    variant: "ok: on_sale",
    blocks: false,
  });
});

describe("the shopper's screen", () => {
  test("is in a market with another currency", async () => {
    expect(await stepOf("currency", { variant: phone().variant.id, currency: "GBP" })).toEqual({
      currency: "blocks: shopper",
      blocks: true,
    });
  });

  test("is a touchpoint that is switched off, another one than that which is on", async () => {
    const off = storefrontSettings.parse({ touchpoints: { cart: { on: false } } });
    await saveStorefrontSettings(shop.shopDomain, off, staff("1"));
    const variant = phone().variant.id;
    expect(await stepOf("touchpoint", { variant, touchpoint: "cart" })).toEqual({
      touchpoint: "blocks: off",
      blocks: true,
    });
    expect(await stepOf("touchpoint", { variant, touchpoint: "product_page" })).toEqual({
      touchpoint: "ok: on",
      blocks: false,
    });
    await saveStorefrontSettings(shop.shopDomain, storefrontSettings.parse({}), staff("1"));
  });
});

describe("the insurer", () => {
  test("is away: the synced catalogue sells on, and the page says so", async () => {
    insurance.faults.add({ operation: "offers.list", kind: "status", status: 503, times: 20 });
    expect(await stepOf("insurer", { variant: phone().variant.id })).toEqual({
      insurer: "warns: unreachable",
      blocks: false,
    });
  });

  test("refuses the token", async () => {
    insurance.faults.add({ operation: "offers.list", kind: "status", status: 401, times: 20 });
    expect(await stepOf("insurer", { variant: phone().variant.id })).toEqual({
      insurer: "warns: refused",
      blocks: false,
    });
  });

  test("is not connected any more", async () => {
    await disconnect(shop.shopDomain, "test", staff("1"));
    expect(await stepOf("connection", { variant: phone().variant.id })).toEqual({
      connection: "blocks: disconnected",
      blocks: true,
    });
  });
});
