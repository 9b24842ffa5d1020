import { request } from "node:http";
import type { RequestOptions } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { drive } from "#test/demo/drive.ts";
import { buyer } from "#test/demo/shopper.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import { eventually } from "#test/eventually.ts";
import { signSessionToken } from "#test/sandbox/shop/auth/session-token.ts";
import { linesThatHold } from "#test/log-scan.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ logLevel: "trace", shop: { plan: "Shopify Plus" } });
});
afterAll(() => stage.close());

test("the main job and all places that show insurance, as the demo drives them: sold, cancelled, withdrawn", async () => {
  const { steps, failure } = await drive(stage, () => undefined, { isTour: true });
  expect(failure).toBeNull();
  expect(steps.map(({ step }) => step)).toEqual([
    "install",
    "connect",
    "map",
    "sync",
    "insurer",
    "offer",
    "cart",
    "pay",
    "plan",
    "order",
    "cancel",
    "cancelled",
    "permissions",
    "display",
    "checkout offer",
    "thank-you page",
    "order page",
    "account",
    "staff order",
    "staff draft order",
    "withdrawal",
    "console",
  ]);
  // The test reads the stand-ins' own records, not the app's pages.
  const orderId = steps.find(({ step }) => step === "pay")?.ids["order"];
  const toured = [...stage.shop.state.orders.values()].at(-1);
  const plansOf = (order: unknown) =>
    stage.insurance.plans("test").filter((plan) => plan.order_reference_id === order);
  expect(plansOf(orderId).map(({ status }) => status)).toEqual(["cancelled"]);
  // Insurance chosen at the checkout is a line nested under its product's.
  expect(toured?.lines.map(({ parentLineId }) => parentLineId === null)).toEqual([true, false]);
  await eventually(() => {
    expect(plansOf(toured?.id).map(({ status }) => status)).toEqual(["cancelled"]);
  });
});

test("the log of all that holds neither the shopper nor a secret, at its most talkative", async () => {
  const { app, environment, insurance, shop } = stage;
  const { email, last_name, address1 } = buyer;
  const secrets = insurance.stores.flatMap((store) => [
    store.token_test,
    store.token_production,
    store.organisation_token,
  ]);
  const { SHOPIFY_API_SECRET = "", ENCRYPTION_KEYS = "" } = environment;
  const words = [email, last_name, address1, ...secrets, SHOPIFY_API_SECRET, ENCRYPTION_KEYS.slice(-20)];
  expect(words.every((word) => word.length > 3)).toBe(true);
  expect(shop.state.orders.size).toBeGreaterThan(0);
  expect(await linesThatHold(app.logFile, words)).toEqual([]);
});

test("strangers' requests that no page is for are refused with one line each, without a stack", async () => {
  const { hostname, port } = new URL(stage.app.url);
  const ask = (path: string, options: RequestOptions = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ hostname, port, path, ...options }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      })
        .on("error", reject)
        .end();
    });
  expect(await ask("/wp-login.php")).toBe(404);
  expect(await ask("/healthz/x?id_token=secret-of-somebody", { method: "POST" })).toBe(404);
  expect(await ask("/x/%ff")).toBe(400);
  expect(await ask("/somewhere", { headers: { host: "a b" } })).toBe(400);
  expect(await ask("/strange-host", { headers: { host: "a@b:c" } })).toBe(400);
  expect(await ask("/traced", { method: "TRACE" })).toBe(400);
  // Requests that Shopify's library cannot parse, and its redirect for requests without a shop.
  expect(await ask(`/app?shop=${stage.shop.shopDomain}&host=x`)).toBe(400);
  expect(await ask("/auth/exit-iframe?exitIframe=https://elsewhere.example")).toBe(400);
  expect(await ask("/auth/login")).toBe(302);
  // Remix's former data requests, which fail in Remix.
  for (const path of ["/", "/app", "/nope"]) expect(await ask(`${path}?x=former&_data=root`)).toBe(400);
  const paths = ["/wp-login.php", "/healthz/x", "/x/%ff", "/somewhere", "/strange-host", "/traced"];
  await eventually(async () => {
    const lines = await linesThatHold(stage.app.logFile, paths);
    expect(lines.map((line) => z.looseObject({ level: z.string() }).parse(JSON.parse(line)))).toMatchObject([
      { level: "info", status: 404, path: "/wp-login.php" },
      { level: "info", status: 404, path: "/healthz/x" },
      { level: "info", status: 400, path: "/x/%ff" },
      { level: "info", status: 400, path: "/somewhere" },
      { level: "info", status: 400, path: "/strange-host" },
      { level: "info", status: 400, path: "/traced" },
    ]);
  });
  expect(await linesThatHold(stage.app.logFile, ["secret-of-somebody", "    at ", "InvalidChar"])).toEqual(
    [],
  );
});

test("nothing under /app and /auth may be stored: documents, data, files, redirects and errors", async () => {
  const { SHOPIFY_API_KEY: apiKey = "", SHOPIFY_API_SECRET: apiSecret = "" } = stage.environment;
  const { shopDomain } = stage.shop;
  const token = await signSessionToken({ apiKey, apiSecret, shopDomain, userId: "1", sessionId: "s1" });
  const document = `embedded=1&shop=${shopDomain}&host=${btoa("admin.shopify.com/store/x")}&id_token=${token}`;
  const requested: [path: string, status: number, headers?: Record<string, string>][] = [
    [`/app/orders?${document}`, 200],
    ["/app/orders.data", 200, { authorization: `Bearer ${token}` }],
    ["/app.data", 200, { authorization: `Bearer ${token}` }],
    ["/app/orders.csv", 200, { authorization: `Bearer ${token}` }],
    ["/app/orders/none.data", 404, { authorization: `Bearer ${token}` }],
    ["/app/orders.data", 401, { authorization: "Bearer none" }],
    ["/app/orders?_data=x", 400],
    ["/auth/login", 302],
  ];
  for (const [path, status, headers = {}] of requested) {
    const agent = { "user-agent": "Mozilla/5.0 Chrome/150.0.0.0 Safari/537.36" };
    const answer = await fetch(`${stage.app.url}${path}`, {
      redirect: "manual",
      headers: { ...agent, ...headers },
    });
    await answer.arrayBuffer();
    expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([path, status, "no-store"]);
  }
});
