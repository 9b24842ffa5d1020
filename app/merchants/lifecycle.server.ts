/** A merchant's installation of the app: it begins at the first visit, follows the shop's details, ends by a webhook. */
import { system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { db } from "#app/platform/db.server.ts";
import type { Locale } from "#app/platform/locale.ts";
import { log } from "#app/platform/log.server.ts";
import { isInstalled } from "#app/shopify/access.server.ts";
import { NoAccess } from "#app/shopify/errors.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { deleteSessionsBefore } from "#app/shopify/sessions.server.ts";
import { findMerchant } from "./merchant.server.ts";
import type { Merchant } from "./merchant.ts";
import { checkOptionalScopes } from "./optional-scopes.server.ts";
import { scheduleSelling } from "./selling.server.ts";

/** The merchant; created or reactivated at the first visit after an installation. Cheap and safe to repeat. */
export async function ensureMerchant(shop: string): Promise<Merchant> {
  const existing = await findMerchant(shop);
  if (existing && existing.uninstalledAt === null && existing.currency !== "") return existing;
  const details = await fetchShop(shop);
  await db.$transaction(async (tx) => {
    await tx.merchant.upsert({
      where: { shop },
      create: { shop, ...details },
      update: { ...details, uninstalledAt: null, eraseAt: null },
    });
    // What the storefront showed went with the installation before.
    if (existing !== null && existing.uninstalledAt !== null) await scheduleSelling(shop, tx);
  });
  const merchant = await findMerchant(shop);
  if (merchant === null)
    throw new AppError(`${shop} was erased while it was installed; the next request installs it`);
  return merchant;
}

/**
 * Reads the shop's name, currency, country, time zone and plan again, after `shop/update`. A shop that has chosen no
 * countries sells in its own, which storefront and checkout have to know.
 */
export async function refreshMerchant(shop: string): Promise<void> {
  const details = await fetchShop(shop);
  await db.$transaction(async (tx) => {
    const before = await tx.merchant.findUnique({ where: { shop }, select: { country: true } });
    await tx.merchant.updateMany({ where: { shop }, data: details });
    if (before && before.country !== details.country) await scheduleSelling(shop, tx);
  });
}

/** Saves the language in which the admin was opened last. */
export async function saveLocale(shop: string, locale: Locale): Promise<void> {
  await db.merchant.updateMany({ where: { shop }, data: { locale } });
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

/**
 * After `app/uninstalled`: deletes the app's access tokens, once Shopify confirms that they are revoked. Contracts
 * that customers paid for stay on record until the shop is erased (app/privacy/shop-erasure.server.ts).
 * @param at when the app was removed: the event may come late, after the shop installed the app again
 * @throws AdminUnavailable where Shopify does not respond
 */
export async function handleAppUninstalled(shop: string, at: Date): Promise<void> {
  if (await isInstalled(shop)) {
    log.warn(
      { shop, at },
      "Refused app/uninstalled: the shop's access token still works, so nothing is deleted",
    );
    return followInstallation(shop);
  }
  if (await deleteSessionsBefore(shop, at)) {
    await db.merchant.updateMany({
      where: { shop },
      data: { uninstalledAt: at, canFulfil: false, canWriteOrders: false, canWriteDrafts: false },
    });
    await recordAudit({ shop, actor: system("app/uninstalled"), action: "app_removed" });
  } else {
    log.info({ shop, at }, "Skipped a late app/uninstalled: the shop has installed the app again");
    await followInstallation(shop);
  }
}

/** The shop has the app, perhaps again since: what an earlier installation wrote and was granted went with it. */
async function followInstallation(shop: string): Promise<void> {
  await handleScopesUpdate(shop);
  await db.$transaction((tx) => scheduleSelling(shop, tx));
}

/**
 * After `app/scopes_update`: the session holds the scopes granted now; the pages say which are missing. Shopify is
 * queried for them: the event's body names no shop, so the signature also fits an event of another shop, or an old one.
 * @throws AdminUnavailable where Shopify does not respond
 */
export async function handleScopesUpdate(shop: string): Promise<void> {
  try {
    await checkOptionalScopes(shop);
  } catch (error) {
    // Removed meanwhile.
    if (!(error instanceof NoAccess)) throw error;
  }
}
