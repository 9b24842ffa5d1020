/**
 * Insurance on draft orders: the data of the admin's block, and the customer's choice at their own link. It covers any
 * sender, any request and any number of requests.
 */
import { sign } from "hono/jwt";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import { z } from "zod";
import { handleScopesUpdate } from "#app/merchants/lifecycle.server.ts";
import { saveMerchantSettings } from "#app/merchants/settings.server.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { staff } from "#app/audit/actor.ts";
import { db } from "#app/platform/db.server.ts";
import { action as confirmSale, loader as showSale } from "#app/routes/sales.$shop.$link.tsx";
import { action as mailLink, loader } from "#app/routes/staff.draft-orders.$draftOrderId.tsx";
import { loader as paidOrder } from "#app/routes/staff.orders.$orderId.tsx";
import { loader as orderPage } from "#app/routes/app.orders.$orderId/route.tsx";
import { CONSENT, INSURED_VARIANT, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import { openBrowser } from "#test/browser.ts";
import { applyRules, sync } from "#test/catalogue/world.ts";
import { eventually } from "#test/eventually.ts";
import { allowSale, connectShop, nameInsurer } from "#test/install.ts";
import { insurerTexts } from "#test/insurer-texts.ts";
import { startJobs } from "#test/job-worker.ts";
import { customer } from "#test/orders/references.ts";
import { grantOptionalScopes, readItemStates, startWebhookServer } from "#test/orders/selling-shop.ts";
import { completeDraftOrder, createDraftOrder, type NewDraftLine } from "#test/sandbox/shop/draft-orders.ts";
import type { DraftOrder, Variant } from "#test/sandbox/shop/state.ts";
import { bundle } from "#test/sandbox/shop/ui-extensions/bundle.ts";
import { hostPage } from "#test/sandbox/shop/ui-extensions/page.ts";
import { insurance, mailbox, otherShop, secrets, sessionToken, shop } from "#test/world.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { openConsents } from "#app/orders/sealed.server.ts";
import { responseOf } from "./ask.ts";
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
  await startJobs();
  await grantOptionalScopes();
  await turnOn();
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

/** A draft order with a phone, as staff enter it during a call. */
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
/** The customer's responses from the link, and requests to it. */
function visit(link: string, fields?: Record<string, string>): Promise<Response> {
  const [, , name = "", part = ""] = new URL(link).pathname.split("/");
  const request =
    fields === undefined
      ? new Request(link)
      : new Request(link, { method: "POST", body: new URLSearchParams(fields) });
  return responseOf(
    (fields ? confirmSale : showSale)({ request, params: { shop: name, link: part }, context: {} }),
  );
}

const view = z.object({
  state: z.literal("ready"),
  link: z.string(),
  until: z.string(),
  mail: z.object({
    problem: z.string().nullable(),
    to: z.string(),
    last: z.object({ state: z.string() }).nullable(),
  }),
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

/** The form of a customer who ticks the consent: the first offer of the first line. */
async function choiceOf(draft: DraftOrder, changes: Record<string, string> = {}) {
  const { lines, link } = await viewOf(draft);
  const [line] = lines;
  const [offer] = line?.offers ?? [];
  if (!line || !offer) throw new Error("Nothing is offered");
  const { reference, priceMinor } = offer;
  const fields = {
    line: line.uuid,
    offer: `${priceMinor} ${reference}`,
    quantity: "1",
    agreed: "yes",
    ...changes,
  };
  return { link, fields, offer };
}
/** @returns the status and the page's text */
async function confirm(link: string, fields: Record<string, string>) {
  const response = await visit(link, fields);
  return { status: response.status, text: await response.text() };
}
async function add(draft: DraftOrder, changes: Record<string, string> = {}): Promise<number> {
  const { link, fields } = await choiceOf(draft, changes);
  return (await confirm(link, fields)).status;
}

const plansOf = (draft: DraftOrder) =>
  draft.lines.filter(({ properties }) => properties.some(({ name }) => name === REFERENCE));
const propertiesOf = (line: DraftOrder["lines"][number] | undefined) =>
  Object.fromEntries((line?.properties ?? []).map(({ name, value }) => [name, value]));

test("a plan that the customer confirms by their own link becomes a contract with their consent and its time", async () => {
  const draft = draftOf();
  const { lines, link } = await viewOf(draft);
  expect(lines).toMatchObject([{ uuid: draft.lines[0]?.uuid, quantity: 1, insured: 0, reason: null }]);
  expect(lines[0]?.offers.length).toBeGreaterThan(1);
  const page = await (await visit(`${link}?language=fr`)).text();
  for (const part of [
    "Assurance pour votre commande",
    draft.name,
    "Conditions générales",
    "IPID",
    "24\u00A0mois",
    "Vous pouvez renoncer à cette assurance sans frais pendant 30",
    "Vérifiez d’abord que vous n’êtes pas déjà couvert par une autre assurance.",
  ])
    expect(page).toContain(part);
  for (const personal of ["ana.appelle@example.com", customer.last_name, customer.address1])
    expect(page).not.toContain(personal);
  expect(page).not.toContain('checked=""');
  const { fields, offer } = await choiceOf(draft);
  expect((await visit(`${link}?language=fr`, fields)).status).toBe(303);
  const [plan] = plansOf(draft);
  expect(plan).toMatchObject({ quantity: 1, priceOverride: offer.priceMinor });
  expect(propertiesOf(plan)).toMatchObject({ [INSURED_VARIANT]: phone.id, [REFERENCE]: offer.reference });
  const noted = propertiesOf(plan)[CONSENT] ?? "";
  expect(noted).toMatch(/^Par le lien personnel du client, \d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC \(/);
  expect(noted).toContain("J’ai lu les conditions générales");
  expect((await viewOf(draft)).lines).toMatchObject([{ insured: 1 }]);
  expect(await (await visit(link)).text()).toContain("The insurance is in your order.");

  const order = completeDraftOrder(shop.state, draft.id);
  await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
  expect(item.contractId).not.toBeNull();
  const { sealedConsents } = await db.order.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
  const consents = openConsents(await dataKeyOf(domain), order.id, sealedConsents);
  expect(consents).toEqual({ [item.lineId]: noted });
  expect(await db.task.count({ where: { shop: domain, orderId: order.id } })).toBe(0);
  const entry = await db.auditEntry.findFirstOrThrow({ where: { shop: domain, action: "draft_plan_added" } });
  expect(entry).toMatchObject({ actorKind: "system", actorId: "customer_request", subject: draft.id });
  expect(entry.after).toEqual({ reference: offer.reference, plans: 1 });
  const request = new Request(`http://app.test/app/orders/${order.id}`, { headers: await headersOf({}) });
  const shown = await orderPage({ request, params: { orderId: order.id }, context: {} });
  expect(JSON.stringify(shown)).toContain("J’ai lu les conditions générales");
  expect(await (await visit(link)).text()).toContain("This order is paid");
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
  expect(await add(draft, { quantity: "2" })).toBe(303);
  const withoutIds = (lines: DraftOrder["lines"]) => lines.map((line) => ({ ...line, id: "" }));
  expect(withoutIds(draft.lines.slice(0, 2))).toEqual(withoutIds(before.lines));
  expect({ ...draft, lines: [], updatedAt: "" }).toEqual({ ...before, lines: [], updatedAt: "" });
  expect(plansOf(draft)).toMatchObject([{ quantity: 2 }]);
});

test("of two lines of one product each gets its own plan", async () => {
  const draft = draftOf([{ variantId: phone.id }, { variantId: phone.id }]);
  const [, second] = draft.lines;
  expect(await add(draft, { line: second?.uuid ?? "" })).toBe(303);
  expect((await viewOf(draft)).lines.map(({ insured }) => insured)).toEqual([0, 1]);
  expect(propertiesOf(draft.lines[1])[PAIR]).toBe(propertiesOf(plansOf(draft)[0])[PAIR]);
  expect(await add(draft)).toBe(303);
  const order = completeDraftOrder(shop.state, draft.id);
  await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "active"]));
});

test("a plan's number that staff raise after the confirmation asks for consent again, and is no contract without it", async () => {
  const draft = draftOf([{ variantId: phone.id }]);
  expect(await add(draft)).toBe(303);
  for (const line of draft.lines) line.quantity = 3;
  const { lines, link } = await viewOf(draft);
  expect(lines).toMatchObject([{ quantity: 3, insured: 1 }]);
  expect(await (await visit(link)).text()).toContain("Items to insure");
  // Paid as it is: one contract, and a question about the others.
  const unasked = completeDraftOrder(shop.state, draft.id);
  await eventually(async () =>
    expect((await readItemStates(unasked)).toSorted()).toEqual(["active", "attention", "attention"]),
  );
  expect(
    await db.task.findMany({ where: { shop: domain, orderId: unasked.id, closedAt: null } }),
  ).toMatchObject([{ kind: "check_plan", details: { finding: "no_consent" } }]);
  // Confirmed: three contracts, none twice.
  const again = draftOf([{ variantId: phone.id }]);
  expect(await add(again)).toBe(303);
  for (const line of again.lines) line.quantity = 3;
  expect(await add(again, { quantity: "2" })).toBe(303);
  expect(plansOf(again).map(({ quantity }) => quantity)).toEqual([1, 2]);
  const asked = completeDraftOrder(shop.state, again.id);
  await eventually(async () => expect(await readItemStates(asked)).toEqual(["active", "active", "active"]));
});

describe("nothing is added", () => {
  const unchanged = async (
    draft: DraftOrder,
    { link, fields }: { link: string; fields: Record<string, string> },
    status: number,
    words = "",
  ) => {
    const before = structuredClone(draft);
    const page = await confirm(link, fields);
    expect(page.status).toBe(status);
    expect(page.text).toContain(words);
    expect(draft).toEqual(before);
  };

  it("twice: for two confirmations at once, or where the line is insured already", async () => {
    const draft = draftOf();
    const { link, fields } = await choiceOf(draft);
    const pages = await Promise.all([1, 2, 3].map(() => confirm(link, fields)));
    expect(pages.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(plansOf(draft)).toHaveLength(1);
    await unchanged(draft, { link, fields }, 303);
    expect(await db.auditEntry.count({ where: { shop: domain, subject: draft.id } })).toBe(1);
  });

  it("over what is confirmed for another line at the same moment", async () => {
    const draft = draftOf([{ variantId: phone.id }, { variantId: phone.id, quantity: 3 }]);
    const [first, second] = draft.lines;
    const choices = await Promise.all([
      choiceOf(draft, { line: first?.uuid ?? "" }),
      choiceOf(draft, { line: second?.uuid ?? "", quantity: "3" }),
    ]);
    const pages = await Promise.all(choices.map(({ link, fields }) => confirm(link, fields)));
    expect(pages.map(({ status }) => status)).toEqual([303, 303]);
    expect((await viewOf(draft)).lines.map(({ insured }) => insured)).toEqual([1, 3]);
  });

  it("at another price or reference than the offer's, or for another line: the page says that it has changed", async () => {
    const draft = draftOf();
    const { link, fields, offer } = await choiceOf(draft);
    for (const change of [
      { offer: `${offer.priceMinor - 1} ${offer.reference}` },
      { offer: `${offer.priceMinor} NO-SUCH` },
      { line: "another" },
    ])
      await unchanged(draft, { link, fields: { ...fields, ...change } }, 409, "nothing was added");
    await unchanged(draft, { link, fields: { ...fields, quantity: "2" } }, 303);
  });

  it("is allowed to countries and companies that the merchant named", async () => {
    await allowSale({ countries: ["FR", "RE"], companies: true });
    const shippingAddress = { ...customer, country_code: "RE", zip: "97400" };
    const draft = draftOf([{ variantId: phone.id }], { shippingAddress, company: { id: "77" } });
    expect((await viewOf(draft)).problem).toBeNull();
    expect(await add(draft)).toBe(303);
    await turnOn();
  });

  it("whose band does not fit the price that staff agreed on", async () => {
    const draft = draftOf();
    const choice = await choiceOf(draft);
    const line = draft.lines[0];
    if (line) line.priceOverride = 100;
    await unchanged(draft, choice, 409, "has changed");
    expect((await viewOf(draft)).lines[0]).toMatchObject({ offers: [], reason: "no_offer_at_price" });
  });

  it.each([
    ["completed", { status: "COMPLETED" } as const, "This order is paid"],
    ["other_currency", { presentmentCurrency: "USD" }, "Contact the shop"],
    [
      "other_country",
      { shippingAddress: { ...customer, country_code: "RE", zip: "97400" } },
      "Contact the shop",
    ],
    ["company", { company: { id: "77" } }, "Contact the shop"],
  ])("to a draft order that is %s", async (problem, changes, words) => {
    const { fields } = await choiceOf(draftOf());
    const draft = draftOf([{ variantId: phone.id }], changes);
    const { link } = await viewOf(draft);
    await unchanged(draft, { link, fields: { ...fields, line: draft.lines[0]?.uuid ?? "" } }, 200, words);
    expect((await viewOf(draft)).problem).toBe(problem);
  });

  it("where the lines cannot be sent back whole: a bundle, a deleted variant, too many", async () => {
    const { fields } = await choiceOf(draftOf());
    const components = [{ uuid: "part", variantId: phone.id, quantity: 1 }];
    const bundle = draftOf([{ variantId: phone.id, components }]);
    const many = draftOf(Array.from({ length: 101 }, () => ({ variantId: phone.id })));
    const gone = draftOf();
    if (gone.lines[0]) gone.lines[0].variantId = "1";
    for (const draft of [bundle, many, gone]) {
      const { link } = await viewOf(draft);
      const own = { ...fields, line: draft.lines[0]?.uuid ?? "" };
      await unchanged(draft, { link, fields: own }, 200, "Contact the shop");
    }
  });

  it("without the customer's tick, or with what no page sends", async () => {
    const draft = draftOf();
    const { link, fields } = await choiceOf(draft);
    const unticked = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "agreed"));
    const odd: Record<string, string>[] = [
      unticked,
      { ...fields, agreed: "true" },
      { ...fields, quantity: "0" },
      { ...fields, quantity: "1.5" },
      { ...fields, quantity: "1e9" },
      { ...fields, offer: "x" },
      { ...fields, line: "x".repeat(101) },
    ];
    for (const each of odd) await unchanged(draft, { link, fields: each }, 409, "tick that you have read");
    expect((await visit(link, { ...fields, line: "x".repeat(20_000) })).status).toBe(413);
    for (const id of ["x", "1;DROP", "9".repeat(21), ""]) expect((await look(id)).status).toBe(404);
  });

  it("while Shopify does not answer: nothing is lost, and afterwards it is added", async () => {
    const draft = draftOf();
    const choice = await choiceOf(draft);
    shop.faults.add({ operation: "admin", status: 500, times: 20 });
    await unchanged(draft, choice, 503, "Nothing is lost");
    shop.faults.clear();
    expect((await confirm(choice.link, choice.fields)).status).toBe(303);
    expect(plansOf(draft)).toHaveLength(1);
  });
});

