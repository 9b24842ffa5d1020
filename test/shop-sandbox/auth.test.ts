/** The stand-in's token endpoint as Shopify's own library uses it. */
import "@shopify/shopify-api/adapters/node";
import {
  ApiVersion,
  HttpResponseError,
  InvalidJwtError,
  LogSeverity,
  RequestedTokenType,
  shopifyApi,
} from "@shopify/shopify-api";
import { setAbstractFetchFunc } from "@shopify/shopify-api/runtime";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { signSessionToken } from "#test/sandbox/shop/auth/session-token.ts";
import { frameUrl } from "#test/sandbox/shop/admin/frame-url.ts";
import { admin, apiKey, apiSecret, openShop } from "./client.ts";

const shop = await openShop({
  shops: [
    { domain: "one.myshopify.com", seed: "empty" },
    { domain: "two.myshopify.com", seed: "empty" },
  ],
});
const other = [...shop.shops.values()][1] ?? shop;

const api = shopifyApi({
  apiKey,
  apiSecretKey: apiSecret,
  apiVersion: ApiVersion.October26,
  hostName: "app.test",
  isEmbeddedApp: true,
  logger: { level: LogSeverity.Error, log: () => Promise.resolve() },
});
setAbstractFetchFunc((address, options) => {
  const url = new URL(address instanceof Request ? address.url : address);
  const headers = new Headers(options?.headers);
  headers.set("x-sandbox-shop", url.hostname);
  return fetch(new URL(url.pathname, shop.origin), { ...options, headers });
});

const sessionToken = (shopDomain = shop.shopDomain, secret = apiSecret, key = apiKey): Promise<string> =>
  signSessionToken({ apiKey: key, apiSecret: secret, shopDomain, userId: "7", sessionId: "s" });
const exchange = async (requestedTokenType: RequestedTokenType, expiring = true, domain = shop.shopDomain) =>
  (
    await api.auth.tokenExchange({
      shop: domain,
      sessionToken: await sessionToken(domain),
      requestedTokenType,
      expiring,
    })
  ).session;
const works = async (token: string | undefined): Promise<boolean> =>
  (await admin(shop, "{ shop { name } }", {}, { token: token ?? "" })).status === 200;
const refusal = z.object({ code: z.number(), body: z.unknown() });
/** The library's error for the endpoint's refusal. */
const status = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call;
    return "no error";
  } catch (error) {
    return error instanceof HttpResponseError ? refusal.parse(error.response) : error;
  }
};

describe("token exchange", () => {
  it("refuses offline tokens that never end, which new apps do not get any more", async () => {
    expect(await status(exchange(RequestedTokenType.OfflineAccessToken, false))).toMatchObject({
      code: 400,
      body: { error: "invalid_request" },
    });
  });

  it.each([
    ["of another shop", () => sessionToken(other.shopDomain)],
    ["of another app", () => sessionToken(shop.shopDomain, apiSecret, "another-key")],
    ["signed with another secret", () => sessionToken(shop.shopDomain, "another-secret")],
    ["that is none", () => Promise.resolve("a.b.c")],
  ])("refuses a session token %s", async (_what, token) => {
    const response = await fetch(`${shop.origin}/admin/oauth/access_token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_id: apiKey,
        client_secret: apiSecret,
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: await token(),
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        requested_token_type: RequestedTokenType.OfflineAccessToken,
        expiring: "1",
      }),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: "invalid_subject_token" }]);
  });

  it("refuses a wrong client secret", async () => {
    const wrong = shopifyApi({
      apiKey,
      apiSecretKey: "wrong",
      apiVersion: ApiVersion.October26,
      hostName: "app.test",
      isEmbeddedApp: true,
      logger: { log: () => Promise.resolve() },
    });
    const call = wrong.auth.refreshToken({ shop: shop.shopDomain, refreshToken: "shprt_x" });
    expect(await status(call)).toMatchObject({ code: 400, body: { error: "application_cannot_be_found" } });
    await expect(
      wrong.auth.tokenExchange({
        shop: shop.shopDomain,
        sessionToken: await sessionToken(),
        requestedTokenType: RequestedTokenType.OfflineAccessToken,
      }),
    ).rejects.toThrow(InvalidJwtError);
  });

  it("refuses where the app is not installed", async () => {
    other.uninstall();
    expect(
      await status(exchange(RequestedTokenType.OfflineAccessToken, true, other.shopDomain)),
    ).toMatchObject({ code: 400, body: { error: "app_not_installed" } });
    other.install();
  });
});

describe("refreshing", () => {
  const refresh = async (refreshToken: string | undefined) =>
    (await api.auth.refreshToken({ shop: shop.shopDomain, refreshToken: refreshToken ?? "" })).session;

  it("can be tried again while the replacement is unused: its answer may have been lost", async () => {
    const first = await exchange(RequestedTokenType.OfflineAccessToken);
    await refresh(first.refreshToken);
    expect((await refresh(first.refreshToken)).accessToken).toBeDefined();
  });

  it("retires the old refresh token once the replacement is used", async () => {
    const first = await exchange(RequestedTokenType.OfflineAccessToken);
    const second = await refresh(first.refreshToken);
    const third = await refresh(second.refreshToken);
    expect(await status(refresh(first.refreshToken))).toMatchObject({
      code: 400,
      body: { error: "invalid_grant" },
    });
    expect(await works(third.accessToken)).toBe(true);
  });

  it("makes the lost replacement worthless when the old token is tried again", async () => {
    const first = await exchange(RequestedTokenType.OfflineAccessToken);
    const lost = await refresh(first.refreshToken);
    await refresh(first.refreshToken);
    expect(await status(refresh(lost.refreshToken))).toMatchObject({
      code: 400,
      body: { error: "invalid_grant" },
    });
  });

  it("helps after the access token ended, and not after the app was uninstalled", async () => {
    const session = await exchange(RequestedTokenType.OfflineAccessToken);
    shop.tokens.expireAll();
    expect(await works(session.accessToken)).toBe(false);
    const again = await refresh(session.refreshToken);
    expect(await works(again.accessToken)).toBe(true);
    shop.uninstall();
    shop.install();
    expect(await status(refresh(again.refreshToken))).toMatchObject({
      code: 400,
      body: { error: "invalid_grant" },
    });
  });
});

describe("the admin's page parameters", () => {
  it("carry a session token, a host and a signature that the library accepts", async () => {
    shop.setAppUrl("http://app.test:3000");
    const url = new URL((await frameUrl(shop, "/orders?page=2")) ?? "");
    expect(`${url.origin}${url.pathname}`).toBe("http://app.test:3000/orders");
    const { page, id_token: token, ...signed } = Object.fromEntries(url.searchParams);
    expect(page).toBe("2");
    expect(await api.utils.validateHmac({ ...signed, id_token: token ?? "" })).toBe(true);
    expect(await api.session.decodeSessionToken(token ?? "")).toMatchObject({
      dest: `https://${shop.shopDomain}`,
      aud: apiKey,
    });
    expect(api.utils.sanitizeHost(signed["host"] ?? "")).toBe(signed["host"]);
    expect(api.utils.sanitizeShop(signed["shop"] ?? "")).toBe(shop.shopDomain);
  });
});
