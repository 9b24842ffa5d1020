/**
 * Writes the data of the checkout's offer: first each category's offers onto its plan product, then the merchant's
 * settings, which name those products, onto the shop. A checkout extension cannot read the theme's app-data
 * metafields.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { findBands } from "#app/catalogue/product-categories/category-look-up.server.ts";
import { listUniverses } from "#app/catalogue/product-categories/rules.server.ts";
import { universeOf } from "#app/catalogue/product-categories/universe.ts";
import { listOfferedCategories } from "#app/catalogue/references/look-up.server.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { listRecordedProducts } from "#app/catalogue/sync/synced-products.server.ts";
import { coverOfCheckout, insureSearch, withdrawalSearch } from "#app/customers/customer-links.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { type Merchant, sellingStopOf } from "#app/merchants/merchant.ts";
import { automaticQuotesAreOn, readInsureDays } from "#app/merchants/quote-settings.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { saleRuleOf } from "#app/merchants/settings.ts";
import { readStorefrontSettings, saveStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import { shownWithdrawalDays } from "#app/offers/withdrawal-days.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { fetchOwnerIds, setMetafields } from "#app/shopify/app-data.server.ts";
import { AdminRefused, AdminUnavailable, MetafieldsRefused, NoAccess } from "#app/shopify/errors.ts";
import { gid } from "#app/shopify/gid.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { checkoutCatalogue, checkoutSettings } from "./checkout-data.ts";

/**
 * Saves the merchant's settings. `not_shown`: saved, and a job writes them into the shop. `changed_elsewhere`: not
 * saved.
 */
export async function updateStorefrontSettings(
  shop: string,
  settings: StorefrontSettings,
  actor: Actor,
  version: string | null,
): Promise<"saved" | "not_shown" | "changed_elsewhere"> {
  try {
    if (!(await saveStorefrontSettings(shop, settings, actor, version))) return "changed_elsewhere";
    return (await publishCheckout(shop, { attempts: 2 })) ? "saved" : "not_shown";
  } catch (error) {
    if (!(error instanceof AdminRefused || error instanceof AdminUnavailable)) throw error;
    log.warn({ err: error, shop }, "Failed to write the storefront's settings into the shop; they are saved");
    return "not_shown";
  }
}

/** Shopify's limit of metafields in one atomic call. */
const PER_CALL = 25;

/** The digest of the last written value, by the owner's gid. */
const digests = z.record(z.string(), z.string());

/**
 * Runs after the settings are saved, and after every catalogue run. It writes only differences. It costs no call if
 * the shop has never offered insurance in the checkout, nor quotes automatically or on request.
 * @returns false: the shop refuses it, and the next change retries
 * @throws AdminUnavailable: not done, retry
 */
export async function publishCheckout(shop: string, options: { attempts?: number } = {}): Promise<boolean> {
  const merchant = await findMerchant(shop);
  if (!merchant || merchant.uninstalledAt !== null) return true;
  const settings = await readStorefrontSettings(shop);
  const row = await db.storefrontSettings.findUnique({ where: { shop }, select: { checkoutDigests: true } });
  const written = digests.parse(row?.checkoutDigests ?? {});
  const isSelling = sellingStopOf(merchant) === null;
  const quotes = isSelling && (await automaticQuotesAreOn(shop));
  const insureDays = await readInsureDays(shop);
  const insure = isSelling && insureDays > 0 ? { url: insureSearch(shop), days: insureDays } : null;
  const isOn = isSelling && settings.touchpoints.checkout.on;
  if (!isOn && !quotes && insure === null && Object.keys(written).length === 0) return true;
  const { withdrawalDays, sale } = await readMerchantSettings(shop);
  const days = await shownWithdrawalDays(merchant, settings, withdrawalDays);
  const withdrawal = { days, page: withdrawalSearch(shop) };
  const rule = saleRuleOf(sale, merchant.country);
  const cover = coverOfCheckout(shop);
  const catalogues = isOn || quotes || insure !== null ? await readCatalogues(merchant, settings) : [];
  const plans = Object.fromEntries(catalogues.map(({ key, product }) => [key, product]));
  const client = createAdminClient(shop, options);
  try {
    const { installationId, shopId } = await fetchOwnerIds(client);
    const wanted = [
      // The thank-you page and the order's page name the lowest price of what may be insured later.
      ...(isOn || insure !== null
        ? catalogues.map(({ product, content }) => [product, content] as const)
        : []),
      [shopId, checkoutSettings(settings, { isOn, quotes, insure, cover, plans, rule, withdrawal })] as const,
    ].map(([ownerId, content]) => {
      const value = JSON.stringify(content);
      // The installation's id makes a reinstalled app write everything again.
      const digest = createHash("sha256").update(`${installationId} ${value}`).digest("base64url");
      return { ownerId, value, digest };
    });
    const changed = wanted.filter(({ ownerId, digest }) => written[ownerId] !== digest);
    for (let from = 0; from < changed.length; from += PER_CALL) {
      const group = changed.slice(from, from + PER_CALL);
      await setMetafields(
        client,
        group.map(({ ownerId, value }) => ({
          ownerId,
          value,
          namespace: "$app",
          key: "checkout",
          type: "json" as const,
        })),
      );
    }
    const checkoutDigests = Object.fromEntries(wanted.map(({ ownerId, digest }) => [ownerId, digest]));
    await db.storefrontSettings.upsert({
      where: { shop },
      create: { shop, settings, checkoutDigests },
      update: { checkoutDigests },
    });
    return true;
  } catch (error) {
    // The merchant has uninstalled the app in the meantime.
    if (error instanceof NoAccess) return true;
    if (!(error instanceof AdminRefused || error instanceof MetafieldsRefused)) throw error;
    log.warn({ err: error, shop }, "Failed to write the checkout's offers: Shopify refused");
    return false;
  }
}

/**
 * The sold references of the account in use, by category. Categories whose offers differ by product are missing: the
 * app proxy serves those.
 */
async function readCatalogues({ shop, environment, currency }: Merchant, settings: StorefrontSettings) {
  const offered = await listOfferedCategories(shop, environment);
  const categories = [...offered.values()].filter(({ live }) => !live).map(({ category }) => category);
  const universes = await listUniverses(shop);
  const bands = await findBands(
    shop,
    environment,
    universes,
    categories.map(({ id }) => id),
  );
  const products = await listRecordedProducts(shop);
  return categories.flatMap((category) => {
    const plan = products.find(
      (each) => each.environment === environment && each.categoryId === category.id && each.part === 1,
    );
    const [, ...ids] = universeOf(universes, category.id);
    const others = ids.flatMap((id) => offered.get(id) ?? []);
    if (others.some(({ live }) => live)) return [];
    const sold = bands.get(category.id) ?? { bands: [], formulas: new Map<string, string>() };
    const content = checkoutCatalogue(category, sold, settings, {
      currency,
      others: others.map((other) => other.category),
    });
    if (!plan || content === null || content.bands.length === 0) return [];
    return [{ key: categoryKey(category.id), product: gid("Product", plan.productId), content }];
  });
}
