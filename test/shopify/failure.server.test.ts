import {
  GraphqlQueryError,
  HttpInternalError,
  HttpRequestError,
  HttpResponseError,
} from "@shopify/shopify-api";
import { describe, expect, test, vi } from "vitest";
import { readGrantedScopes } from "#app/shopify/access.server.ts";
import { waitForBulkMutations } from "#app/shopify/bulk.server.ts";
import { AdminRefused, AdminUnavailable, NoAccess } from "#app/shopify/errors.ts";
import { createAdminClient, operationName, readFailure } from "#app/shopify/graphql.server.ts";
import { sessionStorage } from "#app/shopify/sessions.server.ts";
import { installApp } from "#test/install.ts";
import { shop } from "#test/world.ts";

const bucket = { maximumAvailable: 2_000, currentlyAvailable: 100, restoreRate: 100 };
const cost = (requestedQueryCost: number) => ({
  requestedQueryCost,
  actualQueryCost: null,
  throttleStatus: bucket,
});

function graphqlError(code: string | undefined, extensions = {}) {
  return new GraphqlQueryError({
    message: "first",
    response: {},
    headers: { "X-Request-Id": ["abc"] },
    body: {
      errors: { graphQLErrors: [{ message: "first", extensions: { code } }, { message: "second" }] },
      extensions,
    },
  });
}

describe("a failed request of the Admin API", () => {
  test.each([
    ["an unknown code", graphqlError("ACCESS_DENIED"), "refused"],
    ["no code", graphqlError(undefined), "refused"],
    ["Shopify's own error", graphqlError("INTERNAL_SERVER_ERROR"), "unavailable"],
    ["Shopify's timeout", graphqlError("TIMEOUT"), "unavailable"],
  ])("with %s is reported with all messages and the request's id", (_, error, kind) => {
    expect(readFailure(error)).toEqual({ kind, message: "first; second", requestId: "abc" });
  });

  test("that was throttled waits until the bucket holds its cost", () => {
    expect(readFailure(graphqlError("THROTTLED", { cost: cost(400) }))).toMatchObject({
      kind: "throttled",
      delayMs: 3_000,
    });
    expect(readFailure(graphqlError("THROTTLED", { cost: cost(50) }))).toMatchObject({ delayMs: 100 });
    expect(readFailure(graphqlError("THROTTLED"))).toMatchObject({ kind: "throttled", delayMs: 1_000 });
  });

  test("that costs more than the bucket ever holds is refused", () => {
    expect(readFailure(graphqlError("THROTTLED", { cost: cost(2_001) }))).toMatchObject({ kind: "refused" });
  });

  test("over HTTP is Shopify's trouble from 500 on, and a refusal below", () => {
    const response = { message: "no", statusText: "", headers: { "X-Request-Id": "abc" } };
    expect(readFailure(new HttpInternalError({ ...response, code: 503 }))).toMatchObject({
      kind: "unavailable",
      requestId: "abc",
    });
    expect(readFailure(new HttpResponseError({ ...response, code: 403 }))).toMatchObject({
      kind: "refused",
      requestId: "abc",
    });
    expect(readFailure(new HttpRequestError("no response"))).toMatchObject({ kind: "unavailable" });
  });

  test("is none where our own code threw", () => {
    expect(readFailure(new TypeError("ours"))).toBeNull();
  });
});

test("an error names the operation, the shop and the request, for Shopify's support", () => {
  const operation = operationName(
    "fragment A on Order { id }\n query ParasolOrder($id: ID!) { order { id } }",
  );
  const error = new AdminRefused("Access denied", {
    shop: "demo.myshopify.com",
    operation,
    requestId: "abc",
  });
  expect(error.message).toBe("ParasolOrder of demo.myshopify.com: Access denied (request abc)");
});

test("a request does not wait for the time that the machine's clock was set back", async () => {
  await installApp();
  const client = createAdminClient(shop.shopDomain);
  const { signal } = new AbortController();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20 * 86_400_000 });
  await waitForBulkMutations(client, signal).finally(() => vi.useRealTimers());
  await waitForBulkMutations(client, signal);
  expect(client.cost).toMatchObject({ requests: 2 });
});

test("a shop that is removed while its session is read again gives no access", async () => {
  await installApp();
  const load = sessionStorage.loadSession.bind(sessionStorage);
  vi.spyOn(sessionStorage, "loadSession").mockImplementationOnce(async (id) => {
    const session = await load(id);
    await sessionStorage.deleteSession(id);
    return session;
  });
  await expect(readGrantedScopes(shop.shopDomain)).rejects.toThrow(NoAccess);
  vi.restoreAllMocks();
});

test("an access token that cannot be refreshed is Shopify's trouble, and no access where it is refused", async () => {
  await installApp();
  const session = await sessionStorage.loadSession(`offline_${shop.shopDomain}`);
  if (!session) throw new Error("The app has no session");
  session.expires = new Date(Date.now() - 1_000);
  await sessionStorage.storeSession(session);
  const ask = () => readGrantedScopes(shop.shopDomain);
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const soon = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 100));
  // 401: Shopify does not accept the app's own secret, for any reason.
  for (const fault of [{ status: 503 }, { status: 401 }, { kind: "hang_before" } as const]) {
    shop.faults.add({ operation: "token", ...fault, times: null });
    await expect(ask()).rejects.toBeInstanceOf(AdminUnavailable);
    shop.faults.clear();
  }
  soon.mockRestore();
  shop.uninstall();
  await expect(ask()).rejects.toBeInstanceOf(NoAccess);
});
