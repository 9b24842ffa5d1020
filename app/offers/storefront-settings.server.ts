/** Keeps the merchant's storefront settings and writes them where the theme reads them: app-data metafields. */
import { createHash } from "node:crypto";
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { withdrawalSearch } from "#app/customers/customer-links.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
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

export async function readStorefrontSettings(
  shop: string,
  client: Transaction = db,
): Promise<StorefrontSettings> {
  const row = await client.storefrontSettings.findUnique({ where: { shop } });
  return row ? storefrontSettings.parse(row.settings) : defaultStorefrontSettings;
}

/** By then the settings are in the shop, or it is time to try again. */
const RETRY_AFTER_MS = 10_000;

/**
 * Saves the settings and shows them to shoppers.
 * @returns false: others than those of this version are saved by now
 * @throws AdminRefused, AdminUnavailable: saved, a job shows them
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
  // The merchant waits for it.
  if (isSaved) await publishStorefrontSettings(shop, { attempts: 2 });
  return isSaved;
}

/**
 * Writes the settings, whether the shop sells insurance now, and to whom, into the shop where they are not there as they should
 * be: as they are saved, as the sale stops or resumes, and after every catalogue run, so that a new or reinstalled app
 * has them.
 */
export async function publishStorefrontSettings(
  shop: string,
  options: { attempts?: number } = {},
): Promise<void> {
  const settings = await readStorefrontSettings(shop);
  const row = await db.storefrontSettings.findUnique({ where: { shop } });
  // The app's own id makes the link from a theme's preview to "Why is there no offer here?".
  const selling = (await readSellingStop(shop)) === null;
  const { withdrawalDays } = await readMerchantSettings(shop);
  const { countries, companies, registrationNumber } = await readSaleRule(shop);
  const value = JSON.stringify({
    ...withConsentVersions(settings),
    selling,
    countries,
    companies,
    registration_number: registrationNumber,
    withdrawal_days: withdrawalDays,
    withdrawal_page: withdrawalSearch(shop),
    app: env.SHOPIFY_API_KEY,
  });
  const digest = createHash("sha256").update(value).digest("hex");
  const adminClient = createAdminClient(shop, options);
  const owners = await fetchOwnerIds(adminClient).catch((error: unknown) => {
    // Uninstalled meanwhile: there is no theme to write for.
    if (error instanceof NoAccess) return null;
    throw error;
  });
  if (owners === null) return;
  const { installationId, shopId } = owners;
  await keepConsentTexts(shop, settings);
  if (row?.digest === digest && row.installationId === installationId) return;
  // One atomic call: a block is never on without its settings.
  await setMetafields(adminClient, [
    { ownerId: installationId, namespace: "settings", key: "storefront", type: "json", value },
    ...storefrontTouchpoints.map((key) => ({
      ownerId: installationId,
      namespace: "touchpoints",
      key,
      type: "boolean" as const,
      value: String(settings.touchpoints[key].on),
    })),
    // The checkout's Function reads no app-data metafields.
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

// The texts that shoppers agree to: all that were ever shown stay on record, because contracts name their versions.

/** Keeps the texts that these settings show, before they are shown. */
export async function keepConsentTexts(shop: string, { texts }: StorefrontSettings): Promise<void> {
  const own = Object.values(texts).flatMap(({ consent }) => consent ?? []);
  const ours = Object.values(extensionTexts).map(({ consent }) => consent);
  const data = [...own, ...ours].map((text) => ({ shop, version: consentVersion(text), text }));
  await db.consentText.createMany({ data, skipDuplicates: true });
}

/** The text of each of these versions that is on record. */
export async function readConsentTexts(shop: string, versions: string[]): Promise<Map<string, string>> {
  if (versions.length === 0) return new Map();
  const kept = await db.consentText.findMany({ where: { shop, version: { in: versions } } });
  return new Map(kept.map(({ version, text }) => [version, text]));
}
