/** Saves the merchant's storefront settings and writes them into app-data metafields for the theme. */
import { createHash } from "node:crypto";
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { withdrawalSearch } from "#app/customers/customer-links.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readSellingStop } from "#app/merchants/selling.server.ts";
import { readMerchantSettings, readSaleRule, saveIfUnchanged } from "#app/merchants/settings.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { fetchOwnerIds, setMetafields } from "#app/shopify/app-data.server.ts";
import { NoAccess } from "#app/shopify/errors.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { consentVersion, withConsentVersions } from "./consent-version.server.ts";
import { extensionTexts } from "./extension-texts.server.ts";
import { storefrontTouchpoints } from "./storefront-choices.ts";
import {
  defaultStorefrontSettings,
  storefrontSettings,
  type StorefrontSettings,
} from "./storefront-settings.ts";
import { shownWithdrawalDays } from "./withdrawal-days.server.ts";

export async function readStorefrontSettings(
  shop: string,
  client: Transaction = db,
): Promise<StorefrontSettings> {
  const row = await client.storefrontSettings.findUnique({ where: { shop } });
  return row ? storefrontSettings.parse(row.settings) : defaultStorefrontSettings;
}

/** The direct write takes less time than this; the job retries after it. */
const RETRY_AFTER_MS = 10_000;

/**
 * Saves the settings and writes them into the shop.
 * @returns false: another version was saved in the meantime
 * @throws AdminRefused, AdminUnavailable: saved, and a job writes them
 */
export async function saveStorefrontSettings(
  shop: string,
  settings: StorefrontSettings,
  actor: Actor,
  version: string | null = null,
): Promise<boolean> {
  const read = (tx: Transaction) => readStorefrontSettings(shop, tx);
  const startAfter = new Date(Date.now() + RETRY_AFTER_MS);
  const isSaved = await saveIfUnchanged(shop, version, read, async (tx, before) => {
    const row = { shop, settings };
    await tx.storefrontSettings.upsert({ where: { shop }, create: row, update: row });
    const changes = changedFields(before, settings);
    await recordAudit({ shop, actor, action: "touchpoints_saved", ...changes }, tx);
    await sendJob(tx, "storefront-settings", { shop }, { singletonKey: shop, startAfter });
  });
  // The merchant waits for this.
  if (isSaved) await publishStorefrontSettings(shop, { attempts: 2 });
  return isSaved;
}

/**
 * Writes the settings, whether the shop sells insurance now, and to whom, if they differ from those in the shop. It
 * runs after the settings are saved, after the sale stops or resumes, and after every catalogue run. So a new or
 * reinstalled app gets them too.
 */
export async function publishStorefrontSettings(
  shop: string,
  options: { attempts?: number } = {},
): Promise<void> {
  const settings = await readStorefrontSettings(shop);
  const row = await db.storefrontSettings.findUnique({ where: { shop } });
  // The link from a theme's preview to "Why is there no offer here?" contains the app's id.
  const selling = (await readSellingStop(shop)) === null;
  const { withdrawalDays } = await readMerchantSettings(shop);
  const { countries, companies, registrationNumber } = await readSaleRule(shop);
  const merchant = await findMerchant(shop);
  const days = merchant ? await shownWithdrawalDays(merchant, settings, withdrawalDays) : withdrawalDays;
  const value = JSON.stringify({
    ...withConsentVersions(settings),
    selling,
    countries,
    companies,
    registration_number: registrationNumber,
    withdrawal_days: days,
    withdrawal_page: withdrawalSearch(shop),
    app: env.SHOPIFY_API_KEY,
  });
  const digest = createHash("sha256").update(value).digest("hex");
  const adminClient = createAdminClient(shop, options);
  const owners = await fetchOwnerIds(adminClient).catch((error: unknown) => {
    // The merchant has uninstalled the app in the meantime.
    if (error instanceof NoAccess) return null;
    throw error;
  });
  if (owners === null) return;
  const { installationId, shopId } = owners;
  await keepConsentTexts(shop, settings);
  if (row?.digest === digest && row.installationId === installationId) return;
  // One atomic call, so that a block is never on without its settings.
  await setMetafields(adminClient, [
    { ownerId: installationId, namespace: "settings", key: "storefront", type: "json", value },
    ...storefrontTouchpoints.map((key) => ({
      ownerId: installationId,
      namespace: "touchpoints",
      key,
      type: "boolean" as const,
      value: String(settings.touchpoints[key].on),
    })),
    // The checkout's Function cannot read app-data metafields.
    {
      ownerId: shopId,
      namespace: "$app",
      key: "sale",
      type: "json",
      value: JSON.stringify({ selling, countries, companies }),
    },
  ]);
  await db.storefrontSettings.upsert({
    where: { shop },
    create: { shop, settings, digest, installationId },
    update: { digest, installationId },
  });
}

// The consent texts. Every text that was ever shown stays on record, because contracts name its version.

/** Saves the consent texts of these settings before shoppers see them. */
export async function keepConsentTexts(shop: string, { texts }: StorefrontSettings): Promise<void> {
  const merchantTexts = Object.values(texts).flatMap(({ consent }) => consent ?? []);
  const ours = Object.values(extensionTexts).map(({ consent }) => consent);
  const data = [...merchantTexts, ...ours].map((text) => ({ shop, version: consentVersion(text), text }));
  await db.consentText.createMany({ data, skipDuplicates: true });
}

/** The recorded text of each of these versions. */
export async function readConsentTexts(shop: string, versions: string[]): Promise<Map<string, string>> {
  if (versions.length === 0) return new Map();
  const kept = await db.consentText.findMany({ where: { shop, version: { in: versions } } });
  return new Map(kept.map(({ version, text }) => [version, text]));
}
