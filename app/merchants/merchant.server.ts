/**
 * The shops that have the app, and what the app knows of each.
 */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Locale } from "#app/platform/locale.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { Merchant } from "#app/platform/prisma/client.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";

const shopAnswer = z.object({
  shop: z.object({
    name: z.string(),
    currencyCode: z.string().length(3),
    ianaTimezone: z.string(),
  }),
});

/** Makes the shop known at its first visit, and again after a reinstallation. Cheap and safe to repeat. */
export async function ensureMerchant(shop: string): Promise<Merchant> {
  const known = await db.merchant.findUnique({ where: { shop } });
  if (known && known.uninstalledAt === null && known.currency !== "") return known;
  const facts = await fetchShop(shop);
  return db.merchant.upsert({
    where: { shop },
    create: { shop, ...facts },
    update: { ...facts, uninstalledAt: null, eraseAt: null },
  });
}

/** Reads the shop's name, currency and time zone anew, after `shop/update`. */
export async function refreshMerchant(shop: string): Promise<void> {
  const facts = await fetchShop(shop);
  await db.merchant.updateMany({ where: { shop }, data: facts });
}

/** Remembers the language in which the admin was opened last. */
export async function saveLocale(shop: string, locale: Locale): Promise<void> {
  await db.merchant.updateMany({ where: { shop }, data: { locale } });
}

export async function findMerchant(shop: string): Promise<Merchant | null> {
  return db.merchant.findUnique({ where: { shop } });
}

/** A query of the shops that are known, for a statement that is about events of shops. */
export const merchantShops = Prisma.sql`SELECT shop FROM "Merchant"`;

/** Scheduled work, for each shop that has the app now. One shop's trouble is logged and is not the next one's. */
export async function forEachMerchant(
  what: string,
  work: (merchant: Merchant) => Promise<void>,
): Promise<void> {
  for (const merchant of await db.merchant.findMany({
    where: { uninstalledAt: null },
    orderBy: { shop: "asc" },
  })) {
    try {
      await work(merchant);
    } catch (error) {
      log.error({ err: error, shop: merchant.shop, what }, "scheduled work failed");
    }
  }
}

/** @throws AdminRefused, AdminUnavailable, NoAccess */
async function fetchShop(domain: string): Promise<{ name: string; currency: string; timezone: string }> {
  const { shop } = await createAdminClient(domain, { attempts: 3 }).request({
    query: `#graphql
    query ParasolShop { shop { name currencyCode ianaTimezone } }`,
    schema: shopAnswer,
  });
  return { name: shop.name, currency: shop.currencyCode, timezone: shop.ianaTimezone };
}
