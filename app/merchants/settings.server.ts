import { createHash } from "node:crypto";
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { SaleRule } from "../../extensions/sale-rule.ts";
import { findSaleRule, lockMerchant } from "./merchant.server.ts";
import { defaultMerchantSettings, merchantSettings, type MerchantSettings, saleRuleOf } from "./settings.ts";

export async function readMerchantSettings(
  shop: string,
  client: Transaction = db,
): Promise<MerchantSettings> {
  const row = await client.merchantSettings.findUnique({ where: { shop } });
  return row ? merchantSettings.parse(row.settings) : defaultMerchantSettings;
}

export async function readSaleRule(shop: string): Promise<SaleRule> {
  return (await findSaleRule(shop)) ?? saleRuleOf(defaultMerchantSettings.sale, "");
}

/** @returns false: another version was saved in the meantime */
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

// Settings in a form that saves all of them: two windows must not overwrite each other silently.

/** Identifies the current settings. A page that shows them sends it back when it saves. */
export function versionOf(settings: unknown): string {
  return createHash("sha256").update(JSON.stringify(settings)).digest("base64url").slice(0, 22);
}

/** The version from `?version=` of a page's request. Null: the page has loaded no version. */
export function versionIn(request: Request): string | null {
  return new URL(request.url).searchParams.get("version");
}

/**
 * Saves settings unless they have changed since the version that the page shows. A shop's forms are saved one after
 * another.
 * @returns false: they have changed, and nothing was saved
 */
export async function saveIfUnchanged<Settings>(
  shop: string,
  version: string | null,
  read: (tx: Transaction) => Promise<Settings>,
  write: (tx: Transaction, before: Settings) => Promise<void>,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await lockMerchant(tx, shop);
    const current = await read(tx);
    if (version !== null && versionOf(current) !== version) return false;
    await write(tx, current);
    return true;
  });
}
