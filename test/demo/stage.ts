/**
 * Everything that the main job needs on this machine: both stand-ins, the built app, and a database. The database
 * server ends with the stage or, in a test run, with the run.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort, { portNumbers } from "get-port";
import { migrateDatabase } from "#app/platform/database.server.ts";
import { openCluster, serverUrl, steadyPort } from "#test/cluster.ts";
import { MIGRATED_SERVER, newDatabase } from "#test/migrated.ts";
import { type Mailbox, startMailbox } from "#test/sandbox/mail.ts";
import { DOCUMENTS } from "#test/sandbox/insurance/catalogue.ts";
import { startInsurance } from "#test/sandbox/insurance/server.ts";
import type { ShopOptions } from "#test/sandbox/shop/seed/shop.ts";
import { startShop } from "#test/sandbox/shop/server.ts";
import { soonAgain } from "#test/sandbox/shop/webhooks/webhooks.ts";
import { startApp } from "./app-process.ts";
import type { AppProcess } from "./app-process.ts";

export interface Stage {
  insurance: Awaited<ReturnType<typeof startInsurance>>;
  shop: Awaited<ReturnType<typeof startShop>>;
  app: AppProcess;
  /** the inbox of the customers' mail */
  mailbox: Mailbox;
  /** the app's environment */
  environment: NodeJS.ProcessEnv;
  /** the file of the app's log */
  folder: string;
  close(): Promise<void>;
}

interface StageOptions {
  /** the first of four ports (shop, insurer, app, received mail); default: any free ones */
  firstPort?: number;
  /** of the app's log; default: `info` */
  logLevel?: "trace";
  /** the shop's properties: its language, its plan */
  shop?: ShopOptions;
  /** the app's way to the database, given its URL; default: the URL itself */
  databaseUrl?: (url: string) => Promise<string>;
  /** starts the app in another way than in production */
  start?: typeof startApp;
}

export async function openStage({
  firstPort,
  logLevel,
  shop: shopOptions = {},
  databaseUrl = (url) => Promise.resolve(url),
  start = startApp,
}: StageOptions = {}): Promise<Stage> {
  const wanted = (offset: number) =>
    firstPort === undefined
      ? steadyPort()
      : getPort({ port: portNumbers(firstPort + offset, firstPort + offset + 50) });
  const apiKey = randomBytes(16).toString("hex");
  const apiSecret = randomBytes(16).toString("hex");
  const folder = await mkdtemp(join(tmpdir(), "parasol-"));
  const database = await openDatabase();
  const shop = await startShop({
    port: await wanted(0),
    apiKey,
    apiSecret,
    extensionDir: "extensions/parasol-storefront",
    shops: [shopOptions],
  });
  if (process.env["VITEST"] !== undefined) shop.webhooks.behaviour.retryScheduleMs = soonAgain;
  const insurance = await startInsurance({
    port: await wanted(1),
    ...(shopOptions.products === "en" ? { formulas: "english" as const } : {}),
  });
  const elsewhere: typeof shop.elsewhere =
    process.env["VITEST"] === undefined
      ? { [DOCUMENTS]: insurance.base_url, [`https://${shop.shopDomain}`]: shop.origin }
      : {};
  shop.elsewhere = elsewhere;
  const mailbox = await startMailbox({ pagePort: await wanted(3), elsewhere });
  const port = await wanted(2);
  const url = `http://127.0.0.1:${port}`;
  shop.setAppUrl(url);
  const environment: NodeJS.ProcessEnv = {
    DATABASE_URL: await databaseUrl(database.url),
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    SHOPIFY_API_KEY: apiKey,
    SHOPIFY_API_SECRET: apiSecret,
    SHOPIFY_APP_URL: url,
    ENCRYPTION_KEYS: `demo:${randomBytes(32).toString("base64")}`,
    // No load balancer has to notice the stop.
    STOP_DELAY_SECONDS: "0",
    INSURANCE_BASE_URL_TEST: insurance.base_url,
    INSURANCE_BASE_URL_PRODUCTION: insurance.base_url,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "insurance@parasol.example",
    SANDBOX_SHOP_ORIGIN: shop.origin,
    SANDBOX_DOCUMENTS_ORIGIN: new URL(insurance.base_url).origin,
    APP_BRIDGE_URL: `${shop.origin}/app-bridge.js`,
    ...(logLevel === undefined ? {} : { LOG_LEVEL: logLevel }),
  };
  const app = await start(environment, folder);
  return {
    insurance,
    shop,
    app,
    mailbox,
    environment,
    folder,
    async close() {
      await app.stop();
      await Promise.all([shop.close(), insurance.close(), mailbox.close(), database.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** In a test run a copy on the run's server; otherwise a server that the stage starts. */
async function openDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  if (process.env[MIGRATED_SERVER] !== undefined)
    return { url: await newDatabase(), close: () => Promise.resolve() };
  const cluster = await openCluster();
  const url = serverUrl(cluster.port, "postgres");
  await migrateDatabase(url);
  return { url, close: () => cluster.close() };
}
