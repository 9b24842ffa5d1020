/**
 * A shop sells no insurance while its account accepts no contracts or its merchant pauses the sale. It sells again
 * afterwards.
 */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { staff } from "#app/audit/actor.ts";
import { cancelRun, listRuns, startRun } from "#app/catalogue/runs/runs.server.ts";
import { compactCatalogue } from "#app/catalogue/sync/compact-catalogue.ts";
import { db } from "#app/platform/db.server.ts";
import { action as catalogueAction } from "#app/routes/app.catalogue._index/route.tsx";
import { action as connectionAction } from "#app/routes/app.connection/route.tsx";
import { loader as goLive } from "#app/routes/app.go-live/route.tsx";
import { action as sellingAction } from "#app/routes/app.selling.tsx";
import { loader as inspector } from "#app/routes/app.products.inspector/route.tsx";
import { action as saveSettings, loader as settingsPage } from "#app/routes/app.settings/route.tsx";
import { loader as shell } from "#app/routes/app.tsx";
import { action as checkCart } from "#app/routes/proxy.cart.tsx";
import { loader as offers } from "#app/routes/proxy.offers.tsx";
import { action as receive } from "#app/routes/webhooks.tsx";
import { success } from "#app/ui/action-result.ts";
import { applyRules, onSale, planProducts, service, sync } from "#test/catalogue/world.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { startJobs } from "#test/job-worker.ts";
import { ask } from "#test/routes/ask.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { webhookPayload } from "#test/sandbox/shop/webhooks/payloads.ts";
import { insurance, secrets, shop, webhookRequest } from "#test/world.ts";

const PHONES = "Smartphone casse et vol";
const { shopDomain, state } = shop;

const account = {
  intent: "connect",
  environment: "test",
  testToken: "yes",
  storeId: insurance.store_id,
  token: insurance.token_test,
  organisationToken: "",
};
const connect = () => ask(connectionAction, "/app/connection", { form: account });
const disconnect = () =>
  ask(connectionAction, "/app/connection", { form: { intent: "disconnect", environment: "test" } });
const change = (to: string) => ask(sellingAction, "/app/selling", { form: { to } });
const said = async () => (await ask(shell, "/app")).account;

const proxy = (query = "") =>
  `?${signedQuery(new URLSearchParams(query), "/apps/parasol", { shopDomain, apiSecret: secrets.apiSecret }).toString()}`;

function phone() {
  const found = [...state.products.values()].find(({ productType }) => productType === "Smartphone");
  if (!found) throw new Error("The shop has no smartphone");
  return found;
}

const page = async () => (await fetch(`${shop.origin}/products/${phone().handle}`)).text();

const answered = z.object({
  products: z.array(z.object({ reason: z.string().nullable(), offers: z.array(z.unknown()) })),
});
async function offered() {
  const request = new Request(`http://app.test/proxy/offers${proxy(`variants=${phone().variants[0]?.id}`)}`);
  const response = await offers({ request, params: {}, context: {} });
  return answered.parse(await response.json()).products[0];
}

const corrections = z.object({ changes: z.array(z.object({ key: z.string(), quantity: z.int() })) });
/** The proxy's answer for a plan that fits its product. */
async function planInCart() {
  const [line] = onSaleBefore;
  const variant = phone().variants[0];
  const lines = [
    {
      key: "phone",
      variant_id: variant?.id,
      quantity: 1,
      price: variant?.price,
      properties: { _parasol_pair: "p" },
    },
    {
      key: "plan",
      variant_id: line?.variant,
      quantity: 1,
      price: line?.price,
      properties: {
        _parasol_pair: "p",
        _parasol_reference: line?.reference,
        _parasol_variant: variant?.id,
      },
    },
  ];
  const request = new Request(`http://app.test/proxy/cart${proxy()}`, {
    method: "POST",
    body: JSON.stringify({ lines }),
  });
  const response = await checkCart({ request, params: {}, context: {} });
  return corrections.parse(await response.json()).changes;
}
let onSaleBefore: { reference: string; variant: string; price: number }[] = [];

const functionSees = () => {
  const written = findMetafield(state, gid("Shop", state.id), "$app", "sale")?.value ?? "{}";
  return z.looseObject({ selling: z.boolean().optional() }).parse(JSON.parse(written)).selling;
};

