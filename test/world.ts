/**
 * The environment of a test that imports the app: both stand-ins over real HTTP, a database, and requests as a browser
 * or Shopify would send them. test/world.setup.ts loads it before the test file, because the app reads its environment
 * at import. The test files of one worker share only the app's modules. Each file gets new stand-ins at the same
 * addresses, a new database under the same name, and new shop names.
 */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { steadyPort } from "./cluster.ts";
import { newDatabase, renewDatabase } from "./migrated.ts";
import { startMailbox } from "./sandbox/mail.ts";
import { startInsurance } from "./sandbox/insurance/server.ts";
import { Bucket } from "./sandbox/shop/api/limits.ts";
import { signSessionToken } from "./sandbox/shop/auth/session-token.ts";
import { startShop } from "./sandbox/shop/server.ts";
import { soonAgain } from "./sandbox/shop/webhooks/webhooks.ts";

const apiKey = "0123456789abcdef0123456789abcdef";
const apiSecret = "test-secret";
const previousSecret = "test-secret-before-rotation";
const appUrl = "http://app.test";

let files = 0;

/** The addresses stay, because the app reads them once. */
const ports = { insurance: await steadyPort(), shop: await steadyPort(), mail: await steadyPort() };

async function startStandIns() {
  files += 1;
  const started = await Promise.all([
    startInsurance({ sales: 60, port: ports.insurance }),
    startShop({
      apiKey,
      apiSecret,
      port: ports.shop,
      extensionDir: "extensions/parasol-storefront",
      shops: [{ domain: `one-${files}.myshopify.com` }, { domain: `two-${files}.myshopify.com` }],
    }),
    startMailbox({ port: ports.mail }),
  ]);
  for (const { api, webhooks } of started[1].shops.values()) {
    // Tests sync often: with the smallest plan's points they would mostly wait.
    api.bucket = new Bucket("Enterprise");
    webhooks.behaviour.retryScheduleMs = soonAgain;
  }
  return started;
}

export let [insurance, shop, mailbox] = await startStandIns();
/** The second shop, for tests of the isolation between shops. */
export let otherShop = secondOf(shop);

function secondOf(first: typeof shop): typeof shop {
  const [, second] = first.shops.values();
  if (!second) throw new Error("The stand-in has one shop only");
  return second;
}

const databaseUrl = await newDatabase();

Object.assign(process.env, {
  NODE_ENV: "test",
  LOG_LEVEL: process.env["LOG_LEVEL"] ?? "fatal",
  DATABASE_URL: databaseUrl,
  SHOPIFY_API_KEY: apiKey,
  SHOPIFY_API_SECRET: apiSecret,
  SHOPIFY_API_SECRET_PREVIOUS: previousSecret,
  SHOPIFY_APP_URL: appUrl,
  ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
  INSURANCE_BASE_URL_TEST: insurance.base_url,
  INSURANCE_BASE_URL_PRODUCTION: insurance.base_url,
  // Tests do not wait ten minutes for a conclusive look-up.
  INSURANCE_CONSISTENCY_SECONDS: "1",
  SMTP_URL: mailbox.url,
  MAIL_FROM: "insurance@app.test",
  SANDBOX_SHOP_ORIGIN: shop.origin,
  SANDBOX_DOCUMENTS_ORIGIN: new URL(insurance.base_url).origin,
  APP_BRIDGE_URL: `${shop.origin}/app-bridge.js`,
});

// The hourly job must not start during a test: tests call its tasks themselves.
delete (await import("#app/jobs/definitions.ts")).jobs.hourly.cron;

let isUsed = false;

/** Before a test file: the first file of a worker starts everything. */
export async function openWorld(): Promise<void> {
  if (isUsed) {
    [insurance, shop, mailbox] = await startStandIns();
    otherShop = secondOf(shop);
    await renewDatabase(databaseUrl);
  }
  isUsed = true;
  for (const each of shop.shops.values()) each.install();
}

/** After a test file: nothing keeps running. */
export async function closeWorld(): Promise<void> {
  // Stops only what the test file started: importing the app's modules opens the database and the queue.
  if (globalThis.parasol?.queue) await (await import("#app/jobs/queue.server.ts")).stopQueue();
  await Promise.all([shop.close(), insurance.close(), mailbox.close()]);
}

/** A session token from the admin, for one staff member of `domain`. */
export function sessionToken(domain = shop.shopDomain, secret = apiSecret): Promise<string> {
  return signSessionToken({ apiKey, apiSecret: secret, shopDomain: domain, userId: "1", sessionId: "s1" });
}

export interface AdminRequest {
  /** the shop whose staff sends the request; default: the first shop */
  domain?: string;
  /** a form makes the request a POST */
  form?: Record<string, string>;
  /** sent instead of a valid session token; null: no token */
  token?: string | null;
  signal?: AbortSignal;
}

/** A request of an admin page's script: App Bridge adds the session token. */
export async function adminRequest(path: string, options: AdminRequest = {}): Promise<Request> {
  const { domain = shop.shopDomain, form, signal } = options;
  const token = options.token === undefined ? await sessionToken(domain) : options.token;
  return new Request(`${appUrl}${path}`, {
    headers: {
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150 Safari/537.36",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

export interface WebhookOptions {
  domain?: string;
  /** stays the same over retries of one delivery */
  webhookId?: string;
  /** shared by all webhooks of one action */
  eventId?: string;
  /** signs the body; default: the current secret */
  secret?: string;
  /** sent instead of the right signature */
  signature?: string;
  /** Shopify's time of the event; default: now */
  triggeredAt?: Date;
}

/** A webhook as Shopify sends it. */
export function webhookRequest(topic: string, payload: unknown, options: WebhookOptions = {}): Request {
  const { domain = shop.shopDomain, secret = apiSecret } = options;
  const { webhookId = randomUUID(), eventId = randomUUID() } = options;
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  return new Request(`${appUrl}/webhooks`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-shopify-topic": topic,
      "x-shopify-shop-domain": domain,
      "x-shopify-webhook-id": webhookId,
      "x-shopify-event-id": eventId,
      "x-shopify-triggered-at": (options.triggeredAt ?? new Date()).toISOString(),
      "x-shopify-api-version": "2026-10",
      "x-shopify-hmac-sha256":
        options.signature ?? createHmac("sha256", secret).update(body).digest("base64"),
    },
  });
}

export const secrets = { apiKey, apiSecret, previousSecret };
