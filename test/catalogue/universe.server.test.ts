/** Three categories that are the formulas of one universe: from the first page to the contract of each. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { listRuns, startRun } from "#app/catalogue/runs/runs.server.ts";
import { staff } from "#app/audit/actor.ts";
import { insureLink } from "#app/customers/customer-links.server.ts";
import { saveMerchantSettings } from "#app/merchants/settings.server.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { checkCart } from "#app/offers/cart.server.ts";
import { cartLines } from "#app/offers/cart.ts";
import { db } from "#app/platform/db.server.ts";
import { action, loader } from "#app/routes/app.products._index/route.tsx";
import { action as saveTouchpoints, loader as touchpoints } from "#app/routes/app.touchpoints/route.tsx";
import { loader as insurePage } from "#app/routes/insure.$shop.$link.tsx";
import { loader as proxyOffers } from "#app/routes/proxy.offers.tsx";
import { loader as salePage } from "#app/routes/sales.$shop.$link.tsx";
import { loader as draftForStaff } from "#app/routes/staff.draft-orders.$draftOrderId.tsx";
import { success } from "#app/ui/action-result.ts";
import { CONSENT, INSURED_VARIANT, OFFERED, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { startJobs } from "#test/job-worker.ts";
import { conforms } from "#test/openapi/proxy-document.ts";
import {
  buy,
  findSalesRecord,
  grantOptionalScopes,
  listContracts,
  listOpenTasks,
  readItemStates,
  startWebhookServer,
} from "#test/orders/selling-shop.ts";
import { ask, valueOf } from "#test/routes/ask.ts";
import { customer } from "#test/orders/references.ts";
import { createDraftOrder } from "#test/sandbox/shop/draft-orders.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { secrets, sessionToken, shop } from "#test/world.ts";
import { turnOnCartRule } from "#test/sandbox/shop/functions/cart-validation.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { readCatalogue, readSettings } from "../../extensions/checkout-offer/src/data.ts";
import type { Offer } from "../../extensions/catalogue.ts";
import { pairOf, planItem } from "../../extensions/storefront-scripts/plan-item.ts";
import { compactCatalogues, findRun, onSale, service } from "./world.ts";

const path = "/app/products";
const FORMULAS = ["Smartphone Casse", "Smartphone Intégrale", "Smartphone Casse et vol"];
const [FIRST = ""] = FORMULAS;
/** The stand-in's own payment is for orders without money. */
const PAID = { gateway: "shopify_payments" };
let close: () => Promise<void>;

const documentOf = (category: string, name: string) =>
  `https://insurer.example/documents/${encodeURIComponent(category)}/${name}`;

const finished = (id: string) =>
  eventually(async () => expect((await findRun(shop.shopDomain, id))?.state).toBe("done"));
const send = async (form: Record<string, string>) => {
  const answer = valueOf(await ask(action, path, { form }));
  if (!("run" in answer)) throw new Error("No run was started");
  await finished(answer.run);
};
const save = (rules: Rule[]) => send({ intent: "save", rules: JSON.stringify(rules) });

const phone = [...shop.state.products.values()].find(({ productType }) => productType === "Smartphone");
const [variant] = phone?.variants ?? [];
if (!phone || !variant) throw new Error("The shop has no smartphone");
variant.tracked = false;

/** The storefront's embedded offers for the phone's price: formula and term of each, with its plan and reference. */
const offersNow = () =>
  (compactCatalogues().get(FIRST)?.bands ?? [])
    .filter(({ min, max }) => min <= variant.price && variant.price <= max)
    .flatMap(({ offers }) => offers)
    .map(({ term, variant: plan, reference, formula }) => ({ term, plan, reference, formula }));

function askProxy(search: string): Promise<Response> {
  const query = signedQuery(new URLSearchParams(search), "/apps/parasol", {
    shopDomain: shop.shopDomain,
    apiSecret: secrets.apiSecret,
  });
  const request = new Request(`http://app.test/proxy/offers?${query.toString()}`);
  return proxyOffers({ request, params: {}, context: {} });
}

