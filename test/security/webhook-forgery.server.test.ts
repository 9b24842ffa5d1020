/**
 * One secret signs webhooks, session tokens and launch URLs, and a webhook's topic and shop are in unsigned headers. A
 * person with any signed text must not be able to act for another shop.
 */
import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { eraseDueShops } from "#app/privacy/shop-erasure.server.ts";
import { db } from "#app/platform/db.server.ts";
import { action as receive } from "#app/routes/webhooks.tsx";
import { topics } from "#app/webhooks/topics.ts";
import { processWebhook } from "#app/webhooks/process-webhook.server.ts";
import { sessionStorage } from "#app/shopify/sessions.server.ts";
import { webhookInboxId } from "#app/shopify/webhook.server.ts";
import { connectShop } from "#test/install.ts";
import { databasePrint, rowsWith } from "#test/routes/database-print.ts";
import { openFullShop } from "#test/routes/full-shop.ts";
import type { FullShop } from "#test/routes/full-shop.ts";
import { webhookPayload } from "#test/sandbox/shop/webhooks/payloads.ts";
import { insurance, otherShop, secrets, sessionToken, shop, webhookRequest } from "#test/world.ts";

const victim = shop.shopDomain;
const attacker = otherShop.shopDomain;

let full: FullShop;
beforeAll(async () => {
  full = await openFullShop();
  await connectShop(attacker, insurance.stores.at(-1));
});

interface Signed {
  body: string;
  /** as in the header: base64 */
  signature: string;
}

/** A session token's parts: `<header>.<claims>`, which Shopify signs for every person who opens the admin. */
async function signedPartsOfSessionToken(): Promise<Signed> {
  const [header = "", claims = "", signature = ""] = (await sessionToken(attacker)).split(".");
  return {
    body: `${header}.${claims}`,
    signature: Buffer.from(signature, "base64url").toString("base64"),
  };
}

/** The query of a launch URL, as Shopify signs it. */
function signedLaunchQuery(): Signed {
  const body = `embedded=1&host=YWRtaW4&shop=${attacker}&timestamp=${Math.floor(Date.now() / 1_000)}`;
  return { body, signature: createHmac("sha256", secrets.apiSecret).update(body).digest("base64") };
}

async function send(topic: string, { body, signature }: Signed, webhookId: string): Promise<number> {
  const request = webhookRequest(topic, body, { domain: victim, signature, webhookId });
  const { status } = await receive({ request, params: {}, context: {} });
  await processWebhook({ shop: victim, inboxId: webhookInboxId(topic, webhookId) });
  return status;
}