beforeAll(async () => {
  await connectShop();
  // Liquid shows no offer without https links to the documents.
  const documents = { cg_url: "https://a.example/cg", ipid_url: "https://a.example/ipid" };
  await service.putCategory(PHONES, { legal_documents: documents });
  await applyRules([
    { id: "phones", conditions: [{ field: "product_type", value: "Smartphone" }], categoryId: PHONES },
  ]);
  await sync();
  await startJobs();
  const app = gid("AppInstallation", state.installation?.id ?? "");
  const written = [...state.metafields.values()].filter(
    ({ ownerId, namespace }) => ownerId === app && namespace === "catalogue",
  );
  const price = phone().variants[0]?.price ?? 0;
  onSaleBefore = written
    .map(({ value }) => compactCatalogue.parse(JSON.parse(value)))
    .filter(({ category }) => category === PHONES)
    .flatMap(({ bands }) => bands.filter(({ min, max }) => min <= price && price <= max))
    .flatMap(({ offers }) => offers)
    .map(({ reference, variant, price: amount }) => ({ reference, variant, price: amount }));
  for (const variant of phone().variants) variant.tracked = false;
  await sells();
});

afterEach(async () => {
  insurance.faults.clear();
  await connect();
  await change("resumed");
  await sells();
});

const activeRuns = () => db.syncRun.count({ where: { shop: shopDomain, active: true } });

async function sells(): Promise<void> {
  await eventually(async () => {
    expect(onSale().products.length).toBeGreaterThan(50);
    expect(onSale().compact).toHaveLength(onSale().products.length);
    expect(functionSees()).toBe(true);
    expect(await activeRuns()).toBe(0);
    expect(await page()).toContain("<parasol-offer");
  });
  expect((await offered())?.offers).not.toEqual([]);
  expect(await planInCart()).toEqual([]);
  expect((await said()).stop).toBeNull();
}

/** At once: everything that a shopper sees. Soon afterwards, by a run in the history: the plan products. */
async function sellsNothing(stop: string): Promise<void> {
  expect(await page()).not.toContain("<parasol-offer");
  expect(functionSees()).toBe(false);
  expect(await offered()).toMatchObject({ offers: [] });
  expect(await planInCart()).toEqual([{ key: "plan", quantity: 0 }]);
  expect((await said()).stop).toBe(stop);
  await eventually(async () => {
    expect(await activeRuns()).toBe(0);
    expect(new Set(planProducts().map(({ status }) => status))).toEqual(new Set(["DRAFT"]));
    expect(onSale()).toEqual({ products: [], compact: [] });
  });
  await eventually(async () => {
    const [last] = await db.syncRun.findMany({
      where: { shop: shopDomain, kind: "catalogue" },
      orderBy: { createdAt: "desc" },
      take: 1,
    });
    expect(last).toMatchObject({ reason: "selling", state: "done" });
  });
}

describe("the sale stops at once, and comes back with the catalogue", () => {
  it("with an account that is disconnected", async () => {
    expect(await disconnect()).toEqual(success("disconnected"));
    await sellsNothing("disconnected");
    expect(await offered()).toMatchObject({ reason: "not_connected" });
  });

  it("with a pause, whose staff the history names", async () => {
    expect(await change("paused")).toEqual(success("paused"));
    await sellsNothing("paused");
    expect(await offered()).toMatchObject({ reason: "not_selling" });
    // A second click, a manually published product and a scheduled sync change nothing.
    await change("paused");
    for (const product of planProducts()) product.status = "ACTIVE";
    await sync();
    expect(new Set(planProducts().map(({ status }) => status))).toEqual(new Set(["DRAFT"]));
    expect(onSale()).toEqual({ products: [], compact: [] });
    await change("resumed");
    const actions = { in: ["selling_paused", "selling_resumed"] };
    const noted = await db.auditEntry.findMany({
      where: { shop: shopDomain, action: actions },
      orderBy: { at: "asc" },
    });
    expect(noted.map(({ action, actorKind }) => `${action} ${actorKind}`)).toEqual([
      "selling_paused staff",
      "selling_resumed staff",
    ]);
  });

  it("with a token that the insurer refuses", async () => {
    insurance.faults.add({ operation: "*", kind: "status", status: 401, times: null });
    const check = { intent: "check", environment: "test" };
    await ask(connectionAction, "/app/connection", { form: check });
    await eventually(() => expect(functionSees()).toBe(false));
    await sellsNothing("refused");
    insurance.faults.clear();
    // Without any action: the check of the account continues.
    await sells();
  });

  it("and a reconnected account stays paused where the merchant has paused", async () => {
    await change("paused");
    await disconnect();
    await sellsNothing("disconnected");
    await connect();
    expect((await said()).stop).toBe("paused");
    expect(onSale().products).toEqual([]);
  });
});