beforeAll(async () => {
  await service.reset("categories");
  // The storefront links to https URLs alone.
  for (const category of FORMULAS) {
    const [cg_url, ipid_url] = ["conditions-generales", "ipid"].map((name) => documentOf(category, name));
    await service.putCategory(category, { legal_documents: { cg_url, ipid_url } });
  }
  await connectShop();
  close = await startWebhookServer();
  await startJobs();
});
afterAll(() => close());

it("are suggested together for the products, and all 90 references go on sale", async () => {
  await send({ intent: "read" });
  const { productTypes } = await ask(loader, path);
  const suggestion = productTypes.find(({ productType }) => productType === "Smartphone")?.suggestion ?? [];
  expect(suggestion).toEqual(FORMULAS);
  const [categoryId = null, ...otherCategoryIds] = suggestion;
  const conditions: Rule["conditions"] = [{ field: "product_type", value: "Smartphone" }];
  await save([
    { id: "phones", conditions, categoryId, otherCategoryIds },
    {
      id: "tablets",
      conditions: [{ field: "product_type", value: "Tablette" }],
      categoryId: "Smartphone Intégrale",
    },
  ]);
  await finished((await startRun(shop.shopDomain, "catalogue", "merchant")).id);
  expect(onSale().products).toHaveLength(90);
  const offers = offersNow();
  expect(offers.map(({ formula, term }) => `${formula} ${term}`)).toEqual(
    ["Casse", "Intégrale", "Casse et vol"].flatMap((formula) =>
      [12, 24, 36].map((term) => `${formula} ${term}`),
    ),
  );
});

it("show on the product's page, each with its guarantees and its own documents", async () => {
  const html = await (await fetch(`${shop.origin}/products/${phone.handle}`)).text();
  for (const name of ["Casse", "Intégrale", "Casse et vol"])
    expect(html).toMatch(new RegExp(`name="parasol-[^"]*-formula" value="${name}"`));
  for (const category of FORMULAS)
    for (const name of ["ipid", "conditions-generales"])
      expect(html).toContain(`href="${documentOf(category, name)}"`);
  const table = /<table[\s\S]*?<\/table>/.exec(html)?.[0] ?? "";
  expect(table.match(/(?<=<span>)[^<]+/g)).toEqual(["Casse", "Intégrale", "Casse et vol"]);
  const ticks = (point: string) =>
    new RegExp(`>${point}</th></tr>[\\s\\S]*?</tr>`).exec(table)?.[0].match(/[✓–]/g);
  expect(ticks("Panne")).toEqual(["–", "✓", "–"]);
});

it("tell the checkout that each is for the products of the universe", () => {
  for (const { plan } of offersNow()) {
    const { value = "" } = findMetafield(shop.state, gid("ProductVariant", plan), "$app", "band") ?? {};
    expect(
      z.tuple([z.int(), z.int(), z.string(), z.array(z.string())]).parse(JSON.parse(value))[3],
    ).toContain(categoryKey(FIRST));
  }
});

it("come from the app proxy as well, with the documents of each", async () => {
  const response = await askProxy(`variants=${variant.id}`);
  await conforms("get /offers", response);
  const document = z.object({ name: z.string(), ipid: z.string() });
  const { products, categories } = z
    .object({
      products: z.tuple([
        z.object({ category: z.string(), offers: z.array(z.looseObject({ reference_id: z.string() })) }),
      ]),
      categories: z.record(z.string(), z.object({ documents: z.array(document) })),
    })
    .parse(await response.json());
  expect(products[0].offers.map(({ reference_id }) => reference_id)).toEqual(
    offersNow().map(({ reference }) => reference),
  );
  expect(categories[products[0].category]?.documents.map(({ name, ipid }) => `${name} ${ipid}`)).toEqual([
    expect.stringMatching(/^Casse .*Smartphone%20Casse\/ipid$/),
    expect.stringMatching(/^Intégrale .*Smartphone%20Int%C3%A9grale\/ipid$/),
    expect.stringMatching(/^Casse et vol .*Smartphone%20Casse%20et%20vol\/ipid$/),
  ]);
});

