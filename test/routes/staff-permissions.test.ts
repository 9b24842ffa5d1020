/**
 * Each member of staff sees and does what their Shopify permissions allow, on every page, in every action, file and
 * extension.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { loader as home } from "#app/routes/app._index/route.tsx";
import { action as connect } from "#app/routes/app.connection/route.tsx";
import { action as actOnOrder } from "#app/routes/app.orders.$orderId/route.tsx";
import { action as saveSettings, loader as settings } from "#app/routes/app.settings/route.tsx";
import { loader as showDraft } from "#app/routes/staff.draft-orders.$draftOrderId.tsx";
import { action as quoteOrder, loader as showOrder } from "#app/routes/staff.orders.$orderId.tsx";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { db } from "#app/platform/db.server.ts";
import { sessionStorage } from "#app/shopify/sessions.server.ts";
import { staffMembers } from "#test/sandbox/shop/admin/staff.ts";
import { signSessionToken } from "#test/sandbox/shop/auth/session-token.ts";
import { adminRequest, shop } from "#test/world.ts";
import { answerOf, type Answer } from "./answer.ts";
import { ask } from "./ask.ts";
import { endpoints, paramsOf, pathOf, type Endpoint, type Handler } from "./every-route.ts";
import { openFullShop } from "./full-shop.ts";

type Need = "orders" | "order_actions" | "products" | "connection" | null;

/** The permissions of every route, by its id: for reading and for actions. A route without an entry fails the test. */
const needs: Record<string, [see: Need, act: Need]> = {
  app: [null, null],
  "app.$": [null, null],
  "app._index": [null, null],
  "app.go-live": [null, null],
  "app.connection": [null, "connection"],
  "app.settings": [null, "order_actions"],
  "app.selling": [null, "products"],
  ...Object.fromEntries(
    [
      "orders._index",
      "orders.$orderId",
      "orders.$orderId_.evidence.$item",
      "orders.$orderId_.documents.$item.$name",
      "orders[.]csv",
      "plans._index",
      "claims",
    ].map((id) => [`app.${id}`, ["orders", "order_actions"]]),
  ),
  ...Object.fromEntries(
    ["_index", "$taskId.data", "$withdrawalId.acknowledgement"].map((id) => [
      `app.tasks.${id}`,
      ["orders", "order_actions"],
    ]),
  ),
  "app.analytics.settlement": ["orders", "order_actions"],
  "app.analytics.settlement_.file": ["orders", "order_actions"],
  "app.statement[.]csv": ["orders", "order_actions"],
  "app.tasks[.]csv": ["orders", "order_actions"],
  ...Object.fromEntries(
    ["$quoteId", "_index", "automatic", "new"].map((id) => [`app.quotes.${id}`, ["orders", "order_actions"]]),
  ),
  "app.history": ["orders", null],
  "app.history[.]csv": ["orders", null],
  "app.settings_.past-orders": [null, "order_actions"],
  ...Object.fromEntries(
    ["_index", "commissions", "commissions[.]csv", "sales", "sales[.]csv"].map((id) => [
      `app.analytics.${id}`,
      ["orders", "orders"],
    ]),
  ),
  "app.analytics[.]csv": ["orders", null],
  ...Object.fromEntries(
    ["_index", "categories", "inspector", "list", "values", "variants"].map((id) => [
      `app.products.${id}`,
      [null, "products"],
    ]),
  ),
  ...Object.fromEntries(
    ["_index", "list", "settings"].map((id) => [`app.catalogue.${id}`, [null, "products"]]),
  ),
  "app.touchpoints": [null, "products"],
  "app.touchpoints_.preview": [null, null],
  "app.touchpoints_.prices": [null, "products"],
  "app.touchpoints_.rule": [null, "products"],
};

const [owner, viewer, seller, merchandiser, nobody] = staffMembers;
if (!owner || !viewer || !seller || !merchandiser || !nobody) throw new Error("The stand-in lacks staff");
const has: [name: string, id: string, needs: Need[]][] = [
  ["the owner", owner.id, ["orders", "order_actions", "products", "connection"]],
  ["who may see orders", viewer.id, ["orders"]],
  ["who may edit orders", seller.id, ["orders", "order_actions"]],
  ["who may edit products", merchandiser.id, ["products"]],
  ["without any permission", nobody.id, []],
];

const tokenOf = (userId: string) => {
  const { apiKey, apiSecret, shopDomain } = shop;
  return signSessionToken({ apiKey, apiSecret, shopDomain, userId, sessionId: "s1" });
};

/** The merchant grants these scopes, and the app gets a token with them. */
async function grant(scopes: string[]): Promise<void> {
  const { installation } = shop.state;
  if (installation) shop.state.installation = { ...installation, scopes };
  const sessions = (await db.session.findMany()).filter(({ sealed }) => sealed !== "");
  await sessionStorage.deleteSessions(sessions.map(({ id }) => id));
}

let ids: Record<string, string>;
beforeAll(async () => {
  ({ ids } = await openFullShop());
  // The merchant lets the app write orders and drafts: only then does Shopify report who of the staff may.
  await grant([...shop.app.scopes, ...shop.app.optionalScopes]);
  await db.merchant.updateMany({ data: { canWriteOrders: true, canWriteDrafts: true } });
  // The app's own new token: the tests inject faults only into requests for people.
  await ask(home, "/app", { token: await tokenOf(owner.id) });
});

async function answerAs(
  userId: string,
  { id, kind, handler }: Pick<Endpoint, "id" | "kind"> & { handler: Handler },
): Promise<Answer> {
  const params = Object.fromEntries(paramsOf(id).map((name) => [name, ids[name] ?? "1"]));
  const form = kind === "action" ? { form: {} } : {};
  return answerOf(
    handler,
    await adminRequest(pathOf(id, params), { token: await tokenOf(userId), ...form }),
    params,
  );
}

