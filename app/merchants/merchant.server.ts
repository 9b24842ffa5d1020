/**
 * The shops that have the app, and what the app knows of each.
 */
import { z } from "zod";
import { AppError } from "#app/platform/app-error.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { type Locale, readLocale } from "#app/platform/locale.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { orderAccesses } from "#app/shopify/order-access.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { type ConnectionState, connectionState, type Environment, environment } from "./connection.ts";
import type { Merchant } from "./merchant.ts";
import { defaultMerchantSettings } from "./settings.ts";

/** The merchant; created or reactivated at the first visit after an installation. Cheap and safe to repeat. */
export async function ensureMerchant(shop: string): Promise<Merchant> {
  const existing = await findMerchant(shop);
  if (existing && existing.uninstalledAt === null && existing.currency !== "") return existing;
  const details = await fetchShop(shop);
  await db.merchant.upsert({
    where: { shop },
    create: { shop, ...details },
    update: { ...details, uninstalledAt: null, eraseAt: null },
  });
  const merchant = await findMerchant(shop);
  if (merchant === null)
    throw new AppError(`${shop} was erased while it was installed; the next request installs it`);
  return merchant;
}

/** Reads the shop's name, currency, country, time zone and plan again, after `shop/update`. */
export async function refreshMerchant(shop: string): Promise<void> {
  await db.merchant.updateMany({ where: { shop }, data: await fetchShop(shop) });
}

/** Saves the language in which the admin was opened last. */
export async function saveLocale(shop: string, locale: Locale): Promise<void> {
  await db.merchant.updateMany({ where: { shop }, data: { locale } });
}

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

// Locks. Those of a transaction are held until it ends.

/** One form of the shop's settings is saved at a time. */
export async function lockMerchant(tx: Transaction, shop: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM "Merchant" WHERE shop = ${shop} FOR NO KEY UPDATE`;
}

/** @returns the account's state, which does not change meanwhile; null: not connected */
export async function lockConnection(
  tx: Transaction,
  shop: string,
  ofEnvironment: Environment,
): Promise<ConnectionState | null> {
  const rows = await tx.$queryRaw`
    SELECT state FROM "Connection" WHERE shop = ${shop} AND environment = ${ofEnvironment} FOR NO KEY UPDATE`;
  return z.array(z.object({ state: connectionState })).parse(rows)[0]?.state ?? null;
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

/** A query of the shops and their data keys, as part of another statement. */
export const merchantShops = Prisma.sql`SELECT shop, "dataKeyId" FROM "Merchant"`;

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

/** @throws AdminRefused, AdminUnavailable, NoAccess */
async function fetchShop(
  domain: string,
): Promise<Pick<Merchant, "name" | "currency" | "country" | "timezone" | "hasPlusFeatures">> {
  const { shop } = await createAdminClient(domain, { attempts: 3 }).request(
    `#graphql
    query ParasolShop { shop {
      name currencyCode ianaTimezone shopAddress { countryCodeV2 } plan { shopifyPlus partnerDevelopment } } }`,
    {},
  );
  return {
    name: shop.name,
    currency: shop.currencyCode,
    country: shop.shopAddress.countryCodeV2 ?? "",
    timezone: shop.ianaTimezone,
    hasPlusFeatures: shop.plan.shopifyPlus || shop.plan.partnerDevelopment,
  };
}