it("are named by the merchant in a language, wherever they are chosen", async () => {
  const [first = "", second = ""] = FORMULAS.map(categoryKey);
  const settings = {
    touchpoints: { checkout: { on: true } },
    covers: {
      en: { [first]: { name: "Breakage" }, [second]: { name: "Everything", bullets: ["All of it"] } },
    },
  };
  expect(await ask(saveTouchpoints, "/app/touchpoints", { json: settings })).toEqual(success("saved"));
  const { categories: described } = await ask(touchpoints, "/app/touchpoints");
  expect(described.find(({ name }) => name === FIRST)?.formulas).toEqual([{ key: first, name: "Casse" }]);

  const productPage = async (locale: string) =>
    (await fetch(`${shop.origin}/products/${phone.handle}?locale=${locale}`)).text();
  const shownBy = (html: string) =>
    [...html.matchAll(/-formula" value="([^"]+)">\s*<span data-formula-name>([^<]+)/g)]
      .slice(0, 3)
      .map(([, ...names]) => names);
  expect(shownBy(await productPage("en"))).toEqual([
    ["Casse", "Breakage"],
    ["Intégrale", "Everything"],
    ["Casse et vol", "Casse et vol"],
  ]);
  expect(shownBy(await productPage("fr")).flat()).not.toContain("Breakage");

  const fromProxy = async (language: string) => {
    const answer: unknown = await (await askProxy(`variants=${variant.id}&language=${language}`)).json();
    const { products, categories } = z
      .object({
        products: z.tuple([z.object({ offers: z.array(z.object({ formula_name: z.string() })) })]),
        categories: z.record(z.string(), z.object({ documents: z.array(z.object({ name: z.string() })) })),
      })
      .parse(answer);
    return [
      new Set(products[0].offers.map((offer) => offer.formula_name)),
      new Set(categories[first]?.documents.map(({ name }) => name)),
    ];
  };
  const [named, unnamed] = [
    ["Breakage", "Everything", "Casse et vol"],
    ["Casse", "Intégrale", "Casse et vol"],
  ];
  expect(await fromProxy("en")).toEqual([new Set(named), new Set(named)]);
  for (const language of ["fr", "x;y"])
    expect(await fromProxy(encodeURIComponent(language))).toEqual([new Set(unnamed), new Set(unnamed)]);

  const written = findMetafield(shop.state, gid("Shop", shop.state.id), "$app", "checkout")?.value;
  const plan = readSettings(written).plans[first] ?? "";
  expect(readCatalogue(findMetafield(shop.state, plan, "$app", "checkout")?.value)?.names).toEqual({
    en: { Casse: "Breakage", Intégrale: "Everything" },
  });

  await grantOptionalScopes();
  await saveMerchantSettings(
    shop.shopDomain,
    { ...defaultMerchantSettings, sellsOnDrafts: true },
    staff("1"),
    null,
  );
  await eventually(async () =>
    expect(await db.merchant.findUnique({ where: { shop: shop.shopDomain } })).toMatchObject({
      canWriteDrafts: true,
    }),
  );
  const draft = createDraftOrder(shop.state, {
    email: "ana.appelle@example.com",
    billingAddress: customer,
    lines: [{ variantId: variant.id }],
  });
  const request = new Request(`http://app.test/staff/draft-orders/${draft.id}`, {
    headers: {
      authorization: `Bearer ${await sessionToken(shop.shopDomain)}`,
      "accept-language": "en-GB,en;q=0.9",
    },
  });
  const response = await draftForStaff({ request, params: { draftOrderId: draft.id }, context: {} });
  const { link, lines } = z
    .object({
      link: z.string(),
      lines: z.array(z.object({ offers: z.array(z.object({ formula: z.string() })) })),
    })
    .parse(await response.json());
  expect(new Set(lines[0]?.offers.map(({ formula }) => formula))).toEqual(new Set(named));
  const order = buy([{ variantId: variant.id, quantity: 1 }]);
  const pages = [
    [link, salePage],
    [insureLink(shop.shopDomain, order.id, "customer_account"), insurePage],
  ] as const;
  for (const [address, load] of pages) {
    const [, , name = "", part = ""] = new URL(address).pathname.split("/");
    const textIn = async (language: string) => {
      const asked = new Request(`${address}?language=${language}`);
      return (await load({ request: asked, params: { shop: name, link: part }, context: {} })).text();
    };
    await eventually(async () => expect(await textIn("en")).toContain("Everything"));
    expect(await textIn("fr")).not.toContain("Everything");
    expect(await textIn("fr")).toContain("Intégrale");
  }
  expect(await ask(saveTouchpoints, "/app/touchpoints", { json: {} })).toEqual(success("saved"));
});

it.each(FORMULAS)("become contracts: %s", async (category) => {
  const name = category.replace("Smartphone ", "");
  const offer = offersNow().find(({ term, formula }) => term === 24 && formula === name);
  const order = buy(
    [
      {
        variantId: variant.id,
        quantity: 1,
        properties: [
          { name: PAIR, value: "p1" },
          { name: OFFERED, value: "product_page" },
        ],
      },
      {
        variantId: offer?.plan ?? "",
        quantity: 1,
        properties: [
          { name: INSURED_VARIANT, value: variant.id },
          { name: REFERENCE, value: offer?.reference ?? "" },
          { name: CONSENT, value: "1 2026-11-20T09:59:00.000Z" },
          { name: PAIR, value: "p1" },
        ],
      },
    ],
    PAID,
  );
  await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  expect(await listContracts(order)).toMatchObject([{ offer_reference_id: offer?.reference }]);
  await eventually(async () =>
    expect(await findSalesRecord(order)).toMatchObject({
      line_items: [{ category_id: category, insurance_offered: true, insurance_selected: true }],
    }),
  );
  expect(await listOpenTasks(order)).toEqual([]);
});

it("are not judged in a cart while the insurer alone knows the offers of one of them", async () => {
  const [offer] = offersNow();
  const lines = [
    { key: "1", variant_id: variant.id, quantity: 1, price: 1, properties: { [PAIR]: "p1" } },
    {
      key: "2",
      variant_id: offer?.plan ?? "",
      quantity: 1,
      price: 1,
      properties: { [PAIR]: "p1", [INSURED_VARIANT]: variant.id, [REFERENCE]: offer?.reference ?? "" },
    },
  ];
  const changes = async () => (await checkCart(shop.shopDomain, cartLines.parse(lines), {}))?.changes;
  const setLive = (live: boolean) =>
    db.category.updateMany({
      where: { shop: shop.shopDomain, categoryId: "Smartphone Intégrale" },
      data: { live },
    });
  expect(await changes()).toEqual([{ key: "2", quantity: 0 }]);
  await setLive(true);
  expect(await changes()).toEqual([]);
  await setLive(false);
});

/** A shopper's session: adds an item and its plan to the cart as the storefront's script does, and pays. */
async function shopAs(insured: string, { plan, reference }: { plan: string; reference: string }) {
  const opened = await fetch(`${shop.origin}/cart.js`);
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const consent = `1 ${new Date().toISOString()}`;
  const offer: Offer = { term: 12, price: 0, billing: "annually", variant: plan, reference };
  const choice = { variant: insured, offer, consent };
  const pair = pairOf(insured, null);
  const items = [
    { id: insured, quantity: 1, properties: { [PAIR]: pair, [OFFERED]: "product_page" } },
    planItem(choice, pair, 1, "product_page"),
  ];
  const added = await fetch(`${shop.origin}/cart/add.js`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ items }),
  });
  expect(added.status).toBe(200);
  const cart = z
    .object({ items: z.array(z.object({ sku: z.string().nullable(), variant_id: z.coerce.string() })) })
    .parse(await (await fetch(`${shop.origin}/cart.js`, { headers: { cookie } })).json());
  const paid = await fetch(`${shop.origin}/checkout`, {
    method: "POST",
    headers: { cookie },
    body: new URLSearchParams({
      email: "lea@example.com",
      phone: "+33612345678",
      first_name: "Léa",
      last_name: "Martin",
      address1: "1 rue de la Paix",
      zip: "75002",
      city: "Paris",
    }),
    redirect: "manual",
  });
  return {
    inCart: cart.items.find(({ variant_id }) => variant_id === plan)?.sku,
    paid,
    order: shop.state.orders.get(paid.headers.get("location")?.split("/").at(-1) ?? ""),
  };
}