describe.each(has)("a member of staff %s", (_name, userId, own) => {
  test("is refused exactly the pages, files and actions that need more, and the answer names what", async () => {
    const differing: string[] = [];
    for (const endpoint of endpoints) {
      const [see, act] = needs[endpoint.id] ?? ["connection", "connection"];
      const need = endpoint.kind === "loader" ? see : act;
      const { status, text } = await answerAs(userId, endpoint);
      const isRefused = status === 403 && text.includes("refusal");
      const isExpected = need !== null && !own.includes(need);
      if (isRefused !== isExpected || (isRefused && text !== JSON.stringify({ refusal: need })))
        differing.push(`${endpoint.name}: ${status ?? "data"} ${text.slice(0, 80)}`);
    }
    expect(differing).toEqual([]);
  });

  test("gets of the blocks in orders and draft orders what they may do there", async () => {
    const statusOf = async (handler: Handler, id: string, kind: Endpoint["kind"]) =>
      (await answerAs(userId, { id, kind, handler })).status === 403;
    const order = "staff.orders.$orderId";
    const draft = "staff.draft-orders.$draftOrderId";
    const sees = own.includes("orders");
    const acts = own.includes("order_actions");
    expect(await statusOf(showOrder, order, "loader")).toBe(!sees);
    expect(await statusOf(quoteOrder, order, "action")).toBe(!acts);
    expect(await statusOf(showDraft, draft, "loader")).toBe(!acts);
  });
});

test("an address in capitals or in codes needs what its page needs", async () => {
  const spellings = [
    (path: string) => path.toUpperCase(),
    (path: string) => path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ];
  const token = await tokenOf(nobody.id);
  const allowed: string[] = [];
  for (const { id, kind, handler, name } of endpoints) {
    const need = needs[id]?.[kind === "loader" ? 0 : 1] ?? null;
    if (need === null) continue;
    const params = Object.fromEntries(paramsOf(id).map((each) => [each, ids[each] ?? "1"]));
    for (const spell of spellings) {
      const given = kind === "action" ? { token, form: {} } : { token };
      const request = await adminRequest(spell(pathOf(id, params)), given);
      const { text } = await answerOf(handler, request, params);
      if (text !== JSON.stringify({ refusal: need })) allowed.push(`${name} ${request.url}`);
    }
  }
  expect(allowed).toEqual([]);
});

test("Home shows no tasks and figures to who may not see orders", async () => {
  const asOwner = await ask(home, "/app", { token: await tokenOf(owner.id) });
  const asNobody = await ask(home, "/app", { token: await tokenOf(nobody.id) });
  expect(asOwner.tasks.length).toBeGreaterThan(0);
  expect(asOwner.sales).not.toBeNull();
  expect([asNobody.tasks, asNobody.sales]).toEqual([[], null]);
});

describe("the connection", () => {
  const form = { intent: "check", environment: "test" };
  const check = async (userId: string) =>
    (await answerOf(connect, await adminRequest("/app/connection", { form, token: await tokenOf(userId) })))
      .status;
  const allow = async (connectionManagers: "owner" | "managers" | "all", userId = owner.id) =>
    ask(saveSettings, "/app/settings", {
      json: { intent: "save", settings: { ...defaultMerchantSettings, connectionManagers } },
      token: await tokenOf(userId),
    });

  test("is the owner's, until the owner lets others change it", async () => {
    expect(await check(seller.id)).toBe(403);
    expect(await check(owner.id)).toBeNull();
    await allow("managers");
    // The permission for orders is not enough.
    expect(await check(seller.id)).toBe(403);
    await allow("all");
    expect(await check(nobody.id)).toBeNull();
    await allow("owner");
    expect(await check(nobody.id)).toBe(403);
  });

  test("is not given away by others than the owner", async () => {
    expect(await allow("all", seller.id)).toMatchObject({ state: "refused", reason: "owner_only" });
    expect((await ask(settings, "/app/settings", {})).settings.connectionManagers).toBe("owner");
  });
});

test("who may edit orders acts before and right after the shop lets the app write them", async () => {
  const act = async () =>
    (await answerAs(seller.id, { id: "app.orders.$orderId", kind: "action", handler: actOnOrder })).status;
  await grant(shop.app.scopes);
  expect(await act()).not.toBe(403);
  await grant([...shop.app.scopes, ...shop.app.optionalScopes]);
  expect(await act()).not.toBe(403);
});

test("who Shopify says nothing of may look and change nothing", async () => {
  const userId = "98230000077";
  shop.faults.add({ operation: "token", status: 503, times: 1 });
  const page = async () =>
    (await answerAs(userId, { id: "app.orders._index", kind: "loader", handler: pageOf() })).status;
  expect(await page()).toBeNull();
  const post = await answerOf(
    connect,
    await adminRequest("/app/connection", { form: {}, token: await tokenOf(userId) }),
  );
  expect([post.status, post.text]).toEqual([403, JSON.stringify({ refusal: "unknown" })]);
});

test("whom Shopify names late may act at once: a person not known yet is waited for", async () => {
  shop.faults.add({ operation: "token", kind: "latency", ms: 3_000 });
  const form = { intent: "check", environment: "test" };
  const token = await tokenOf("98230000078");
  expect((await answerOf(connect, await adminRequest("/app/connection", { form, token }))).status).toBeNull();
});

function pageOf(): Handler {
  const endpoint = endpoints.find(({ name }) => name === "app.orders._index loader");
  if (!endpoint) throw new Error("There is no list of orders");
  return endpoint.handler;
}
