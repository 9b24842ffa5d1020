/**
 * The merchants: the statements of this feature that are written in SQL, with what they return, and the parts of other
 * features' statements that are about a merchant.
 */
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

/** What decides whether a shop sells: the state of the account of this environment, or of the one in use, and the pause. */
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
  /** since when; orders before may have bought the other account's plans */
  since: z.coerce.date(),
  /** the account to which the shop is switching: its catalogue is synced first */
  next: environment.nullable(),
});
export type AccountsInUse = z.infer<typeof accountsInUse>;

/** `accountsInUse` as part of another statement: null where the shop is not known. */
export const accountsInUseSql = (shop: string): Prisma.Sql => Prisma.sql`
  (SELECT jsonb_build_object('inUse', environment, 'since', "environmentSince", 'next', "nextEnvironment")
   FROM "Merchant" WHERE shop = ${shop})`;

/** What is stored of an account, its token sealed. */
export const storedConnection = z.object({
  storeId: z.string(),
  sealedToken: z.string(),
  phoneNumber: phoneNumberNeed,
  state: connectionState,
});
export type StoredConnection = z.infer<typeof storedConnection>;

/** The account of the order `o` of another statement, as `storedConnection`; null: not connected. */
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

/** A condition of a statement: the order `o` was bought before the store that is connected took another's place. */
export const isSoldByPreviousStore = Prisma.sql`EXISTS (
  SELECT FROM "ConnectedStore" AS s
  WHERE s.shop = o.shop AND s.environment = o.environment AND s.since >= o."purchasedAt")`;

/** What is stored of a shop's permissions and settings. */
export const shopModes = z.object({
  /** the shop has the app now */
  isInstalled: z.boolean(),
  timezone: z.string(),
  canFulfil: z.boolean(),
  canWriteOrders: z.boolean(),
  canWriteDrafts: z.boolean(),
  settings: merchantSettings.nullable(),
});
export type ShopModes = z.infer<typeof shopModes>;

/** Those of the shop of the order `o` of another statement, as `shopModes`; null: there is no such shop. */
export const shopModesColumn = Prisma.sql`(
  SELECT jsonb_build_object('isInstalled', m."uninstalledAt" IS NULL, 'timezone', m.timezone,
    'canFulfil', m."canFulfil", 'canWriteOrders', m."canWriteOrders", 'canWriteDrafts', m."canWriteDrafts",
    'settings', s.settings)
  FROM "Merchant" AS m LEFT JOIN "MerchantSettings" AS s ON s.shop = m.shop WHERE m.shop = o.shop)`;

const modesRows = z.tuple([z.object({ modes: shopModes.nullable() })]);

/** Null: the shop is not known. */
export async function findShopModes(shop: string): Promise<ShopModes | null> {
  const rows =
    await db.$queryRaw`SELECT ${shopModesColumn} AS modes FROM (SELECT ${shop}::text AS shop) AS o`;
  return modesRows.parse(rows)[0].modes;
}

/** The shop's rule of sale as a column of a statement; null: the shop is not known. */
export const saleRuleColumn = (shop: Prisma.Sql) => Prisma.sql`(
  SELECT jsonb_build_object('country', m.country, 'sale', COALESCE(s.settings -> 'sale', '{}'))
  FROM "Merchant" AS m LEFT JOIN "MerchantSettings" AS s USING (shop) WHERE m.shop = ${shop})`;

export const saleRule = z
  .object({ country: z.string(), sale: saleSettings })
  .transform(({ country, sale }) => saleRuleOf(sale, country));

const saleRuleRows = z.tuple([z.object({ rule: saleRule.nullable() })]);

/** Null: the shop is not known. */
export async function findSaleRule(shop: string): Promise<SaleRule | null> {
  const rows = await db.$queryRaw`SELECT ${saleRuleColumn(Prisma.sql`${shop}`)} AS rule`;
  return saleRuleRows.parse(rows)[0].rule;
}

// Locks. Those of a transaction are held until it ends.

