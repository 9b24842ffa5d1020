/** Whether paid orders get quotes by themselves, and when. */
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { readSaleRule, saveIfUnchanged } from "#app/merchants/settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { DEFAULT_INSURE_DAYS } from "./order-quotes.ts";
import { hastenDecisions } from "./rows.server.ts";

export interface QuoteSettings {
  /** orders that are paid from then on get them; null: off */
  since: Date | null;
  /** hours after the payment */
  delayHours: number;
  /** for this many days after the purchase customers can insure what they bought; 0: they cannot */
  insureDays: number;
}

export async function readQuoteSettings(shop: string, client: Transaction = db): Promise<QuoteSettings> {
  const row = await client.quoteSettings.findUnique({
    where: { shop },
    select: { since: true, delayHours: true, insureDays: true },
  });
  return row ?? { since: null, delayHours: 24, insureDays: DEFAULT_INSURE_DAYS };
}

/** For how many days after the purchase customers can insure what they bought, by this and the rule of sale; 0: they cannot. */
export async function readInsureDays(shop: string): Promise<number> {
  const [{ insureDays }, { maxQuoteAgeDays }] = await Promise.all([
    readQuoteSettings(shop),
    readSaleRule(shop),
  ]);
  return Math.min(insureDays, maxQuoteAgeDays ?? insureDays);
}

/**
 * Orders that were paid before it was turned on stay without: customers do not expect mail about an old purchase.
 * @returns false: others than those of this version are saved by now
 */
export async function saveQuoteSettings(
  shop: string,
  choice: { isOn: boolean; delayHours: number; insureDays?: number },
  actor: Actor,
  version: string | null = null,
  now = new Date(),
): Promise<boolean> {
  const read = (tx: Transaction) => readQuoteSettings(shop, tx);
  return saveIfUnchanged(shop, version, read, async (tx, before) => {
    const { isOn, delayHours, insureDays = before.insureDays } = choice;
    const row = {
      shop,
      delayHours,
      insureDays,
      since: isOn ? (before.since ?? now) : null,
    };
    await tx.quoteSettings.upsert({ where: { shop }, create: row, update: row });
    await hastenDecisions(tx, row);
    const saved = ({ since, ...rest }: QuoteSettings) => ({
      isOn: since !== null,
      delayHours: rest.delayHours,
      insureDays: rest.insureDays,
    });
    const changes = changedFields(saved(before), saved(row));
    await recordAudit({ shop, actor, action: "quote_settings_saved", ...changes }, tx);
    // The thank-you page and the order's page say whether there may be quotes.
    await sendJob(tx, "storefront-settings", { shop }, { singletonKey: shop });
  });
}
