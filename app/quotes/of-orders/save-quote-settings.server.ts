/** Saves whether paid orders get quotes by themselves, and when: orders that wait for their decision follow it. */
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { type QuoteSettings, readQuoteSettings } from "#app/merchants/quote-settings.server.ts";
import { saveIfUnchanged } from "#app/merchants/settings.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";

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

/** Orders that wait for their decision get the new delay. */
async function hastenDecisions(
  tx: Transaction,
  { shop, delayHours, since }: { shop: string; delayHours: number; since: Date | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Order" SET "dueAt" = LEAST("dueAt", "paidAt" + ${delayHours} * interval '1 hour'), revision = revision + 1
    WHERE shop = ${shop} AND "acceptsMarketing" AND "quotesDecidedAt" IS NULL AND "cancelledAt" IS NULL
      AND "paidAt" > ${since}::timestamptz AND "purchasedAt" > now() - interval '30 days'`;
}
