/**
 * The merchants: this feature's SQL statements with their results, and the SQL fragments about a merchant for other
 * features' statements.
 */
import { statusWords } from "#app/insurance/status-words.ts";
import { z } from "zod";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { readLocale } from "#app/platform/locale.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { orderAccesses } from "#app/shopify/order-access.ts";
import type { SaleRule } from "../../extensions/sale-rule.ts";
import { connectionState, type Environment, environment, phoneNumberNeed } from "./connection.ts";
import type { Merchant } from "./merchant.ts";
import { defaultMerchantSettings, merchantSettings, saleRuleOf, saleSettings } from "./settings.ts";

export async function findMerchant(shop: string): Promise<Merchant | null> {
  const rows = await db.$queryRaw`
    SELECT m.shop, m.name, m.currency, m.country, m.timezone, m.locale, m.environment, m."nextEnvironment", m."orderAccess",
      m."hasPlusFeatures", m."installedAt", m."uninstalledAt", m."accountUrl", m."sellingPausedAt" IS NOT NULL AS "isPaused",
      (SELECT c.state FROM "Connection" AS c WHERE c.shop = m.shop AND c.environment = m.environment) AS account
    FROM "Merchant" AS m WHERE m.shop = ${shop}`;
  return z.array(merchantRow).parse(rows)[0] ?? null;
}

const merchantRow = z.object({
  shop: z.string(),
  name: z.string(),
  currency: z.string(),
  country: z.string(),
  timezone: z.string(),
  locale: z.string().transform((locale) => readLocale(locale) ?? "en"),
  environment,
  nextEnvironment: environment.nullable(),
  account: connectionState.nullable(),
  isPaused: z.boolean(),
  accountUrl: z.string().nullable(),
  orderAccess: z.enum(orderAccesses),
  hasPlusFeatures: z.boolean(),
  installedAt: z.coerce.date(),
  uninstalledAt: z.coerce.date().nullable(),
});

const sellingRow = z.object({ account: connectionState.nullable(), isPaused: z.boolean() });

/**
 * The inputs of the decision whether a shop sells: the pause, and the account's state in this environment or in the
 * one in use.
 */
export async function findSelling(
  shop: string,
  inEnvironment?: Environment,
): Promise<z.infer<typeof sellingRow> | null> {
  const rows = await db.$queryRaw`
    SELECT m."sellingPausedAt" IS NOT NULL AS "isPaused", (
      SELECT c.state FROM "Connection" AS c
      WHERE c.shop = m.shop AND c.environment = COALESCE(${inEnvironment ?? null}, m.environment)) AS account
    FROM "Merchant" AS m WHERE m.shop = ${shop}`;
  return z.array(sellingRow).parse(rows)[0] ?? null;
}

export const accountsInUse = z.object({
  inUse: environment,
  /** start of use; earlier orders may contain the other account's plans */
  since: z.coerce.date(),
  /** the account of a pending switch: its catalogue is synced first */
  next: environment.nullable(),
});
export type AccountsInUse = z.infer<typeof accountsInUse>;

/** `accountsInUse` as an SQL fragment: null if the shop is unknown. */
export const accountsInUseSql = (shop: string): Prisma.Sql => Prisma.sql`
  (SELECT jsonb_build_object('inUse', environment, 'since', "environmentSince", 'next', "nextEnvironment")
   FROM "Merchant" WHERE shop = ${shop})`;

/** The stored data of an account, with a sealed token. */
export const storedConnection = z.object({
  storeId: z.string(),
  sealedToken: z.string(),
  phoneNumber: phoneNumberNeed,
  state: connectionState,
  statusWords,
});
export type StoredConnection = z.infer<typeof storedConnection>;

/** SQL column: the account of the order `o`, as `storedConnection`; null: not connected. */
export const connectionColumn = Prisma.sql`(
  SELECT to_jsonb(c) FROM "Connection" AS c WHERE c.shop = o.shop AND c.environment = o.environment)`;

/** Null: not connected in this environment. */
export async function findConnection(
  shop: string,
  environment: Environment,
): Promise<StoredConnection | null> {
  const row = await db.connection.findUnique({ where: { shop_environment: { shop, environment } } });
  return storedConnection.nullable().parse(row);
}

