/**
 * Everything the main job needs, on this machine: both stand-ins and the built app, with a database that goes when the
 * stage closes or, in a test run, with the run's server.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort, { portNumbers } from "get-port";
import { steadyPort } from "#test/cluster.ts";
import { databaseSettings } from "#test/migrated.ts";
import { type Mailbox, startMailbox } from "#test/sandbox/mail.ts";
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
  /** where the customers' mail arrives */
  mailbox: Mailbox;
  /** what the app was started with */
  environment: NodeJS.ProcessEnv;
  dataDir: string;
  close(): Promise<void>;
}

interface StageOptions {
  /** the first of three ports (shop, service, app); any free ones where it is left out */
  firstPort?: number;
  /** of the app's log; `info` where it is left out */
  logLevel?: "trace";
  /** on the embedded database in a test run, too */
  isEmbedded?: boolean;
  /** what the shop is: its language, its plan */
  shop?: ShopOptions;
  /** another way to start the app than as in production */
  start?: typeof startApp;
}

export async function openStage({
  firstPort,
  logLevel,
  isEmbedded = false,
  shop: shopOptions = {},
  start = startApp,
}: StageOptions = {}): Promise<Stage> {
  const wanted = (offset: number) =>
    firstPort === undefined
      ? steadyPort()
      : getPort({ port: portNumbers(firstPort + offset, firstPort + offset + 50) });
  const apiKey = randomBytes(16).toString("hex");
  const apiSecret = randomBytes(16).toString("hex");
  const dataDir = await mkdtemp(join(tmpdir(), "parasol-"));
  const shop = await startShop({
    port: await wanted(0),
    apiKey,
    apiSecret,
    extensionDir: "extensions/parasol-storefront",
    shops: [shopOptions],
  });
  if (process.env["VITEST"] !== undefined) shop.webhooks.behaviour.retryScheduleMs = soonAgain;
  const insurance = await startInsurance({ port: await wanted(1) });
  const mailbox = await startMailbox();
  const port = await wanted(2);
  const url = `http://127.0.0.1:${port}`;
  shop.setAppUrl(url);
  const environment: NodeJS.ProcessEnv = {
    ...(await databaseSettings(dataDir, isEmbedded)),
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    SHOPIFY_API_KEY: apiKey,
    SHOPIFY_API_SECRET: apiSecret,
    SHOPIFY_APP_URL: url,
    ENCRYPTION_KEYS: `demo:${randomBytes(32).toString("base64")}`,
    DATA_DIR: dataDir,
    // No load balancer has to notice.
    STOP_DELAY_SECONDS: "0",
    INSURANCE_BASE_URL_TEST: insurance.base_url,
    INSURANCE_BASE_URL_PRODUCTION: insurance.base_url,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "insurance@parasol.example",
    SANDBOX_SHOP_ORIGIN: shop.origin,
    APP_BRIDGE_URL: `${shop.origin}/app-bridge.js`,
    ...(logLevel === undefined ? {} : { LOG_LEVEL: logLevel }),
  };
  const app = await start(environment, dataDir);
  return {
    insurance,
    shop,
    app,
    mailbox,
    environment,
    dataDir,
    async close() {
      await app.stop();
      await Promise.all([shop.close(), insurance.close(), mailbox.close()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