it("are bought as the screen shows them: 100 of 100 prices and choices, and the checkout accepts each", async () => {
  turnOnCartRule(shop);
  const { references } = await service.catalogue();
  const plans = new Map(
    [...compactCatalogues().values()].flatMap(({ bands }) =>
      bands.flatMap(({ offers }) => offers.map((offer) => [offer.variant, offer.reference] as const)),
    ),
  );
  const price = variant.price;
  const bought: { order: Order; category: string; reference: string }[] = [];
  for (const chosenPrice of fc.sample(fc.integer({ min: 5_000, max: 250_000 }), { numRuns: 100, seed: 7 })) {
    variant.price = chosenPrice;
    const html = await (await fetch(`${shop.origin}/products/${phone.handle}?locale=fr`)).text();
    const rows = html.matchAll(
      /value="(\d+)">\s*<span>\s*<b data-formula-name>([^<]*?) ·<\/b>\s*<span data-duration>(\d+) mois<\/span>/g,
    );
    const shown = [...rows].map(([, plan = "", formula = "", term]) => ({
      plan,
      formula,
      term: Number(term),
    }));
    const choice = shown[chosenPrice % Math.max(1, shown.length)];
    const category = `Smartphone ${choice?.formula ?? ""}`;
    // The insurer's own name of this formula and term at this price.
    const meant = references.find(
      (each) =>
        each.category_id === category &&
        each.term === choice?.term &&
        each.price_band_min <= chosenPrice &&
        chosenPrice <= each.price_band_max,
    )?.reference_id;
    const plan = choice?.plan ?? "";
    const { inCart, paid, order } = await shopAs(variant.id, { plan, reference: plans.get(plan) ?? "" });
    expect([chosenPrice, inCart, paid.status]).toEqual([chosenPrice, meant, 303]);
    if (order && meant !== undefined) bought.push({ order, category, reference: meant });
  }
  variant.price = price;
  expect(bought).toHaveLength(100);
  expect(new Set(bought.map(({ reference }) => reference)).size).toBeGreaterThan(40);
  for (const { order, category, reference } of bought) {
    await eventually(async () =>
      expect(await listContracts(order)).toMatchObject([{ offer_reference_id: reference, status: "active" }]),
    );
    await eventually(async () =>
      expect(await findSalesRecord(order)).toMatchObject({ line_items: [{ category_id: category }] }),
    );
  }
});

