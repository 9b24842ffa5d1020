import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { saveIfUnchanged } from "./save-settings.server.ts";
import { defaultMerchantSettings, merchantSettings } from "./settings.ts";
import type { MerchantSettings } from "./settings.ts";

export async function readMerchantSettings(
  shop: string,
  client: Transaction = db,
): Promise<MerchantSettings> {
  const row = await client.merchantSettings.findUnique({ where: { shop } });
  return row ? merchantSettings.parse(row.settings) : defaultMerchantSettings;
}

/** @returns false: others than those of this version are saved by now */
export async function saveMerchantSettings(
  shop: string,
  settings: MerchantSettings,
  actor: Actor,
  version: string | null = null,
): Promise<boolean> {
  const read = (tx: Transaction) => readMerchantSettings(shop, tx);
  return saveIfUnchanged(shop, version, read, async (tx, before) => {
    const row = { shop, settings };
    await tx.merchantSettings.upsert({ where: { shop }, create: row, update: row });
    const changes = changedFields(before, settings);
    await recordAudit({ shop, actor, action: "settings_saved", ...changes }, tx);
  });
}

const kept = z.array(z.object({ months: z.int(), shops: z.array(z.string()) }));

/** The shops by the months for which their customers' data is kept, those that keep it for ever left out. */
export async function retentionMonths(): Promise<{ months: number; shops: string[] }[]> {
  const rows = await db.$queryRaw`
    SELECT COALESCE((s.settings ->> 'retentionMonths')::int, ${defaultMerchantSettings.retentionMonths}::int) AS months,
      array_agg(m.shop) AS shops
    FROM "Merchant" AS m LEFT JOIN "MerchantSettings" AS s USING (shop) GROUP BY 1`;
  return kept.parse(rows).filter(({ months }) => months > 0);
}