/** An SQL condition: the order `o` was bought before the connected store replaced another one. */
export const isSoldByPreviousStore = Prisma.sql`EXISTS (
  SELECT FROM "ConnectedStore" AS s
  WHERE s.shop = o.shop AND s.environment = o.environment AND s.since >= o."purchasedAt")`;

/** The stored permissions and settings of a shop. */
export const shopModes = z.object({
  /** whether the shop has the app now */
  isInstalled: z.boolean(),
  timezone: z.string(),
  canFulfil: z.boolean(),
  canWriteOrders: z.boolean(),
  canWriteDrafts: z.boolean(),
  settings: merchantSettings.nullable(),
});
export type ShopModes = z.infer<typeof shopModes>;

/** SQL column: the modes of the order `o`'s shop, as `shopModes`; null: the shop does not exist. */
export const shopModesColumn = Prisma.sql`(
  SELECT jsonb_build_object('isInstalled', m."uninstalledAt" IS NULL, 'timezone', m.timezone,
    'canFulfil', m."canFulfil", 'canWriteOrders', m."canWriteOrders", 'canWriteDrafts', m."canWriteDrafts",
    'settings', s.settings)
  FROM "Merchant" AS m LEFT JOIN "MerchantSettings" AS s ON s.shop = m.shop WHERE m.shop = o.shop)`;

const modesRows = z.tuple([z.object({ modes: shopModes.nullable() })]);

/** Null: the shop is unknown. */
export async function findShopModes(shop: string): Promise<ShopModes | null> {
  const rows =
    await db.$queryRaw`SELECT ${shopModesColumn} AS modes FROM (SELECT ${shop}::text AS shop) AS o`;
  return modesRows.parse(rows)[0].modes;
}

/** SQL column: the shop's sale rule; null: the shop is unknown. */
export const saleRuleColumn = (shop: Prisma.Sql) => Prisma.sql`(
  SELECT jsonb_build_object('country', m.country, 'sale', COALESCE(s.settings -> 'sale', '{}'))
  FROM "Merchant" AS m LEFT JOIN "MerchantSettings" AS s USING (shop) WHERE m.shop = ${shop})`;

export const saleRule = z
  .object({ country: z.string(), sale: saleSettings })
  .transform(({ country, sale }) => saleRuleOf(sale, country));

const saleRuleRows = z.tuple([z.object({ rule: saleRule.nullable() })]);

/** Null: the shop is unknown. */
export async function findSaleRule(shop: string): Promise<SaleRule | null> {
  const rows = await db.$queryRaw`SELECT ${saleRuleColumn(Prisma.sql`${shop}`)} AS rule`;
  return saleRuleRows.parse(rows)[0].rule;
}

// Locks. A transaction holds its locks until it ends.

const lockedAccounts = z.array(accountsInUse.omit({ since: true })).max(1);

/** Locks the accounts that a shop uses and switches to. */
export async function lockAccounts(
  tx: Transaction,
  shop: string,
): Promise<Pick<AccountsInUse, "inUse" | "next">> {
  const rows = await tx.$queryRaw`
    SELECT environment AS "inUse", "nextEnvironment" AS next FROM "Merchant" WHERE shop = ${shop} FOR UPDATE`;
  return lockedAccounts.parse(rows)[0] ?? { inUse: "test", next: null };
}

