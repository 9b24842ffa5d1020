/** Three categories that are the formulas of one universe: from the first page to the contract of each. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { findRun, listRuns, startRun } from "#app/catalogue/runs/runs.server.ts";
import { startWorker } from "#app/jobs/worker.server.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { action, loader } from "#app/routes/app.products._index/route.tsx";
import { loader as proxyOffers } from "#app/routes/proxy.offers.tsx";
import { CONSENT, INSURED_VARIANT, OFFERED, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { conforms } from "#test/openapi/proxy-document.ts";
import {
  buy,
  findSalesRecord,
  listContracts,
  listOpenTasks,
  readUnitStates,
  startWebhookServer,
} from "#test/plans/selling-shop.ts";
import { ask, valueOf } from "#test/routes/ask.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { secrets, shop } from "#test/world.ts";
import { compactCatalogues, onSale, service } from "./world.ts";

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

/** What the storefront embeds for the phone's price: formula and term of each offer, with its plan and reference. */
const offersNow = () =>
  (compactCatalogues().get(FIRST)?.bands ?? [])
    .filter(([min, max]) => min <= variant.price && variant.price <= max)
    .flatMap(([, , offers]) => offers)
    .map(([term, , , plan, reference, formula]) => ({ term, plan, reference, formula }));

beforeAll(async () => {
  await service.reset("categories");
  // The storefront links to https alone.
  for (const category of FORMULAS) {
    const [cg_url, ipid_url] = ["conditions-generales", "ipid"].map((name) => documentOf(category, name));
    await service.putCategory(category, { legal_documents: { cg_url, ipid_url } });
  }
  await connectShop();
  close = await startWebhookServer();
  await startWorker(jobHandlers);
});
afterAll(() => close());

it("are suggested together for the products, and all 90 references go on sale", async () => {
  await send({ intent: "read" });
  const { productTypes } = await ask(loader, path);
  const suggestion = productTypes.find(({ productType }) => productType === "Smartphone")?.suggestion ?? [];
  expect(suggestion).toEqual(FORMULAS);
  const [categoryId = null, ...otherCategoryIds] = suggestion;
  const conditions: Rule["conditions"] = [{ field: "product_type", value: "Smartphone" }];
  await save([{ id: "phones", conditions, categoryId, otherCategoryIds }]);
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
  expect(html).toMatch(/<b>Intégrale<\/b>[\s\S]*?<li>Panne<\/li>/);
});

it("come from the app proxy as well, with the documents of each", async () => {
  const query = signedQuery(new URLSearchParams(`variants=${variant.id}`), "/apps/parasol", {
    shopDomain: shop.shopDomain,
    apiSecret: secrets.apiSecret,
  });
  const response = await proxyOffers({
    request: new Request(`http://app.test/proxy/offers?${query.toString()}`),
    params: {},
    context: {},
  });
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
  await eventually(async () => expect(await readUnitStates(order)).toEqual(["active"]));
  expect(await listContracts(order)).toMatchObject([{ offer_reference_id: offer?.reference }]);
  await eventually(async () =>
    expect(await findSalesRecord(order)).toMatchObject({
      line_items: [{ category_id: category, insurance_offered: true, insurance_selected: true }],
    }),
  );
  expect(await listOpenTasks(order)).toEqual([]);
});

it("follow the rule: another order of formulas, and one less, reach the storefront", async () => {
  const { rules } = await ask(loader, path);
  await save(rules.map((rule) => ({ ...rule, otherCategoryIds: ["Smartphone Casse et vol"] })));
  const [run] = await listRuns(shop.shopDomain, "catalogue", 1);
  await finished(run?.id ?? "");
  expect([...new Set(offersNow().map(({ formula }) => formula))]).toEqual(["Casse", "Casse et vol"]);
  expect(onSale().products).toHaveLength(90);
});