it("are refused at the checkout under a product that has another universe", async () => {
  const tablet = [...shop.state.products.values()].find(({ productType }) => productType === "Tablette");
  const [item] = tablet?.variants ?? [];
  if (!item) throw new Error("The shop has no tablet");
  item.tracked = false;
  const at = (category: string) =>
    (compactCatalogues().get(category)?.bands ?? [])
      .filter(({ min, max }) => min <= item.price && item.price <= max)
      .flatMap(({ offers }) => offers);
  for (const [category, status] of [
    ["Smartphone Intégrale", 303],
    ["Smartphone Casse", 422],
  ] as const) {
    const { variant: plan = "", reference = "" } = at(category)[0] ?? {};
    expect([category, (await shopAs(item.id, { plan, reference })).paid.status]).toEqual([category, status]);
  }
});

it("follow the rule: another order of formulas, and one less, reach the storefront", async () => {
  const { rules } = await ask(loader, path);
  const [phones] = rules;
  if (!phones) throw new Error("There are no rules");
  await save([{ ...phones, otherCategoryIds: ["Smartphone Casse et vol"] }]);
  const [run] = await listRuns(shop.shopDomain, "catalogue", 1);
  await finished(run?.id ?? "");
  expect([...new Set(offersNow().map(({ formula }) => formula))]).toEqual(["Casse", "Casse et vol"]);
  expect(onSale().products).toHaveLength(90);
});
