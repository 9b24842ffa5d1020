/** Access to every loader and action of the admin and of the app proxy, found in the file system. */
import { sign } from "hono/jwt";
import { beforeAll, describe, expect, test } from "vitest";
import { loader as auth } from "#app/routes/auth.$.tsx";
import { connectShop } from "#test/install.ts";
import { adminRequest, insurance, otherShop, secrets, sessionToken, shop } from "#test/world.ts";
import { answerOf } from "./answer.ts";
import { attemptsOn } from "./attempts.ts";
import type { Attempt } from "./attempts.ts";
import { databasePrint } from "./database-print.ts";
import { endpoints, paramsOf, pathOf } from "./every-route.ts";
import type { Endpoint } from "./every-route.ts";
import { openFullShop, secretsOfServer } from "./full-shop.ts";
import type { FullShop } from "./full-shop.ts";

let full: FullShop;
beforeAll(async () => {
  full = await openFullShop();
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
});

/** A request to one loader or action, as the page's script sends it. */
async function ask(
  { id, kind, handler }: Pick<Endpoint, "id" | "kind" | "handler">,
  sender: { domain?: string; token?: string | null; search?: string },
  attempt: Attempt = {},
) {
  const params = Object.fromEntries(paramsOf(id).map((name) => [name, full.ids[name] ?? ""]));
  const request = await adminRequest(pathOf(id, params) + (sender.search ?? ""), sender);
  if (kind === "loader") return answerOf(handler, request, params);
  const body = attempt.json === undefined ? new URLSearchParams(attempt.form) : JSON.stringify(attempt.json);
  return answerOf(handler, new Request(request, { method: "POST", body }), params);
}

const attempts = (endpoint: Endpoint): Attempt[] =>
  endpoint.kind === "loader" ? [{}] : (attemptsOn(full)[endpoint.id] ?? []);

test("every action and every id in an address is covered here", () => {
  const actions = endpoints.filter(({ kind, id }) => kind === "action" && attemptsOn(full)[id] === undefined);
  expect(actions.map(({ id }) => `say in attempts.ts what ${id} is sent`)).toEqual([]);
  const params = endpoints.flatMap(({ id }) => paramsOf(id)).filter((name) => !full.ids[name]);
  expect(params.map((name) => `give full-shop.ts an id for $${name}`)).toEqual([]);
});

test.each(endpoints.filter(({ id, kind }) => kind === "loader" && id !== "app"))(
  "$name: an address with a character that no text holds names nothing",
  async (endpoint) => {
    const search = `?query=a%00&after=${encodeURIComponent(`${new Date().toISOString()}|\0`)}`;
    expect((await ask(endpoint, { search })).status).toBe(404);
  },
);

/** The claims of a session token for the first shop. */
const claims = (changes: object) => {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: `https://${shop.shopDomain}/admin`,
    dest: `https://${shop.shopDomain}`,
    aud: secrets.apiKey,
    sub: "1",
    exp: now + 60,
    nbf: now,
    iat: now,
    jti: "1",
    sid: "s1",
    ...changes,
  };
};
const customerClaims = (sub: string | undefined) => ({ iss: undefined, sid: undefined, sub });
const signed = (changes: object, secret = secrets.apiSecret) => sign(claims(changes), secret, "HS256");
const seconds = (offset: number) => Math.floor(Date.now() / 1_000) + offset;
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

const strangers: [who: string, token: () => Promise<string | null>][] = [
  ["no session token", () => Promise.resolve(null)],
  ["no token but a word", () => Promise.resolve("undefined")],
  ["a token signed with another secret", () => signed({}, "not the app's secret")],
  ["a token signed with the secret before a rotation", () => signed({}, secrets.previousSecret)],
  ["an expired token", () => signed({ exp: seconds(-3_600), nbf: seconds(-3_660), iat: seconds(-3_660) })],
  ["a token of the future", () => signed({ nbf: seconds(3_600), iat: seconds(3_600), exp: seconds(3_660) })],
  [
    "a token that another shop's admin issued for this shop",
    () => signed({ iss: `https://${otherShop.shopDomain}/admin` }),
  ],
  ["a token for another app", () => signed({ aud: "fedcba9876543210fedcba9876543210" })],
  // The account's and the checkout's extensions sign their tokens with the same secret.
  ["a customer's token", () => signed(customerClaims("gid://shopify/Customer/1"))],
  ["a guest's token", () => signed(customerClaims(undefined))],
  [
    "a customer's token that names the shop without a scheme",
    () => signed({ ...customerClaims("gid://shopify/Customer/1"), dest: shop.shopDomain }),
  ],
  [
    "an unsigned token",
    () => Promise.resolve(`${encoded({ alg: "none", typ: "JWT" })}.${encoded(claims({}))}.`),
  ],
  [
    "another shop's token with this shop's name put in",
    async () => {
      const [head, , signature] = (await sessionToken(otherShop.shopDomain)).split(".");
      return [head, encoded(claims({})), signature].join(".");
    },
  ],
];

const loaders = endpoints.filter(({ kind }) => kind === "loader");
const actions = endpoints.filter(({ kind }) => kind === "action");