/** The job ten seconds later does not help if the run takes longer, or if the job fails then, too. */
const dropJob = () =>
  db.$executeRaw`DELETE FROM pgboss.job WHERE name = 'storefront-settings' AND start_after > now()`;

/** A run has read the plan products, and continues when the returned function is called. */
async function holdRun(start: () => Promise<unknown>): Promise<() => void> {
  const release = shop.api.bulk.hold("QUERY");
  await start();
  await eventually(() =>
    shop.api.bulk.all().some(({ status, objects }) => status === "RUNNING" && objects > 0),
  );
  return release;
}

describe("a change during a run is not lost", () => {
  it.each([
    ["paused", () => change("paused")],
    ["disconnected", disconnect],
  ])("where the shop is %s while it comes on sale", async (stop, act) => {
    await change("paused");
    await sellsNothing("paused");
    const release = insurance.faults.hold("offers.list");
    await change("resumed");
    await eventually(() => expect(insurance.faults.list).toEqual([]));
    await act();
    await dropJob();
    release();
    await sellsNothing(stop);
  });

  it("where the sale is resumed while the plans go off sale", async () => {
    const release = await holdRun(() => change("paused"));
    await change("resumed");
    await dropJob();
    release();
    await sells();
  });

  it("where the run is stopped, and something else was to follow it, too", async () => {
    const release = await holdRun(() => startRun(shopDomain, "catalogue", "merchant"));
    await disconnect();
    const { id } = await startRun(shopDomain, "catalogue", "currency");
    await cancelRun(shopDomain, id, staff("1"));
    await dropJob();
    release();
    await sellsNothing("disconnected");
  });

  it("where the run fails, and is retried without an account", async () => {
    shop.faults.add({ operation: "ParasolBulkRead", status: 403, times: null });
    await disconnect();
    await dropJob();
    await eventually(async () => {
      const [last] = await listRuns(shopDomain, "catalogue", 1);
      expect(last).toMatchObject({ reason: "selling", state: "failed" });
    });
    shop.faults.clear();
    await ask(catalogueAction, "/app/catalogue", { form: { intent: "sync" } });
    await sellsNothing("disconnected");
  });
});

describe("a reference that the rule of sale refuses", () => {
  const decide = async (sale: object) => {
    const { settings } = await ask(settingsPage, "/app/settings");
    const json = { intent: "save", settings: { ...settings, sale: { ...settings.sale, ...sale } } };
    expect(await ask(saveSettings, "/app/settings", { json })).toEqual(success());
  };
  const sold = () =>
    [onSale().products, onSale().compact].map((all) => all.map((each) => each.split(" ")[0]));
  const rule = async () => (await ask(goLive, "/app/go-live")).sale;

  it("is on sale nowhere until the merchant allows it, which Go live lists", async () => {
    const [monthly, dear] = onSaleBefore.map(({ reference }) => reference);
    if (monthly === undefined || dear === undefined) throw new Error("The band has fewer than two offers");
    const before = (await service.catalogue()).references.filter(({ reference_id }) =>
      [monthly, dear].includes(reference_id),
    );
    await service.putReference(monthly, { billing: "monthly" });
    await service.putReference(dear, { price: 250_000 });
    await sync();
    for (const references of sold()) expect(references).not.toEqual(expect.arrayContaining([monthly]));
    for (const references of sold()) expect(references).not.toEqual(expect.arrayContaining([dear]));
    expect(await rule()).toMatchObject({
      rule: {
        countries: ["FR"],
        companies: false,
        monthly: false,
        registrationNumber: "",
        maxQuoteAgeDays: null,
      },
      refused: { monthly: 1, yearly_premium: 1 },
      currency: "EUR",
      countries: [{ value: "FR" }],
    });
    await decide({ monthly: true, registrationNumber: "07 001 234" });
    await eventually(() => {
      for (const references of sold()) expect(references).toEqual(expect.arrayContaining([monthly, dear]));
    });
    expect(await rule()).toMatchObject({ refused: {}, rule: { registrationNumber: "07 001 234" } });
    await decide({ monthly: false, registrationNumber: "" });
    await eventually(() => {
      for (const references of sold()) expect(references).not.toContain(monthly);
    });
    // The run that unpublished it has read the references already.
    await eventually(async () => expect(await activeRuns()).toBe(0));
    for (const { reference_id, ...fields } of before) await service.putReference(reference_id, fields);
    await sync();
  });
});