describe("the link by email", () => {
  const address = (draft: DraftOrder) => draft.email ?? "";
  const mailsTo = (to: string) => mailbox.received.filter((each) => each.to.includes(to));
  async function send(draft: DraftOrder, body: object = { language: "de" }, sender: Sender = {}) {
    const headers = await headersOf(sender);
    headers.set("content-type", "application/json");
    const url = `http://app.test/staff/draft-orders/${draft.id}`;
    const request = new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
    return answered(mailLink({ request, params: { draftOrderId: draft.id }, context: {} }));
  }
  const stateOf = async (response: Promise<Response>) =>
    z.object({ state: z.string() }).parse(await (await response).json()).state;
  let customers = 0;
  const ownDraft = (changes: Partial<DraftOrder> = {}) =>
    draftOf(undefined, { email: `sale${(customers += 1)}@example.com`, ...changes });

  it("goes to the customer once for any number of clicks, in their language, and works", async () => {
    const draft = ownDraft();
    const { mail, link, until } = await viewOf(draft);
    expect(mail).toEqual({ problem: null, to: `s•••@example.com`, last: null });
    const sent = await Promise.all([1, 2, 3].map(() => stateOf(send(draft))));
    expect(sent.toSorted()).toEqual(["mailing", "not_mailed", "not_mailed"]);
    await eventually(async () => expect((await viewOf(draft)).mail.last?.state).toBe("sent"));
    expect((await viewOf(draft)).mail.problem).toBe("sent_today");
    const [received, ...others] = mailsTo(address(draft));
    expect(others).toEqual([]);
    expect(received?.subject).toContain(`Versicherung`);
    expect(received?.subject).toContain(draft.name);
    expect(received?.text).toContain(`${link}?language=de`);
    expect(received?.text).toContain(until.slice(0, 4));
    expect(received?.html).not.toMatch(/<img|<link|<script|url\(|undefined|\{/);
    expect((await visit(`${link}?language=de`)).status).toBe(200);
    const where = { shop: domain, draftOrderId: draft.id };
    // The app stores no customer data after the outcome is known.
    expect(await db.outgoingMail.findMany({ where })).toMatchObject([{ sealed: null, orderId: null }]);
    const noted = await db.auditEntry.findMany({
      where: { shop: domain, action: "draft_link_mailed", subject: draft.id },
    });
    expect(noted).toMatchObject([{ actorKind: "staff" }]);
  });

  it("that is not delivered is said to be so, and may go to a corrected address", async () => {
    const draft = ownDraft();
    mailbox.faults.push("refuse");
    expect(await stateOf(send(draft))).toBe("mailing");
    await eventually(async () => expect((await viewOf(draft)).mail.last?.state).toBe("refused"));
    expect(await db.task.count({ where: { shop: domain, kind: "mail_refused" } })).toBe(0);
    expect(await stateOf(send(draft))).toBe("not_mailed");
    draft.email = "corrected@example.com";
    expect(await stateOf(send(draft))).toBe("mailing");
    await eventually(() => expect(mailsTo("corrected@example.com")).toHaveLength(1));
  });

  it("is not sent without an address or an offer, to another shop's customer, or in a language that is none", async () => {
    const draft = ownDraft({ email: null });
    expect((await viewOf(draft)).mail.problem).toBe("no_address");
    expect(await stateOf(send(draft))).toBe("not_mailed");
    expect(await stateOf(send(ownDraft({ email: "ana@" })))).toBe("not_mailed");
    expect(await stateOf(send(ownDraft({ status: "COMPLETED" })))).toBe("not_mailed");
    const own = ownDraft();
    const status = async (body: object, sender?: Sender) => (await send(own, body, sender)).status;
    expect(await status({ language: "xx" })).toBe(400);
    expect(await status({ language: "fr" }, { token: null })).toBe(401);
    expect(await stateOf(send(own, { language: "fr" }, { domain: otherShop.shopDomain }))).not.toBe(
      "mailing",
    );
    expect(mailsTo(address(own))).toEqual([]);
  });
});

describe("a link that is wrong, another shop's or over", () => {
  it("shows nothing and adds nothing", async () => {
    const draft = draftOf();
    const { link, fields } = await choiceOf(draft);
    const before = structuredClone(draft);
    // Two bits of the signature's last character (A, Q, g or w) are significant.
    const next = { A: "B", Q: "R", g: "h", w: "x" }[link.slice(-1)];
    expect(next).toBeDefined();
    for (const wrong of [
      `${link.slice(0, -1)}${next}`,
      `${link.slice(0, -1)}${link.endsWith("A") ? "Q" : "A"}`,
      link.replace(domain, otherShop.shopDomain),
      link.replace("/sales/", "/quotes/").replace(/-\d{8}\./, "-29991231."),
    ]) {
      const { status, text } = await confirm(wrong, fields);
      expect([wrong, status]).toEqual([wrong, 404]);
      expect(text).not.toContain(draft.name);
    }
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 9 * 86_400_000 });
    const late = await confirm(link, fields).finally(() => vi.useRealTimers());
    expect(late.status).toBe(410);
    expect(late.text).toContain("This link has expired");
    expect(draft).toEqual(before);
  });

  it("adds nothing where the merchant does not sell on draft orders any more", async () => {
    const draft = draftOf();
    const { link, fields } = await choiceOf(draft);
    await turnOn(false);
    expect((await confirm(link, fields)).status).toBe(503);
    await turnOn();
    expect(plansOf(draft)).toEqual([]);
  });
});