const lockedAccounts = z.array(accountsInUse.omit({ since: true })).max(1);

/** The accounts that a shop uses and switches to. */
export async function lockAccounts(
  tx: Transaction,
  shop: string,
): Promise<Pick<AccountsInUse, "inUse" | "next">> {
  const rows = await tx.$queryRaw`
    SELECT environment AS "inUse", "nextEnvironment" AS next FROM "Merchant" WHERE shop = ${shop} FOR UPDATE`;
  return lockedAccounts.parse(rows)[0] ?? { inUse: "test", next: null };
}

/** One form of the shop's settings is saved at a time. */
export async function lockMerchant(tx: Transaction, shop: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM "Merchant" WHERE shop = ${shop} FOR NO KEY UPDATE`;
}

const lockedConnection = z.object({ state: connectionState, storeId: z.string(), sealedToken: z.string() });

/** @returns the account, which does not change meanwhile; null: not connected */
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

/** Whether the account sells for this store. No other store takes its place before the transaction ends. */
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

/** @returns until when the lock is held; null: others hold it */
export async function takeStaffLock(shop: string, seconds: number): Promise<Date | null> {
  const rows = await db.$queryRaw`
    UPDATE "Merchant" SET "staffLockedUntil" = now() + ${seconds} * interval '1 second'
    WHERE shop = ${shop} AND ("staffLockedUntil" IS NULL OR "staffLockedUntil" < now())
    RETURNING "staffLockedUntil" AS until`;
  return staffLocks.parse(rows)[0]?.until ?? null;
}

// Shops of scheduled work, and of all statements that are about more than one.

/** A query of the shops, as part of another statement. */
export const merchantShops = Prisma.sql`SELECT shop FROM "Merchant"`;

/** A query of the shops that have the app now and an account at the insurer, as part of another statement. */
export const connectedShops = Prisma.sql`
  SELECT m.shop FROM "Merchant" AS m
  WHERE m."uninstalledAt" IS NULL AND EXISTS (SELECT FROM "Connection" AS c WHERE c.shop = m.shop)`;

const shopRows = z.array(z.object({ shop: z.string() }));

/**
 * The shops that are due for scheduled work, in one order everywhere.
 * @param due a query of shops (`shop`)
 */
export async function findDueShops(due: Prisma.Sql): Promise<string[]> {
  const rows = await db.$queryRaw(Prisma.sql`SELECT due.shop FROM (${due}) AS due ORDER BY shop`);
  return shopRows.parse(rows).map(({ shop }) => shop);
}

/**
 * The shops, of some or all, for which one of the conditions on `m.shop` holds.
 * @param among null: all shops
 */
export function findShopsWith(conditions: Prisma.Sql[], among: string[] | null = null): Promise<string[]> {
  const isAmong = among === null ? Prisma.empty : Prisma.sql`AND m.shop = ANY(${among})`;
  return findDueShops(
    Prisma.sql`SELECT m.shop FROM "Merchant" AS m WHERE (${Prisma.join(conditions, " OR ")}) ${isAmong}`,
  );
}

const kept = z.array(z.object({ months: z.int(), shops: z.array(z.string()) }));

/** The shops by the months for which their customers' data is kept, those that keep it for ever left out. */
export async function retentionMonths(): Promise<{ months: number; shops: string[] }[]> {
  const rows = await db.$queryRaw`
    SELECT COALESCE((s.settings ->> 'retentionMonths')::int, ${defaultMerchantSettings.retentionMonths}::int) AS months,
      array_agg(m.shop) AS shops
    FROM "Merchant" AS m LEFT JOIN "MerchantSettings" AS s USING (shop) GROUP BY 1`;
  return kept.parse(rows).filter(({ months }) => months > 0);
}

/**
 * Runs scheduled work for each shop that is due. One shop's error is logged and does not stop the others.
 * For what a few shops need in an hour; what all of them may need is sent as jobs.
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
        "Failed to do a shop's scheduled work; the next schedule tries again",
      );
    }
  }
}