describe("the sale goes on", () => {
  it("through an outage", async () => {
    insurance.faults.add({ operation: "*", kind: "status", status: 503, times: null });
    await ask(connectionAction, "/app/connection", { form: { intent: "check", environment: "test" } });
    expect(await said()).toMatchObject({ state: "unreachable", stop: null });
    expect(await page()).toContain("<parasol-offer");
    expect(onSale().products.length).toBeGreaterThan(50);
  });
});

it("is in the shop's own country where the merchant has chosen none, also once the shop has moved", async () => {
  const countries = () => {
    const written = findMetafield(state, gid("Shop", state.id), "$app", "sale")?.value ?? "{}";
    return z.object({ countries: z.array(z.string()) }).parse(JSON.parse(written)).countries;
  };
  const { country } = state;
  expect(countries()).toEqual([country]);
  for (const moved of ["BE", country]) {
    state.country = moved;
    const payload = webhookPayload(state, { topic: "shop/update" }, { protectedCustomerData: true });
    const request = webhookRequest("shop/update", payload);
    expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
    await eventually(() => expect(countries()).toEqual([moved]));
  }
});

it("ends for a product that becomes a bundle, whatever the rules say, and Diagnosis says why", async () => {
  const variant = phone().variants[0]?.id ?? "";
  const diagnosis = async () =>
    (await ask(inspector, `/app/products/inspector?variant=${variant}`)).result?.blocking?.outcome;
  const becomes = async (isBundle: boolean) => {
    phone().requiresComponents = isBundle;
    const event = { topic: "products/update" as const, product: phone() };
    const payload = webhookPayload(state, event, { protectedCustomerData: true });
    const request = webhookRequest("products/update", payload);
    expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
  };
  expect(await page()).toContain("<parasol-offer");
  expect(await offered()).toMatchObject({ reason: null });
  await becomes(true);
  await eventually(async () => expect(await page()).not.toContain("<parasol-offer"));
  expect(await offered()).toEqual({ reason: "excluded", offers: [] });
  expect(await diagnosis()).toBe("excluded_by_bundle");
  await becomes(false);
  await eventually(async () => expect(await page()).toContain("<parasol-offer"));
  expect(await diagnosis()).not.toBe("excluded_by_bundle");
});

it("sells again as soon as a merchant who removed the app has it again", async () => {
  expect(await page()).toContain("<parasol-offer");
  const payload = webhookPayload(state, { topic: "app/uninstalled" }, { protectedCustomerData: true });
  shop.uninstall();
  const request = webhookRequest("app/uninstalled", payload);
  expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
  const where = { shop: shopDomain };
  await eventually(async () =>
    expect((await db.merchant.findUnique({ where }))?.uninstalledAt).not.toBeNull(),
  );
  shop.install();
  expect(await page()).not.toContain("<parasol-offer");
  await ask(shell, "/app");
  await eventually(async () => expect(await page()).toContain("<parasol-offer"));
});

it("sells again where the notice of the removal comes only after the next installation", async () => {
  const payload = webhookPayload(state, { topic: "app/uninstalled" }, { protectedCustomerData: true });
  shop.uninstall();
  shop.install();
  // The old token has expired, so the next visit brings a new one.
  await db.session.deleteMany({ where: { shop: shopDomain } });
  await ask(shell, "/app");
  expect(await page()).not.toContain("<parasol-offer");
  const request = webhookRequest("app/uninstalled", payload);
  expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
  await eventually(async () => expect(await page()).toContain("<parasol-offer"));
});
