/**
 * Insurance on draft orders: what the admin's block may read and add, for any sender, any request and any number of
 * them.
 */
import { sign } from "hono/jwt";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { startWorker } from "#app/jobs/worker.server.ts";
import { handleScopesUpdate } from "#app/merchants/lifecycle.server.ts";
import { saveMerchantSettings } from "#app/merchants/settings.server.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { staff } from "#app/audit/actor.ts";
import { db } from "#app/platform/db.server.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { action, loader } from "#app/routes/staff.draft-orders.$draftOrderId.tsx";
import { loader as paidOrder } from "#app/routes/staff.orders.$orderId.tsx";
import { loader as orderPage } from "#app/routes/app.orders.$orderId/route.tsx";
import { CONSENT, INSURED_VARIANT, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import { openBrowser } from "#test/browser.ts";
import { applyRules, sync } from "#test/catalogue/world.ts";
import { eventually } from "#test/eventually.ts";
import { allowSale, connectShop } from "#test/install.ts";
import { customer } from "#test/plans/references.ts";
import { grantOptionalScopes, readUnitStates, startWebhookServer } from "#test/plans/selling-shop.ts";
import { completeDraftOrder, createDraftOrder, type NewDraftLine } from "#test/sandbox/shop/draft-orders.ts";
import type { DraftOrder, Variant } from "#test/sandbox/shop/state.ts";
import { bundle } from "#test/sandbox/shop/ui-extensions/bundle.ts";
import { hostPage } from "#test/sandbox/shop/ui-extensions/page.ts";
import { insurance, otherShop, secrets, sessionToken, shop } from "#test/world.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { openConsent } from "#app/plans/ledger/sealed.server.ts";
import { NAMELESS_STAFF } from "#test/sandbox/shop/admin/staff.ts";
import { signSessionToken } from "#test/sandbox/shop/auth/session-token.ts";
import { serveRoutes, USER_AGENT } from "./serve.ts";

const domain = shop.shopDomain;
const PHONES = "Smartphone casse et vol";

let phone: Variant;
let closeWebhookServer: () => Promise<void>;
beforeAll(async () => {
  await connectShop();
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
  await applyRules([
    { id: "phones", conditions: [{ field: "product_type", value: "Smartphone" }], categoryId: PHONES },
  ]);
  await sync();
  closeWebhookServer = await startWebhookServer();
  await startWorker(jobHandlers);
  grantOptionalScopes();
  await turnOn();
  await eventually(async () =>
    expect(await db.merchant.findUnique({ where: { shop: domain } })).toMatchObject({ canWriteDrafts: true }),
  );
  const found = [...shop.state.products.values()].find(({ productType }) => productType === "Smartphone");
  const [variant] = found?.variants ?? [];
  if (!variant) throw new Error("The demo shop has no smartphone");
  variant.tracked = false;
  phone = variant;
});
afterAll(() => closeWebhookServer());
beforeEach(() => {
  shop.faults.clear();
});

const turnOn = (sellsOnDrafts = true) =>
  saveMerchantSettings(domain, { ...defaultMerchantSettings, sellsOnDrafts }, staff("1"), null);

/** A draft order with a phone, as staff write it on the phone. */
const draftOf = (lines: NewDraftLine[] = [{ variantId: phone.id }], changes: Partial<DraftOrder> = {}) =>
  createDraftOrder(shop.state, {
    email: "ana.appelle@example.com",
    billingAddress: customer,
    ...changes,
    lines,
  });

interface Sender {
  token?: string | null;
  domain?: string;
}
const address = (id: string) => `http://app.test/staff/draft-orders/${id}`;
async function headersOf({ token, domain: of = domain }: Sender) {
  const headers = new Headers({ origin: "https://extensions.shopifycdn.com" });
  const used = token === undefined ? await sessionToken(of) : token;
  if (used !== null) headers.set("authorization", `Bearer ${used}`);
  return headers;
}
const answered = async (response: Promise<Response>) => {
  const given = await response.catch((thrown: unknown) => thrown);
  if (!(given instanceof Response)) throw given;
  expect(given.headers.get("access-control-allow-origin")).toBe("*");
  return given;
};
async function look(id: string, sender: Sender = {}): Promise<Response> {
  const request = new Request(address(id), { headers: await headersOf(sender) });
  return answered(loader({ request, params: { draftOrderId: id }, context: {} }));
}
async function send(id: string, body: unknown, sender: Sender = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = new Request(address(id), { method: "POST", body: text, headers: await headersOf(sender) });
  return answered(action({ request, params: { draftOrderId: id }, context: {} }));
}

const view = z.object({
  state: z.literal("ready"),
  seller: z.string().nullable(),
  problem: z.string().nullable(),
  lines: z.array(
    z.object({
      uuid: z.string(),
      insured: z.int(),
      quantity: z.int(),
      reason: z.string().nullable(),
      documents: z.array(z.object({ conditions: z.string(), ipid: z.string() })),
      offers: z.array(z.object({ reference: z.string(), months: z.int(), priceMinor: z.int() })),
    }),
  ),
});
const viewOf = async ({ id }: DraftOrder) => view.parse(await (await look(id)).json());

/** What the block sends after the customer's consent: the first offer of the first line. */
async function saleOf(draft: DraftOrder, changes: Record<string, unknown> = {}) {
  const [line] = (await viewOf(draft)).lines;
  const [offer] = line?.offers ?? [];
  if (!line || !offer) throw new Error("Nothing is offered");
  const { reference, priceMinor } = offer;
  return { uuid: line.uuid, reference, priceMinor, quantity: 1, agreed: true, ...changes };
}
const add = async (
  draft: DraftOrder,
  changes: Record<string, unknown> = {},
  sender: Sender = {},
): Promise<unknown> => (await send(draft.id, await saleOf(draft, changes), sender)).json();

const sold = async (draft: DraftOrder, sale: object): Promise<unknown> => (await send(draft.id, sale)).json();

const plansOf = (draft: DraftOrder) =>
  draft.lines.filter(({ properties }) => properties.some(({ name }) => name === REFERENCE));
const propertiesOf = (line: DraftOrder["lines"][number] | undefined) =>
  Object.fromEntries((line?.properties ?? []).map(({ name, value }) => [name, value]));

test("a plan sold on the phone becomes a contract with the name of its seller", async () => {
  const draft = draftOf();
  const { seller, lines } = await viewOf(draft);
  expect(seller).toBe("Camille Martin");
  expect(lines).toMatchObject([{ uuid: draft.lines[0]?.uuid, quantity: 1, insured: 0, reason: null }]);
  expect(lines[0]?.offers.length).toBeGreaterThan(1);
  expect(lines[0]?.documents[0]?.conditions).toMatch(/^https?:/);
  const sale = await saleOf(draft);
  expect(await (await send(draft.id, sale)).json()).toEqual({ state: "added" });
  const [plan] = plansOf(draft);
  expect(plan).toMatchObject({ quantity: 1, priceOverride: sale.priceMinor });
  expect(propertiesOf(plan)).toMatchObject({ [INSURED_VARIANT]: phone.id, [REFERENCE]: sale.reference });
  expect((await viewOf(draft)).lines).toMatchObject([{ insured: 1 }]);

  const order = completeDraftOrder(shop.state, draft.id);
  await eventually(async () => expect(await readUnitStates(order)).toEqual(["active"]));
  const unit = await db.insuredUnit.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
  expect(unit.contractId).not.toBeNull();
  const words = openConsent(await dataKeyOf(domain), unit);
  expect(words).toBe(propertiesOf(plan)[CONSENT]);
  expect(words).toContain("Camille Martin");
  expect(await db.task.count({ where: { shop: domain, orderId: order.id } })).toBe(0);
  const entry = await db.auditEntry.findFirstOrThrow({ where: { shop: domain, action: "draft_plan_added" } });
  expect(entry).toMatchObject({ actorKind: "staff", actorId: "1", subject: draft.id });
  expect(entry.after).toEqual({ reference: sale.reference, plans: 1 });
  const request = new Request(`http://app.test/app/orders/${order.id}`, { headers: await headersOf({}) });
  const page = await orderPage({ request, params: { orderId: order.id }, context: {} });
  expect(JSON.stringify(page)).toContain("Camille Martin");
});

test("everything else of the draft order stays as it is", async () => {
  const discount = {
    title: "Geste",
    description: "Ami",
    value: 5,
    valueType: "PERCENTAGE" as const,
  };
  const draft = draftOf(
    [
      { variantId: phone.id, quantity: 2, discount, properties: [{ name: "Gravure", value: "É" }] },
      {
        custom: { title: "Emballage", price: 350, sku: "EMB", requiresShipping: true, taxable: false },
      },
    ],
    { discount, discountCodes: ["AMI"], shipping: { title: "Express", price: 900 } },
  );
  const before = structuredClone(draft);
  expect(await add(draft, { quantity: 2 })).toEqual({ state: "added" });
  const withoutIds = (lines: DraftOrder["lines"]) => lines.map((line) => ({ ...line, id: "" }));
  expect(withoutIds(draft.lines.slice(0, 2))).toEqual(withoutIds(before.lines));
  expect({ ...draft, lines: [], updatedAt: "" }).toEqual({ ...before, lines: [], updatedAt: "" });
  expect(plansOf(draft)).toMatchObject([{ quantity: 2 }]);
});

test("of two lines of one product each gets its own plan", async () => {
  const draft = draftOf([{ variantId: phone.id }, { variantId: phone.id }]);
  const [, second] = draft.lines;
  expect(await add(draft, { uuid: second?.uuid })).toEqual({ state: "added" });
  expect((await viewOf(draft)).lines.map(({ insured }) => insured)).toEqual([0, 1]);
  expect(propertiesOf(draft.lines[1])[PAIR]).toBe(propertiesOf(plansOf(draft)[0])[PAIR]);
  expect(await add(draft)).toEqual({ state: "added" });
  const order = completeDraftOrder(shop.state, draft.id);
  await eventually(async () => expect(await readUnitStates(order)).toEqual(["active", "active"]));
});

describe("nothing is added", () => {
  const unchanged = async (draft: DraftOrder, body: Record<string, unknown>, state: unknown) => {
    const before = structuredClone(draft);
    expect(await (await send(draft.id, body)).json()).toEqual(state);
    expect(draft).toEqual(before);
  };

  it("twice: for a double click, or where the line is insured already", async () => {
    const draft = draftOf();
    const sale = await saleOf(draft);
    const states = await Promise.all([1, 2, 3].map(() => sold(draft, sale)));
    expect(states).toEqual(expect.arrayContaining([{ state: "added" }, { state: "insured" }]));
    expect(plansOf(draft)).toHaveLength(1);
    await unchanged(draft, sale, { state: "insured" });
  });

  it("over what somebody else adds at the same moment", async () => {
    const draft = draftOf([{ variantId: phone.id }, { variantId: phone.id, quantity: 3 }]);
    const [first, second] = draft.lines;
    const sales = await Promise.all([
      saleOf(draft, { uuid: first?.uuid }),
      saleOf(draft, { uuid: second?.uuid, quantity: 3 }),
    ]);
    const states = await Promise.all(sales.map((sale) => sold(draft, sale)));
    expect(states).toEqual([{ state: "added" }, { state: "added" }]);
    expect((await viewOf(draft)).lines.map(({ insured }) => insured)).toEqual([1, 3]);
  });

  it("at another price or reference than the offer's, for another line, or for more items", async () => {
    const draft = draftOf();
    const sale = await saleOf(draft);
    for (const change of [
      { priceMinor: sale.priceMinor - 1 },
      { reference: "NO-SUCH" },
      { uuid: "another" },
    ]) {
      await unchanged(draft, { ...sale, ...change }, { state: "changed" });
    }
    await unchanged(draft, { ...sale, quantity: 2 }, { state: "insured" });
  });

  it("is allowed to countries and companies that the merchant named", async () => {
    await allowSale({ countries: ["FR", "RE"], companies: true });
    const shippingAddress = { ...customer, country_code: "RE", zip: "97400" };
    const draft = draftOf([{ variantId: phone.id }], { shippingAddress, company: { id: "77" } });
    expect((await viewOf(draft)).problem).toBeNull();
    const result: unknown = await (await send(draft.id, await saleOf(draft))).json();
    expect(result).toEqual({ state: "added" });
    await turnOn();
  });

  it("whose band does not fit the price that staff agreed on", async () => {
    const draft = draftOf();
    const sale = await saleOf(draft);
    const line = draft.lines[0];
    if (line) line.priceOverride = 100;
    await unchanged(draft, sale, { state: "changed" });
    expect((await viewOf(draft)).lines[0]).toMatchObject({ offers: [], reason: "no_offer_at_price" });
  });

  it.each([
    ["completed", { status: "COMPLETED" } as const],
    ["other_currency", { presentmentCurrency: "USD" }],
    ["other_country", { shippingAddress: { ...customer, country_code: "RE", zip: "97400" } }],
    ["company", { company: { id: "77" } }],
  ])("to a draft order that is %s", async (problem, changes) => {
    const sale = await saleOf(draftOf());
    const draft = draftOf([{ variantId: phone.id }], changes);
    await unchanged(draft, { ...sale, uuid: draft.lines[0]?.uuid }, { state: "problem", problem });
    expect((await viewOf(draft)).problem).toBe(problem);
  });

  it("where the lines cannot be sent back whole: a bundle, a deleted variant, too many", async () => {
    const sale = await saleOf(draftOf());
    const components = [{ uuid: "part", variantId: phone.id, quantity: 1 }];
    const bundle = draftOf([{ variantId: phone.id, components }]);
    const many = draftOf(Array.from({ length: 101 }, () => ({ variantId: phone.id })));
    const gone = draftOf();
    if (gone.lines[0]) gone.lines[0].variantId = "1";
    for (const [draft, problem] of [
      [bundle, "bundle"],
      [many, "many_lines"],
      [gone, "deleted_variant"],
    ] as const)
      await unchanged(draft, { ...sale, uuid: draft.lines[0]?.uuid }, { state: "problem", problem });
  });

  it("without the consent, or with what no block sends", async () => {
    const draft = draftOf();
    const sale = await saleOf(draft);
    const before = structuredClone(draft);
    const odd = [
      { ...sale, agreed: false },
      { ...sale, agreed: undefined },
      { ...sale, quantity: 0 },
      { ...sale, quantity: 1.5 },
      { ...sale, quantity: 1e9 },
      { ...sale, priceMinor: "1" },
      { ...sale, consent: "1 2026-11-20T09:59:00.000Z" },
      { ...sale, uuid: "x".repeat(101) },
      [],
      "{",
    ];
    for (const body of odd) expect((await send(draft.id, body)).status).toBe(400);
    expect((await send(draft.id, { ...sale, seller: "x".repeat(2_000_000) })).status).toBe(413);
    for (const id of ["x", "1;DROP", "9".repeat(21), ""]) expect((await look(id)).status).toBe(404);
    expect(draft).toEqual(before);
  });

  it("while the platform does not answer, and afterwards it is added", async () => {
    const draft = draftOf();
    const sale = await saleOf(draft);
    shop.faults.add({ operation: "admin", status: 500, times: 20 });
    await unchanged(draft, sale, { state: "unavailable" });
    shop.faults.clear();
    expect(await (await send(draft.id, sale)).json()).toEqual({ state: "added" });
  });
});

describe("the merchant and the platform decide who sells", () => {
  it("nothing is shown while it is off, not permitted, or the platform withholds orders", async () => {
    const draft = draftOf();
    const stateOf = async () =>
      z.object({ state: z.string() }).parse(await (await look(draft.id)).json()).state;
    await turnOn(false);
    expect(await stateOf()).toBe("off");
    await turnOn();
    await db.merchant.update({ where: { shop: domain }, data: { canWriteDrafts: false } });
    expect(await stateOf()).toBe("no_permission");
    await db.merchant.update({ where: { shop: domain }, data: { canWriteDrafts: true } });
    shop.webhooks.behaviour.approvedForOrders = false;
    expect(await stateOf()).toBe("no_access");
    shop.webhooks.behaviour.approvedForOrders = true;
    expect(await stateOf()).toBe("ready");
  });

  it("a name that was typed counts only where the platform says none", async () => {
    const draft = draftOf([{ variantId: phone.id }, { variantId: phone.id }]);
    expect(await add(draft, { seller: "Mallory Menteuse" })).toEqual({ state: "added" });
    expect(propertiesOf(plansOf(draft)[0])[CONSENT]).toContain("Camille Martin");
    const claims = { ...shop, shopDomain: domain, userId: NAMELESS_STAFF, sessionId: "s1" };
    const nameless = { token: await signSessionToken(claims) };
    const uuid = draft.lines[1]?.uuid;
    expect(await add(draft, { uuid }, nameless)).toEqual({ state: "seller_missing" });
    expect(await add(draft, { uuid, seller: "Nora" }, nameless)).toEqual({ state: "seller_missing" });
    expect(await add(draft, { uuid, seller: "Nora Nom" }, nameless)).toEqual({ state: "added" });
    expect(propertiesOf(plansOf(draft)[1])[CONSENT]).toContain("Nora Nom");
  });

  it("another shop's staff find no draft order of this shop", async () => {
    await saveMerchantSettings(
      otherShop.shopDomain,
      { ...defaultMerchantSettings, sellsOnDrafts: true },
      staff("1"),
      null,
    );
    const { installation } = otherShop.state;
    if (!installation) throw new Error("The app is not installed");
    installation.scopes = [...shop.app.scopes, ...shop.app.optionalScopes];
    await handleScopesUpdate(otherShop.shopDomain);
    const draft = draftOf();
    const sale = await saleOf(draft);
    const before = structuredClone(draft);
    const theirs = { domain: otherShop.shopDomain };
    expect(await (await look(draft.id, theirs)).json()).toMatchObject({ state: "not_found" });
    expect(await (await send(draft.id, sale, theirs)).json()).toEqual({ state: "not_found" });
    expect(draft).toEqual(before);
  });

  const seconds = (offset: number) => Math.floor(Date.now() / 1_000) + offset;
  const customerToken = () =>
    sign(
      {
        dest: domain,
        aud: secrets.apiKey,
        sub: "gid://shopify/Customer/1",
        exp: seconds(300),
        nbf: seconds(0),
        iat: seconds(0),
        jti: "1",
      },
      secrets.apiSecret,
      "HS256",
    );
  it.each<[string, () => Promise<string | null>]>([
    ["no token", () => Promise.resolve(null)],
    ["a customer's token", customerToken],
    ["a token signed with another secret", () => sessionToken(domain, "not the app's secret")],
  ])("a request with %s receives nothing, in a way that the extension can read", async (_, token) => {
    const draft = draftOf();
    const before = structuredClone(draft);
    const sale = await saleOf(draft);
    expect((await look(draft.id, { token: await token() })).status).toBe(401);
    expect((await send(draft.id, sale, { token: await token() })).status).toBe(401);
    expect(draft).toEqual(before);
  });

  it("the browser's question beforehand is answered without a token", async () => {
    const request = new Request(address("1"), {
      method: "OPTIONS",
      headers: { origin: "https://extensions.shopifycdn.com" },
    });
    const response = await answered(loader({ request, params: { draftOrderId: "1" }, context: {} }));
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-headers")).toContain("Authorization");
  });
});

test("staff insure a draft order in three clicks, and its contract is in the paid order's block, in one browser", async () => {
  const draft = draftOf();
  const app = await serveRoutes({
    "/staff/draft-orders/:draftOrderId": { loader, action },
    "/staff/orders/:orderId": { loader: paidOrder },
  });
  const browser = await openBrowser([app.flag]);
  /** One of the admin's pages, with what staff have open. */
  async function show(target: string, selected: string) {
    const page = await browser.newPage({ userAgent: USER_AGENT });
    const given = { language: "en", signals: {}, app: "http://app.test" } as const;
    await page.setContent(
      await hostPage({ target, ...given, token: await sessionToken(domain), selected: [selected] }),
    );
    await page.addScriptTag({ content: await bundle(target) });
    return page;
  }
  try {
    const sale = await show(
      "admin.draft-order-details.action.render",
      `gid://shopify/DraftOrder/${draft.id}`,
    );
    await sale.locator("s-choice").first().click();
    await sale.locator("s-checkbox").click();
    expect(plansOf(draft)).toEqual([]);
    await sale.locator("s-button[variant=primary]").click();
    await eventually(async () => expect(await sale.innerText("body")).toContain("Added."));
    expect(plansOf(draft)).toHaveLength(1);
    const block = await show(
      "admin.draft-order-details.block.render",
      `gid://shopify/DraftOrder/${draft.id}`,
    );
    await eventually(async () => expect(await block.innerText("body")).toContain("1 of 1 insured"));
    const order = completeDraftOrder(shop.state, draft.id);
    await eventually(async () => expect(await readUnitStates(order)).toEqual(["active"]));
    const unit = await db.insuredUnit.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
    const paid = await show("admin.order-details.block.render", `gid://shopify/Order/${order.id}`);
    await eventually(async () => expect(await paid.innerText("body")).toContain(unit.contractId));
  } finally {
    await browser.close();
    await app.close();
  }
});
