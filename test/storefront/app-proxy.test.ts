/** The app proxy signs as Shopify does: the app's own library verifies it. */
import "@shopify/shopify-api/adapters/node";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openApp, openTestShop, type TestShop } from "./shop.ts";

let shop: TestShop;
let closeApp: () => Promise<void>;
const seen: Request[] = [];

beforeAll(async () => {
  shop = await openTestShop();
  const app = new Hono();
  app.all("/proxy/*", (c) => {
    seen.push(c.req.raw);
    return c.json({ path: c.req.path }, 200, { "set-cookie": "session=1" });
  });
  closeApp = await openApp(shop, app);
});
afterAll(async () => {
  await closeApp();
  await shop.close();
});

it("hands a request to the app with a signature that the app's library accepts, and without cookies", async () => {
  const response = await fetch(`${shop.origin}/apps/parasol/offers?variants=2,1&signature=forged`, {
    headers: { cookie: "cart=secret" },
  });
  expect(await response.json()).toEqual({ path: "/proxy/offers" });
  expect(response.headers.get("set-cookie")).toBeNull();
  const request = seen.at(-1);
  expect(request?.headers.get("cookie")).toBeNull();
  const requested = new URL(request?.url ?? "").searchParams;
  expect(Object.fromEntries(requested)).toMatchObject({
    shop: "lumo.myshopify.com",
    path_prefix: "/apps/parasol",
    logged_in_customer_id: "",
    variants: "2,1",
  });
  const api = shopifyApi({
    apiKey: shop.sandbox.apiKey,
    apiSecretKey: shop.sandbox.apiSecret,
    apiVersion: ApiVersion.October26,
    logger: { level: LogSeverity.Error },
    hostName: "localhost",
    isEmbeddedApp: true,
  });
  const check = () => api.utils.validateHmac(requested, { signator: "appProxy" });
  expect(await check()).toBe(true);
  requested.set("variants", "3");
  expect(await check()).toBe(false);
});

it("answers 502 when the app is away and 404 when it is not installed", async () => {
  const { installation } = shop.state;
  shop.state.installation = null;
  expect((await fetch(`${shop.origin}/apps/parasol/offers`)).status).toBe(404);
  shop.state.installation = installation;
  await closeApp();
  expect((await fetch(`${shop.origin}/apps/parasol/offers`)).status).toBe(502);
});