test("a body of megabytes of lists in lists is none of Shopify's, and not parsed", async () => {
  const body = `{"id":1,"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
  const signature = createHmac("sha256", secrets.apiSecret).update(body).digest("base64");
  const parse = vi.spyOn(JSON, "parse");
  expect(await send("orders/paid", { body, signature }, "deep")).toBe(401);
  expect(parse.mock.calls.some(([text]) => text === body)).toBe(false);
  parse.mockRestore();
});

test.each([
  ["two signatures in its header", (signature: string) => `${signature}, ${signature}`],
  ["a signature without its padding", (signature: string) => signature.replace(/=+$/, "")],
  ["a signature with something after it", (signature: string) => `${signature}x`],
])("a webhook with %s is none", async (_what, alter) => {
  const body = JSON.stringify({ id: 1 });
  const signature = createHmac("sha256", secrets.apiSecret).update(body).digest("base64");
  expect(await send("orders/paid", { body, signature: alter(signature) }, "altered")).toBe(401);
});

test("a webhook of a shop in punycode, whose name looks like another's, is none", async () => {
  const request = webhookRequest("orders/paid", { id: 1 }, { domain: "xn--lumen-9ta.myshopify.com" });
  expect((await receive({ request, params: {}, context: {} })).status).toBe(400);
});

describe.each([
  ["the parts of a session token", signedPartsOfSessionToken],
  ["the query of a launch address", async () => Promise.resolve(signedLaunchQuery())],
])("%s of another shop, sent as a signed webhook body,", (what, signed) => {
  test.each(topics)("is refused as %s and changes nothing", async (topic) => {
    const before = await databasePrint(victim);
    expect(await send(topic, await signed(), `${what} ${topic}`)).toBe(401);
    expect(await databasePrint(victim)).toEqual(before);
  });
});

test.each(["app/uninstalled", "shop/redact"] as const)(
  "a genuine %s of another shop under this shop's name is the other shop's",
  async (topic) => {
    const before = await databasePrint(victim);
    const payload = webhookPayload(otherShop.state, { topic }, { protectedCustomerData: true });
    const request = webhookRequest(topic, payload, { domain: victim, webhookId: `foreign ${topic}` });
    expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
    expect(await databasePrint(victim)).toEqual(before);
    const id = webhookInboxId(topic, `foreign ${topic}`);
    expect(await db.webhook.findMany({ where: { id }, select: { shop: true } })).toEqual([
      { shop: attacker },
    ]);
  },
);

test("a webhook of a shop that has changed its address is the shop's that its signed body names", async () => {
  const payload = webhookPayload(shop.state, { topic: "shop/update" }, { protectedCustomerData: true });
  const request = webhookRequest("shop/update", payload, {
    domain: "lumen-renamed.myshopify.com",
    webhookId: "renamed shop",
  });
  expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
  const id = webhookInboxId("shop/update", "renamed shop");
  expect(await db.webhook.findMany({ where: { id }, select: { shop: true } })).toEqual([{ shop: victim }]);
});

test("the signed body of an order that is not cancelled cancels nothing, whatever topic its header names", async () => {
  const order = shop.state.orders.get(full.ids["orderId"] ?? "");
  if (!order) throw new Error("The order is gone");
  const contracts = JSON.stringify(insurance.plans());
  const body = webhookPayload(shop.state, { topic: "orders/paid", order }, { protectedCustomerData: true });
  const request = webhookRequest("orders/cancelled", body, { webhookId: "renamed" });
  expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
  await processWebhook({ shop: victim, inboxId: webhookInboxId("orders/cancelled", "renamed") });
  expect(await db.insuredItem.findFirst({ where: { shop: victim, orderId: order.id } })).toMatchObject({
    wanted: true,
    state: "active",
  });
  expect(JSON.stringify(insurance.plans())).toBe(contracts);
});

test("the scopes of another shop, or of long ago, are not this shop's: Shopify is queried", async () => {
  const granted = shop.state.installation?.scopes ?? [];
  const foreign = [["read_products"], [...granted, ...shop.app.optionalScopes]];
  for (const [index, current] of foreign.entries()) {
    const webhookId = `foreign scopes ${index}`;
    const event = { topic: "app/scopes_update", previous: granted, current } as const;
    const payload = webhookPayload(otherShop.state, event, { protectedCustomerData: true });
    const request = webhookRequest(event.topic, payload, { domain: victim, webhookId });
    expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
    await processWebhook({ shop: victim, inboxId: webhookInboxId(event.topic, webhookId) });
    const [session] = await sessionStorage.findSessionsByShop(victim);
    expect(session?.scope?.split(",").sort()).toEqual([...granted].sort());
    expect(await db.merchant.findUnique({ where: { shop: victim } })).toMatchObject({
      canFulfil: false,
      canWriteOrders: false,
      canWriteDrafts: false,
    });
  }
});

/** A webhook that names the victim, as if the secret had leaked. */
async function ownWebhook(topic: "app/uninstalled" | "shop/redact", webhookId: string): Promise<void> {
  const payload = webhookPayload(shop.state, { topic }, { protectedCustomerData: true });
  const request = webhookRequest(topic, payload, { webhookId });
  expect((await receive({ request, params: {}, context: {} })).status).toBe(200);
  await processWebhook({ shop: victim, inboxId: webhookInboxId(topic, webhookId) });
}

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);
const counts = async () => ({
  sessions: await db.session.count({ where: { shop: victim } }),
  items: await db.insuredItem.count({ where: { shop: victim } }),
});

test("nothing is deleted on a webhook's word while Shopify says that the app is installed", async () => {
  const before = await counts();
  expect(before.items).toBeGreaterThan(0);
  await ownWebhook("app/uninstalled", "false uninstall");
  await ownWebhook("shop/redact", "false redact");
  await eraseDueShops(inDays(40));
  expect(await counts()).toEqual(before);
  expect(await db.merchant.findUnique({ where: { shop: victim } })).toMatchObject({
    uninstalledAt: null,
    eraseAt: null,
  });
});

test("where Shopify does not respond, nothing is deleted and the event is tried again", async () => {
  const before = await counts();
  shop.faults.add({ operation: "admin", status: 503, times: 100 });
  await expect(ownWebhook("app/uninstalled", "uninstall in an outage")).rejects.toThrow();
  shop.faults.clear();
  expect(await counts()).toEqual(before);
});

test("an erasure waits a week, even where the uninstall itself was missed, and a new installation undoes it", async () => {
  const { items } = await counts();
  shop.uninstall();
  await ownWebhook("shop/redact", "redact");
  const merchant = await db.merchant.findUniqueOrThrow({ where: { shop: victim } });
  expect(merchant.uninstalledAt).not.toBeNull();
  await eraseDueShops(inDays(6));
  expect((await counts()).items).toBe(items);

  shop.install();
  await connectShop(victim, insurance.stores[0]);
  expect(await db.merchant.findUnique({ where: { shop: victim } })).toMatchObject({
    uninstalledAt: null,
    eraseAt: null,
  });
  await eraseDueShops(inDays(40));
  expect((await counts()).items).toBe(items);
});

test("a shop that stays away is erased after the week, and no other shop", async () => {
  shop.uninstall();
  await ownWebhook("app/uninstalled", "uninstall");
  expect((await counts()).sessions).toBe(0);
  await ownWebhook("shop/redact", "last redact");
  const others = await databasePrint(attacker);
  await eraseDueShops(inDays(8));
  expect(await rowsWith(victim)).toEqual([]);
  expect(await databasePrint(attacker)).toEqual(others);
});
