/** Whether paid orders get quotes by themselves, and when. */
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { saveIfUnchanged } from "#app/merchants/settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

export interface LeadSettings {
  /** orders that are paid from then on get them; null: off */
  since: Date | null;
  /** hours after the payment */
  delayHours: number;
  /** the shop's workflows receive quotes that are made after this time; null: none */
  flowSince: Date | null;
  /** for this many days after the purchase customers can insure what they bought; 0: they cannot */
  insureDays: number;
}

/** Of a shop without a row, as prisma/leads.prisma has it. */
export const DEFAULT_INSURE_DAYS = 30;

export async function readLeadSettings(shop: string, client: Transaction = db): Promise<LeadSettings> {
  const row = await client.leadSettings.findUnique({
    where: { shop },
    select: { since: true, delayHours: true, flowSince: true, insureDays: true },
  });
  return row ?? { since: null, delayHours: 24, flowSince: null, insureDays: DEFAULT_INSURE_DAYS };
}

/**
 * Orders that were paid before it was turned on stay without: customers do not expect mail about an old purchase.
 * @returns false: others than those of this version are saved by now
 */
export async function saveLeadSettings(
  shop: string,
  choice: { isOn: boolean; delayHours: number; tellsFlow?: boolean; insureDays?: number },
  actor: Actor,
  version: string | null = null,
  now = new Date(),
): Promise<boolean> {
  const read = (tx: Transaction) => readLeadSettings(shop, tx);
  return saveIfUnchanged(shop, version, read, async (tx, before) => {
    const { isOn, delayHours, tellsFlow = false, insureDays = before.insureDays } = choice;
    const row = {
      shop,
      delayHours,
      insureDays,
      since: isOn ? (before.since ?? now) : null,
      flowSince: tellsFlow ? (before.flowSince ?? now) : null,
    };
    await tx.leadSettings.upsert({ where: { shop }, create: row, update: row });
    // Orders that wait for their decision get the new delay.
    await tx.$executeRaw`
      UPDATE "Order" SET "dueAt" = LEAST("dueAt", "paidAt" + ${delayHours} * interval '1 hour'), revision = revision + 1
      WHERE shop = ${shop} AND "acceptsMarketing" AND "leadsDecidedAt" IS NULL AND "cancelledAt" IS NULL
        AND "paidAt" > ${row.since}::timestamptz AND "purchasedAt" > now() - interval '30 days'`;
    const saved = ({ since, flowSince, ...rest }: LeadSettings) => ({
      isOn: since !== null,
      delayHours: rest.delayHours,
      insureDays: rest.insureDays,
      tellsFlow: flowSince !== null,
    });
    const changes = changedFields(saved(before), saved(row));
    await recordAudit({ shop, actor, action: "lead_settings_saved", ...changes }, tx);
    // The thank-you page and the order's page say whether there may be quotes.
    await sendJob("storefront-settings", { shop }, { singletonKey: shop, transaction: tx });
  });
}

/** Whether orders of the shop get automatic quotes now: the merchant wants them, and the order may show them. */
export async function automaticQuotesAreOn(shop: string): Promise<boolean> {
  const rows = await db.$queryRaw<
    unknown[]
  >`SELECT 1 FROM (${shopsWithQuotes}) AS quoting WHERE quoting.shop = ${shop} AND quoting.since IS NOT NULL`;
  return rows.length > 0;
}

/** The time zone of a shop of another statement. */
export const shopTimezone = (shop: Prisma.Sql) => Prisma.sql`
  COALESCE((SELECT merchant.timezone FROM "Merchant" AS merchant WHERE merchant.shop = ${shop}), 'UTC')`;

/** The day that decides which quotes of a shop have expired, `YYYY-MM-DD`: as `toLocalDay` of the shop's time zone. */
export const shopToday = (shop: Prisma.Sql) =>
  Prisma.sql`to_char(now() AT TIME ZONE ${shopTimezone(shop)}, 'YYYY-MM-DD')`;

/**
 * A query of the shops that have the app, with the time from which they want automatic quotes and show them on the
 * order; null: they do not, and have only quotes that staff requested or that were made earlier.
 */
export const shopsWithQuotes = Prisma.sql`
  SELECT m.shop, CASE WHEN m."canWriteOrders" THEN s.since END AS since, s."delayHours", m.timezone
  FROM "Merchant" AS m LEFT JOIN "LeadSettings" AS s USING (shop) WHERE m."uninstalledAt" IS NULL`;