describe.each(strangers)("a caller with %s", (_, token) => {
  test("is sent away by every loader and action", async () => {
    await nothingHappens(async () => {
      for (const endpoint of endpoints) {
        for (const attempt of attempts(endpoint)) {
          const { status, text } = await ask(endpoint, { token: await token() }, attempt);
          expect([302, 400, 401], endpoint.name).toContain(status);
          for (const mark of full.marks) expect(text, endpoint.name).not.toContain(mark);
        }
      }
    });
  });

  // A document's request has no header: its URL holds the session token.
  test("opens no page", async () => {
    const host = Buffer.from("admin.shopify.com/store/one").toString("base64url");
    await nothingHappens(async () => {
      for (const endpoint of loaders) {
        const value = await token();
        const search = new URLSearchParams({ shop: shop.shopDomain, host, embedded: "1" });
        if (value !== null) search.set("id_token", value);
        const { status, headers, text } = await ask(endpoint, {
          token: null,
          search: `?${search.toString()}`,
        });
        // Redirects to the page that fetches a session token, and from there back.
        expect(status, endpoint.name).toBe(302);
        expect(headers.get("location"), endpoint.name).toMatch(/^\/auth\/session-token\?/);
        expect(text, endpoint.name).toBe("");
      }
    });
  });
});

/** Nothing is written, and the insurer receives no request. */
async function nothingHappens(work: () => Promise<void>): Promise<void> {
  const calls = () => [...insurance.traffic.counts.values()].reduce((sum, count) => sum + count, 0);
  const before = { database: await databasePrint(), calls: calls() };
  await work();
  expect({ database: await databasePrint(), calls: calls() }).toEqual(before);
}

test.each([
  "https://evil.example/",
  "//evil.example",
  "\\\\evil.example",
  "http://app.test.evil.example/app",
  "http://app.test@evil.example/app",
  "https://app.test/app",
  "javascript:alert(1)",
])(
  "a member of staff's token is led to no other site by the way on that App Bridge takes: %s",
  async (way) => {
    const search = (address: string) => `?${new URLSearchParams({ "shopify-reload": address }).toString()}`;
    const bounce = async (address: string) =>
      answerOf(auth, await adminRequest(`/auth/session-token${search(address)}`, { token: null }));
    expect((await bounce(way)).status).toBe(400);
    // One of the two counts; the specification does not say which.
    const twice = `/auth/session-token${search("http://app.test/app")}&${search(way).slice(1)}`;
    expect((await answerOf(auth, await adminRequest(twice, { token: null }))).status).toBe(400);
    expect((await bounce("http://app.test/app?shop=one")).status).toBe(200);
  },
);

test("no page is opened with a way on to another site: App Bridge is loaded with each", async () => {
  const search = "?shopify-reload=https%3A%2F%2Fevil.example";
  for (const endpoint of loaders) expect((await ask(endpoint, { search })).status, endpoint.name).toBe(400);
});

describe("a member of another shop's staff", () => {
  const domain = otherShop.shopDomain;

  test.each(loaders)("reads nothing of this shop: $name", async (endpoint) => {
    const { orderId = "", planId = "", runId = "", quoteId = "", variantId = "" } = full.ids;
    const searches = ["", `?query=${full.email}`, `?query=${orderId}`, `?plan=${planId}`, `?query=${planId}`];
    for (const search of [
      ...searches,
      `?run=${runId}&order=${orderId}&quote=${quoteId}`,
      `?variant=${variantId}`,
      `?shop=${shop.shopDomain}`,
    ]) {
      const { status, text } = await ask(endpoint, { domain, search });
      // A response may repeat values of its request.
      for (const mark of full.marks.filter((each) => !search.includes(each)))
        expect(text).not.toContain(mark);
      if (paramsOf(endpoint.id).length > 0) expect(status).toBe(404);
    }
    // The owner's own staff can read the requested data.
    if (paramsOf(endpoint.id).length > 0) {
      const own = await ask(endpoint, {});
      expect([null, 200]).toContain(own.status);
    }
  });

  test.each(actions)("changes nothing of this shop: $name", async (endpoint) => {
    const before = await databasePrint(shop.shopDomain);
    const contracts = JSON.stringify(insurance.plans());
    for (const attempt of attempts(endpoint)) {
      const { text } = await ask(endpoint, { domain }, attempt);
      for (const mark of full.marks) expect(text).not.toContain(mark);
    }
    expect(await databasePrint(shop.shopDomain)).toEqual(before);
    expect(JSON.stringify(insurance.plans())).toBe(contracts);
  });

  test.each(actions)("gets another answer than the owner: $name", async (endpoint) => {
    for (const attempt of attempts(endpoint).filter(({ names }) => names)) {
      const theirs = await ask(endpoint, { domain }, attempt);
      const ours = await ask(endpoint, {}, attempt);
      expect(theirs).not.toEqual(ours);
    }
  });
});

describe("no secret leaves the server", () => {
  test.each(loaders)("with what $name answers", async (endpoint) => {
    const { text, headers } = await ask(endpoint, {});
    const answer = text + JSON.stringify([...headers]);
    for (const secret of await secretsOfServer()) expect(answer).not.toContain(secret);
  });

  test("with what Connection answers after a token is set, checked and refused", async () => {
    const endpoint = endpoints.find(({ name }) => name === "app.connection action");
    if (!endpoint) throw new Error("Connection has no action");
    const [store] = insurance.stores;
    const account = {
      intent: "connect",
      environment: "test",
      testToken: "yes",
      storeId: store?.store_id ?? "",
    };
    const given = { token: store?.token_test ?? "", organisationToken: store?.organisation_token ?? "" };
    for (const form of [
      { ...account, ...given },
      { ...account, ...given, storeId: "no such store" },
      { ...account, token: given.token, organisationToken: "refused-organisation-token" },
      { ...account, token: "refused-token", organisationToken: "" },
      { intent: "check", environment: "test" },
    ]) {
      const { text } = await ask(endpoint, {}, { form });
      for (const secret of [...(await secretsOfServer()), "refused-token", "refused-organisation-token"])
        expect(text).not.toContain(secret);
    }
  });
});
