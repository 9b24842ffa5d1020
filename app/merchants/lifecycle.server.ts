/**
 * A merchant's installation of the app: it begins with the first visit, follows changes of the shop, and ends with a
 * webhook.
 */
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

/**
 * Returns the merchant, and creates or reactivates it at the first visit after an installation. Cheap and safe to
 * repeat.
 */
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
    // Shopify deleted the storefront's metafields with the previous installation.
    if (existing !== null && existing.uninstalledAt !== null) await scheduleSelling(shop, tx);
  });
  const merchant = await findMerchant(shop);
  if (merchant === null)
    throw new AppError(`${shop} was erased while it was installed; the next request installs it`);
  return merchant;
}

/**
 * After `shop/update`: reads the shop's name, currency, country, time zone and plan again. A shop without chosen
 * countries sells in its own country, so storefront and checkout get the new one.
 */
export async function refreshMerchant(shop: string): Promise<void> {
  const details = await fetchShop(shop);
  await db.$transaction(async (tx) => {
    const previous = await tx.merchant.findUnique({ where: { shop }, select: { country: true } });
    await tx.merchant.updateMany({ where: { shop }, data: details });
    if (previous && previous.country !== details.country) await scheduleSelling(shop, tx);
  });
}

/** Saves the language of the admin's last visit. */
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
 * After `app/uninstalled`: deletes the app's access tokens after Shopify confirms that they are revoked. Paid
 * contracts stay on record until the shop is erased (app/privacy/shop-erasure.server.ts).
 * @param at the time of the uninstall: the webhook may arrive after the shop has installed the app again
 * @throws AdminUnavailable if Shopify does not respond
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

/** The shop has the app, possibly installed again: data and scopes of an earlier installation are gone. */
async function followInstallation(shop: string): Promise<void> {
  await handleScopesUpdate(shop);
  await db.$transaction((tx) => scheduleSelling(shop, tx));
}

/**
 * After `app/scopes_update`: saves the currently granted scopes in the session; pages show the missing ones. It
 * queries Shopify: the webhook's body names no shop, so its signature would also fit another shop's or an old
 * webhook.
 * @throws AdminUnavailable if Shopify does not respond
 */
export async function handleScopesUpdate(shop: string): Promise<void> {
  try {
    await checkOptionalScopes(shop);
  } catch (error) {
    // The app was uninstalled in the meantime.
    if (!(error instanceof NoAccess)) throw error;
  }
}
