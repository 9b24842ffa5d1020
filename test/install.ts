/**
 * Prepares a shop as most tests need it. It uses the app's own entry points (a page's guard, the Connection feature),
 * never the tables.
 */
import { staff } from "#app/audit/actor.ts";
import { connectStore } from "#app/catalogue/connect-store.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { readMerchantSettings, saveMerchantSettings } from "#app/merchants/settings.server.ts";
import type { MerchantSettings } from "#app/merchants/settings.ts";
import { readStorefrontSettings, saveStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { insurerTexts } from "./insurer-texts.ts";
import { adminRequest, insurance, shop } from "./world.ts";

/** The merchant opens the app once: Shopify gives the app access, the app knows the shop. */
export async function installApp(domain = shop.shopDomain): Promise<void> {
  await requireMerchant(await adminRequest("/app", { domain }));
}

/** Installed, and connected to the insurer's test environment. */
export async function connectShop(domain = shop.shopDomain, store = insurance.stores[0]): Promise<void> {
  if (!store) throw new Error("The stand-in has no store");
  await installApp(domain);
  const { store_id: storeId, token_test: token, organisation_token: organisationToken } = store;
  await connectAccount(domain, { environment: "test", storeId, token, organisationToken });
}

/** The merchant sets the rules of sale, and the shop's catalogue follows with its next run. */
export async function allowSale(
  sale: Partial<MerchantSettings["sale"]>,
  domain = shop.shopDomain,
): Promise<void> {
  const settings = await readMerchantSettings(domain);
  const changed = { ...settings, sale: { ...settings.sale, ...sale } };
  await saveMerchantSettings(domain, changed, staff("1"));
}

/** The merchant enters what European law requires of every offer (app/merchants/law.ts). */
export async function nameInsurer(domain = shop.shopDomain): Promise<void> {
  const settings = await readStorefrontSettings(domain);
  await saveStorefrontSettings(domain, { ...settings, ...insurerTexts }, staff("1"));
}

/** Also connected to the insurer's production environment; the shop keeps its current account. */
export async function connectProduction(
  domain = shop.shopDomain,
  store = insurance.stores[0],
): Promise<void> {
  if (!store) throw new Error("The stand-in has no store");
  const { store_id: storeId, token_production: token } = store;
  await connectAccount(domain, { environment: "production", storeId, token, organisationToken: null });
}

async function connectAccount(domain: string, account: Parameters<typeof connectStore>[1]): Promise<void> {
  const { state } = await connectStore(domain, account, staff("1"), { mayGoLive: true });
  if (state !== "accepted") throw new Error(`The stand-in answered: ${state}`);
}
