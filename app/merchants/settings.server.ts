import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db } from "#app/platform/db.server.ts";
import { defaultMerchantSettings, merchantSettings } from "./settings.ts";
import type { MerchantSettings } from "./settings.ts";

export async function readMerchantSettings(shop: string): Promise<MerchantSettings> {
  const row = await db.merchantSettings.findUnique({ where: { shop } });
  return row ? merchantSettings.parse(row.settings) : defaultMerchantSettings;
}

export async function saveMerchantSettings(
  shop: string,
  settings: MerchantSettings,
  actor: Actor,
): Promise<void> {
  const changes = changedFields(await readMerchantSettings(shop), settings);
  await db.$transaction(async (transaction) => {
    const row = { shop, settings };
    await transaction.merchantSettings.upsert({ where: { shop }, create: row, update: row });
    await recordAudit({ shop, actor, action: "settings_saved", ...changes }, transaction);
  });
}
