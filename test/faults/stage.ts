/**
 * The environment of a fault test: both stand-ins in this process, a PostgreSQL server, and the app's own processes.
 * The verdict reads the insurer's own records.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { catalogueRows, sellReferences } from "#test/orders/references.ts";
import type { SoldReference } from "#test/orders/references.ts";
import { startInsurance } from "#test/sandbox/insurance/server.ts";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";
import { startShop } from "#test/sandbox/shop/server.ts";
import { openCluster, serverUrl, steadyPort } from "#test/cluster.ts";
import type { TestCluster } from "#test/cluster.ts";
import type { preparation } from "./prepare.ts";
import { runProcess } from "./processes.ts";
import type { z } from "zod";

const SHOPS = ["one.myshopify.com", "two.myshopify.com"] as const;

/** Shared by all rows: the stand-ins and the app's environment. */
export interface TestApp {
  shops: readonly [ShopSandbox, ...ShopSandbox[]];
  insurance: Awaited<ReturnType<typeof startInsurance>>;
  references: SoldReference[];
  /** the environment of the app's processes, without the database */
  env: Record<string, string>;
  /** the URL to which Shopify's stand-in delivers webhooks */
  webPort: number;
  folder: string;
  /** the log file of all its processes */
  logFile: string;
  postgresPort: number;
  /** @returns the name of a new prepared database on the server */
  newServerDatabase(): Promise<string>;
  /** @returns the name of a database on the server without any table */
  newEmptyDatabase(): Promise<string>;
  close(): Promise<void>;
}

/** A database with the app installed and connected in each shop, and its tokens for the shops. */
interface Prepared {
  /** its name on the server */
  name: string;
  tokens: ShopSandbox["tokens"][];
}

/** Shared by several test apps: the PostgreSQL server, the app's keys, and one prepared database. */
export interface Ground {
  postgres: TestCluster;
  apiKey: string;
  apiSecret: string;
  encryptionKeys: string;
  prepared: Promise<Prepared> | null;
  close(): Promise<void>;
}

export async function openGround(): Promise<Ground> {
  const postgres = await openCluster();
  return { postgres, ...newKeys(), prepared: null, close: () => postgres.close() };
}

/** The ground on a server that is already running and stays afterwards. @param admin a client of its own database */
export function groundOn(admin: pg.Client, port: number): Ground {
  let made = 0;
  return {
    postgres: {
      port,
      async newDatabase({ name = `database_${(made += 1)}`, template = "template0" } = {}) {
        await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
        return name;
      },
      close: () => Promise.resolve(),
    },
    ...newKeys(),
    prepared: null,
    close: () => Promise.resolve(),
  };
}

const newKeys = () => ({
  apiKey: randomBytes(16).toString("hex"),
  apiSecret: randomBytes(16).toString("hex"),
  encryptionKeys: `faults:${randomBytes(32).toString("base64")}`,
});

/** @param shared default: a ground for this app alone */
export async function openTestApp(shared?: Ground): Promise<TestApp> {
  const webPort = await steadyPort();
  const ground = shared ?? (await openGround());
  const { apiKey, apiSecret, postgres } = ground;
  const folder = await mkdtemp(join(tmpdir(), "parasol-faults-"));
  const first = await startShop({ apiKey, apiSecret, shops: SHOPS.map((domain) => ({ domain })) });
  const shops = [...first.shops.values()];
  const insurance = await startInsurance({ sales: 0 });
  const url = `http://127.0.0.1:${webPort}`;
  const env = {
    NODE_ENV: "production",
    LOG_LEVEL: "info",
    HOST: "127.0.0.1",
    PORT: String(webPort),
    SHOPIFY_API_KEY: apiKey,
    SHOPIFY_API_SECRET: apiSecret,
    SHOPIFY_APP_URL: url,
    ENCRYPTION_KEYS: ground.encryptionKeys,
    INSURANCE_BASE_URL_TEST: insurance.base_url,
    INSURANCE_BASE_URL_PRODUCTION: insurance.base_url,
    // Longer than the client's timeout: on a busy machine the stand-in may finish abandoned requests late.
    INSURANCE_CONSISTENCY_SECONDS: "20",
    // No load balancer has to notice the stop.
    STOP_DELAY_SECONDS: "0",
    SANDBOX_SHOP_ORIGIN: first.origin,
    SANDBOX_DOCUMENTS_ORIGIN: new URL(insurance.base_url).origin,
  };
  let references: SoldReference[] = [];
  const prepared: z.input<typeof preparation> = [];
  for (const [index, shop] of shops.entries()) {
    shop.install();
    shop.setAppUrl(url);
    // Shopify retries for four hours; here for some minutes, and more often.
    shop.webhooks.behaviour.retryScheduleMs = [250, 500, 1_000, ...Array.from({ length: 100 }, () => 2_000)];
    references = await sellReferences(shop.state, insurance.control_url);
    const store = insurance.stores[index % insurance.stores.length];
    if (!store) throw new Error("The insurer has no store");
    const rows = catalogueRows(shop.shopDomain, shop.state, references);
    prepared.push({ shop: shop.shopDomain, storeId: store.store_id, token: store.token_test, ...rows });
  }
  const prepareDatabase = async (): Promise<Prepared> => {
    const name = await postgres.newDatabase();
    const file = join(folder, "preparation.json");
    await writeFile(file, JSON.stringify(prepared));
    const options = { env: { ...env, DATABASE_URL: serverUrl(postgres.port, name), LOG_LEVEL: "warn" } };
    await runProcess("app/processes/operate.ts", { ...options, args: ["migrate"] });
    await runProcess("test/faults/prepare.ts", { ...options, args: [file] });
    return { name, tokens: shops.map(({ tokens }) => tokens) };
  };
  const preparedDatabase = async (): Promise<string> => {
    ground.prepared ??= prepareDatabase();
    const { name, tokens } = await ground.prepared;
    for (const [index, given] of tokens.entries()) shops[index]?.tokens.adopt(given);
    return name;
  };
  const [one, ...more] = shops;
  if (!one) throw new Error("The stand-in has no shop");
  return {
    shops: [one, ...more],
    insurance,
    references,
    env,
    webPort,
    folder,
    logFile: join(folder, "app.log"),
    postgresPort: postgres.port,
    async newServerDatabase() {
      return postgres.newDatabase({ template: await preparedDatabase() });
    },
    newEmptyDatabase: () => postgres.newDatabase(),
    async close() {
      await Promise.all([one.close(), insurance.close()]);
      if (!shared) await ground.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
