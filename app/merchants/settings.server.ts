import { db } from "#app/platform/db.server.ts";
import { recordActivity } from "./activity.server.ts";
import { defaultMerchantSettings, merchantSettings } from "./settings.ts";
import type { MerchantSettings } from "./settings.ts";

export async function readMerchantSettings(shop: string): Promise<MerchantSettings> {
  const row = await db.merchantSettings.findUnique({ where: { shop } });
  return row ? merchantSettings.parse(row.settings) : defaultMerchantSettings;
}

export async function saveMerchantSettings(shop: string, settings: MerchantSettings): Promise<void> {
  await db.merchantSettings.upsert({ where: { shop }, create: { shop, settings }, update: { settings } });
  await recordActivity(shop, "settings_saved");
}
