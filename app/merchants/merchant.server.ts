/**
 * The shops that have the app, and what the app knows of each.
 */
import { z } from "zod";
import { AppError } from "#app/platform/app-error.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { type Locale, readLocale } from "#app/platform/locale.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { orderAccesses } from "#app/shopify/order-access.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { connectionState, environment } from "./connection.ts";
import type { Merchant } from "./merchant.ts";

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

/** Reads the shop's name, currency, time zone and plan again, after `shop/update`. */
export async function refreshMerchant(shop: string): Promise<void> {
  await db.merchant.updateMany({ where: { shop }, data: await fetchShop(shop) });
}

/** Saves the language in which the admin was opened last. */
export async function saveLocale(shop: string, locale: Locale): Promise<void> {
  await db.merchant.updateMany({ where: { shop }, data: { locale } });
}

export async function findMerchant(shop: string): Promise<Merchant | null> {
  const rows = await db.$queryRaw`
    SELECT m.shop, m.name, m.currency, m.timezone, m.locale, m.environment, m."nextEnvironment", m."orderAccess",
      m."hasPlusFeatures", m."installedAt", m."uninstalledAt", m."accountUrl", m."sellingPausedAt" IS NOT NULL AS "isPaused",
      (SELECT c.state FROM "Connection" AS c WHERE c.shop = m.shop AND c.environment = m.environment) AS account
    FROM "Merchant" AS m WHERE m.shop = ${shop}`;
  return z.array(merchantRow).parse(rows)[0] ?? null;
}

const merchantRow = z.object({
  shop: z.string(),
  name: z.string(),
  currency: z.string(),
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
 * Runs scheduled work for each shop that is due. One shop's error is logged and does not stop the others.
 * For what a few shops need in an hour; what all of them may need is sent as jobs.
 * @param due a query of these shops (`shop`)
 * @throws the signal's reason, before the next shop
 */
export async function forEachDueShop(
  what: string,
  due: Prisma.Sql,
  work: (shop: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for (const shop of await findDueShops(due)) {
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
): Promise<Pick<Merchant, "name" | "currency" | "timezone" | "hasPlusFeatures">> {
  const { shop } = await createAdminClient(domain, { attempts: 3 }).request(
    `#graphql
    query ParasolShop { shop { name currencyCode ianaTimezone plan { shopifyPlus partnerDevelopment } } }`,
    {},
  );
  return {
    name: shop.name,
    currency: shop.currencyCode,
    timezone: shop.ianaTimezone,
    hasPlusFeatures: shop.plan.shopifyPlus || shop.plan.partnerDevelopment,
  };
}
