/** Whether paid orders get quotes by themselves, and when. */
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

export interface LeadSettings {
  /** orders that are paid from then on get them; null: off */
  since: Date | null;
  /** hours after the payment */
  delayHours: number;
}

export async function readLeadSettings(shop: string): Promise<LeadSettings> {
  const row = await db.leadSettings.findUnique({ where: { shop } });
  return row ?? { since: null, delayHours: 24 };
}

/** Orders that were paid before it was turned on stay without: nobody expects mail about an old purchase. */
export async function saveLeadSettings(
  shop: string,
  { isOn, delayHours }: { isOn: boolean; delayHours: number },
  actor: Actor,
  now = new Date(),
): Promise<void> {
  await db.$transaction(async (transaction) => {
    const before = await transaction.leadSettings.findUnique({ where: { shop } });
    const row = { shop, since: isOn ? (before?.since ?? now) : null, delayHours };
    await transaction.leadSettings.upsert({ where: { shop }, create: row, update: row });
    const changes = changedFields(
      { isOn: before?.since != null, delayHours: before?.delayHours ?? null },
      { isOn, delayHours },
    );
    await recordAudit({ shop, actor, action: "lead_settings_saved", ...changes }, transaction);
  });
}

/** A query of the shops that have the app, want these quotes, and let them stand on the order. */
export const quotingShops = Prisma.sql`
  SELECT m.shop, s.since, s."delayHours" FROM "Merchant" AS m JOIN "LeadSettings" AS s USING (shop)
  WHERE m."uninstalledAt" IS NULL AND m."canWriteOrders" AND s.since IS NOT NULL`;
