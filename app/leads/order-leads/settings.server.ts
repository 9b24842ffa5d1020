/** Whether paid orders get quotes by themselves, and when. */
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { saveIfUnchanged } from "#app/merchants/save-settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

export interface LeadSettings {
  /** orders that are paid from then on get them; null: off */
  since: Date | null;
  /** hours after the payment */
  delayHours: number;
  /** quotes that are made from then on are told to the shop's workflows; null: none are */
  flowSince: Date | null;
}

export async function readLeadSettings(shop: string, client: Transaction = db): Promise<LeadSettings> {
  const row = await client.leadSettings.findUnique({
    where: { shop },
    select: { since: true, delayHours: true, flowSince: true },
  });
  return row ?? { since: null, delayHours: 24, flowSince: null };
}

/**
 * Orders that were paid before it was turned on stay without: nobody expects mail about an old purchase.
 * @returns false: others than those of this version are saved by now
 */
export async function saveLeadSettings(
  shop: string,
  choice: { isOn: boolean; delayHours: number; tellsFlow?: boolean },
  actor: Actor,
  version: string | null = null,
  now = new Date(),
): Promise<boolean> {
  const read = (transaction: Transaction) => readLeadSettings(shop, transaction);
  return saveIfUnchanged(shop, version, read, async (transaction, before) => {
    const { isOn, delayHours, tellsFlow = false } = choice;
    const row = {
      ...{ shop, delayHours },
      since: isOn ? (before.since ?? now) : null,
      flowSince: tellsFlow ? (before.flowSince ?? now) : null,
    };
    await transaction.leadSettings.upsert({ where: { shop }, create: row, update: row });
    const saved = ({ since, flowSince, ...rest }: LeadSettings) => ({
      ...{ isOn: since !== null, delayHours: rest.delayHours, tellsFlow: flowSince !== null },
    });
    const changes = changedFields(saved(before), saved(row));
    await recordAudit({ shop, actor, action: "lead_settings_saved", ...changes }, transaction);
    // The thank-you page says whether there may be quotes.
    await sendJob("storefront-settings", { shop }, { singletonKey: shop, transaction });
  });
}

/** Whether orders of the shop get quotes by themselves now: the merchant wants it, and they may stand on the order. */
export async function automaticQuotesAreOn(shop: string): Promise<boolean> {
  const rows = await db.$queryRaw<
    unknown[]
  >`SELECT 1 FROM (${shopsWithQuotes}) AS quoting WHERE quoting.shop = ${shop} AND quoting.since IS NOT NULL`;
  return rows.length > 0;
}

/**
 * A query of the shops that have the app, with when they began to want these quotes and let them stand on the order; null:
 * they do not, and have those that staff asked for, or that were made before.
 */
export const shopsWithQuotes = Prisma.sql`
  SELECT m.shop, CASE WHEN m."canWriteOrders" THEN s.since END AS since, s."delayHours"
  FROM "Merchant" AS m LEFT JOIN "LeadSettings" AS s USING (shop) WHERE m."uninstalledAt" IS NULL`;