/** Locks the merchant, so that forms of the shop's settings are saved one after another. */
export async function lockMerchant(tx: Transaction, shop: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM "Merchant" WHERE shop = ${shop} FOR NO KEY UPDATE`;
}

const lockedConnection = z.object({ state: connectionState, storeId: z.string(), sealedToken: z.string() });

/** @returns the account, which does not change until the transaction ends; null: not connected */
export async function lockConnection(
  tx: Transaction,
  shop: string,
  ofEnvironment: Environment,
): Promise<z.infer<typeof lockedConnection> | null> {
  const rows = await tx.$queryRaw`
    SELECT state, "storeId", "sealedToken" FROM "Connection"
    WHERE shop = ${shop} AND environment = ${ofEnvironment} FOR NO KEY UPDATE`;
  return z.array(lockedConnection).parse(rows)[0] ?? null;
}

/** Whether the account sells for this store. No other store replaces it before the transaction ends. */
export async function lockStore(
  tx: Transaction,
  shop: string,
  ofEnvironment: Environment,
  storeId: string,
): Promise<boolean> {
  const rows = await tx.$queryRaw`
    SELECT FROM "ConnectedStore"
    WHERE shop = ${shop} AND environment = ${ofEnvironment} AND "storeId" = ${storeId}
    FOR SHARE`;
  return z.array(z.unknown()).parse(rows).length > 0;
}

const staffLocks = z.array(z.object({ until: z.coerce.date() })).max(1);

/** @returns the expiry of the lock; null: another request holds it */
export async function takeStaffLock(shop: string, seconds: number): Promise<Date | null> {
  const rows = await db.$queryRaw`
    UPDATE "Merchant" SET "staffLockedUntil" = now() + ${seconds} * interval '1 second'
    WHERE shop = ${shop} AND ("staffLockedUntil" IS NULL OR "staffLockedUntil" < now())
    RETURNING "staffLockedUntil" AS until`;
  return staffLocks.parse(rows)[0]?.until ?? null;
}

// Shops for scheduled work and for statements about several shops.

/** An SQL query of all shops. */
export const merchantShops = Prisma.sql`SELECT shop FROM "Merchant"`;

/** An SQL query of the shops with the app and an account at the insurer. */
export const connectedShops = Prisma.sql`
  SELECT m.shop FROM "Merchant" AS m
  WHERE m."uninstalledAt" IS NULL AND EXISTS (SELECT FROM "Connection" AS c WHERE c.shop = m.shop)`;

const shopRows = z.array(z.object({ shop: z.string() }));

/**
 * The shops that are due for scheduled work, in a fixed order.
 * @param due an SQL query of shops (`shop`)
 */
export async function findDueShops(due: Prisma.Sql): Promise<string[]> {
  const rows = await db.$queryRaw(Prisma.sql`SELECT due.shop FROM (${due}) AS due ORDER BY shop`);
  return shopRows.parse(rows).map(({ shop }) => shop);
}

/**
 * The shops that meet one of the conditions on `m.shop`.
 * @param among limits the result to these shops; null: all shops
 */
export function findShopsWith(conditions: Prisma.Sql[], among: string[] | null = null): Promise<string[]> {
  const isAmong = among === null ? Prisma.empty : Prisma.sql`AND m.shop = ANY(${among})`;
  return findDueShops(
    Prisma.sql`SELECT m.shop FROM "Merchant" AS m WHERE (${Prisma.join(conditions, " OR ")}) ${isAmong}`,
  );
}

const kept = z.array(z.object({ months: z.int(), shops: z.array(z.string()) }));

/** The shops by the retention period of their customers' data in months. Shops that keep it forever are missing. */
export async function retentionMonths(): Promise<{ months: number; shops: string[] }[]> {
  const rows = await db.$queryRaw`
    SELECT COALESCE((s.settings ->> 'retentionMonths')::int, ${defaultMerchantSettings.retentionMonths}::int) AS months,
      array_agg(m.shop) AS shops
    FROM "Merchant" AS m LEFT JOIN "MerchantSettings" AS s USING (shop) GROUP BY 1`;
  return kept.parse(rows).filter(({ months }) => months > 0);
}

/**
 * Runs scheduled work for each due shop. One shop's error is logged and does not stop the others. Use it for work of
 * a few shops per hour; work of all shops is sent as jobs.
 * @throws the signal's reason, before the next shop
 */
export async function forEachDueShop(
  what: string,
  due: readonly string[],
  work: (shop: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for (const shop of due) {
    signal?.throwIfAborted();
    try {
      await work(shop);
    } catch (error) {
      signal?.throwIfAborted();
      log.error(
        { err: error, shop, what },
        "Failed to do a shop's scheduled work; the next schedule retries",
      );
    }
  }
}
