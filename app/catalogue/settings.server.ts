/** The merchant's settings of the catalogue. */
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { startRun } from "#app/catalogue/runs/runs.server.ts";
import { saveIfUnchanged } from "#app/merchants/settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { type Language, languages, readLanguage } from "#app/platform/locale.ts";

export const catalogueSettings = z.object({
  /** whether plans carry sales tax; insurance premiums normally do not */
  taxable: z.boolean(),
  /** hours between scheduled refreshes, 0 for none */
  refreshHours: z.union([z.literal(0), z.literal(1), z.literal(24), z.literal(168)]),
  /** language in which new plan products and their variants are written */
  language: z.enum(languages),
  /** ids of the publications of further channels whose storefronts sell a plan with its product, as mobile apps */
  channels: z.array(z.string().regex(/^\d+$/)).max(50),
});
export type CatalogueSettings = z.infer<typeof catalogueSettings>;

export async function readCatalogueSettings(
  shop: string,
  client: Transaction = db,
): Promise<CatalogueSettings> {
  const row = await client.catalogueSettings.findUnique({ where: { shop } });
  if (row) return catalogueSettings.parse(row);
  return {
    taxable: false,
    refreshHours: 24,
    language: await insurerLanguage(shop, client),
    channels: [],
  };
}

/** The language of the insurer's terms: the options of a plan should not mix two languages. */
async function insurerLanguage(shop: string, client: Transaction): Promise<Language> {
  const french = await client.reference.count({
    where: {
      shop,
      OR: [
        { termLength: { endsWith: "mois" } },
        { termLength: { endsWith: "an" } },
        { termLength: { endsWith: "ans" } },
      ],
    },
  });
  if (french > 0) return "fr";
  const merchant = await client.merchant.findUnique({ where: { shop }, select: { locale: true } });
  return readLanguage(merchant?.locale ?? null) ?? "en";
}

/** @returns false: another version was saved in the meantime */
export async function saveCatalogueSettings(
  shop: string,
  settings: CatalogueSettings,
  actor: Actor,
  version: string | null = null,
): Promise<boolean> {
  const read = (tx: Transaction) => readCatalogueSettings(shop, tx);
  return saveIfUnchanged(shop, version, read, async (tx, before) => {
    const create = { shop, ...settings };
    await tx.catalogueSettings.upsert({ where: { shop }, create, update: settings });
    const changes = changedFields(before, settings);
    await recordAudit({ shop, actor, action: "catalogue_settings_saved", ...changes }, tx);
    // A run publishes the plans on chosen channels and unpublishes them on the others.
    if (String(before.channels) !== String(settings.channels))
      await startRun(shop, "catalogue", "merchant", { transaction: tx });
  });
}