describe("the merchant and Shopify decide who sells", () => {
  it("nothing is shown while it is off, not permitted, or Shopify withholds orders", async () => {
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
    const theirs = { domain: otherShop.shopDomain };
    expect(await (await look(draft.id, theirs)).json()).toMatchObject({ state: "not_found" });
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
    expect((await look(draftOf().id, { token: await token() })).status).toBe(401);
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

test("staff copy the link, the customer confirms without script, and the contract is in the paid order's block, in one browser", async () => {
  await nameInsurer();
  const draft = draftOf();
  const app = await serveRoutes({
    "/staff/draft-orders/:draftOrderId": { loader },
    "/sales/:shop/:link": { loader: showSale, action: confirmSale },
    "/staff/orders/:orderId": { loader: paidOrder },
  });
  const browser = await openBrowser([app.flag]);
  /** An admin page that staff have open. */
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
    const message = await eventually(
      async () => (await sale.locator("s-text-area").getAttribute("value")) ?? null,
    );
    expect(message).toContain(draft.name);
    const link = /https?:\S+/.exec(message)?.[0] ?? "";
    const context = await browser.newContext({
      javaScriptEnabled: false,
      locale: "fr-FR",
      viewport: { width: 320, height: 700 },
    });
    const own = await context.newPage();
    await own.goto(link.replace(/^https?:\/\/[^/]+/, "http://app.test"));
    // Who insures, where to complain and where to withdraw, before the choice: one click away.
    expect(await own.innerText("body")).toContain(`Assuré par ${insurerTexts.insurer}`);
    await own.getByText("En savoir plus").click();
    const text = await own.innerText("body");
    expect(text).toContain(`${insurerTexts.insurer}, ${insurerTexts.insurer_address}`);
    expect(text).toContain(`Réclamations\u00a0: ${insurerTexts.complaints}`);
    const withdraw = own.getByRole("link", { name: "Renoncer à votre contrat d’assurance ici" });
    expect(await withdraw.getAttribute("href")).toBe(`http://app.test/withdrawals/${domain}?language=fr`);
    // Yes and no look the same, and a no may be taken back.
    const lookOf = (element: Element) => {
      const { backgroundColor, borderColor, color, fontWeight, height, textDecorationLine } =
        getComputedStyle(element);
      return { backgroundColor, borderColor, color, fontWeight, height, textDecorationLine };
    };
    await own.setViewportSize({ width: 1280, height: 700 });
    const yes = own.getByRole("button", { name: "Confirmer avec obligation de paiement" });
    const no = own.getByRole("link", { name: "Sans assurance" });
    expect(await no.evaluate(lookOf)).toEqual(await yes.evaluate(lookOf));
    await own.setViewportSize({ width: 320, height: 700 });
    await no.click();
    await own.getByText("Rien n’a été ajouté et rien ne sera débité.").waitFor();
    expect(await own.getByRole("radio").count()).toBe(0);
    await own.getByRole("link", { name: "Revoir l’assurance" }).click();
    await own.getByRole("radio").first().check();
    await own.getByRole("checkbox").check();
    expect(plansOf(draft)).toEqual([]);
    await yes.click();
    await own.getByText("L’assurance est dans votre commande.").waitFor();
    expect(plansOf(draft)).toHaveLength(1);
    const block = await show(
      "admin.draft-order-details.block.render",
      `gid://shopify/DraftOrder/${draft.id}`,
    );
    await eventually(async () => expect(await block.innerText("body")).toContain("1 of 1 insured"));
    const order = completeDraftOrder(shop.state, draft.id);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
    const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
    const paid = await show("admin.order-details.block.render", `gid://shopify/Order/${order.id}`);
    await eventually(async () => expect(await paid.innerText("body")).toContain(item.contractId));
  } finally {
    await browser.close();
    await app.close();
  }
});
