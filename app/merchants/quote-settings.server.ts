/** Whether and when paid orders get quotes by themselves, and how long customers can request some. */
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { DEFAULT_INSURE_DAYS } from "./quote-settings.ts";
import { readSaleRule } from "./settings.server.ts";

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

/** The same of a shop that sells now: none where the app is gone or the sale is paused. */
export async function readInsurableDays(shop: string, client: Transaction = db): Promise<number> {
  const merchant = await client.merchant.findUnique({
    where: { shop },
    select: { uninstalledAt: true, sellingPausedAt: true },
  });
  const isSelling = merchant !== null && merchant.uninstalledAt === null && merchant.sellingPausedAt === null;
  return isSelling ? readInsureDays(shop) : 0;
}

/**
 * A query of the shops that have the app, with the time from which they want automatic quotes and show them on the
 * order; null: they do not, and have only quotes that staff requested or that were made earlier.
 */
export const shopsWithQuotes = Prisma.sql`
  SELECT m.shop, CASE WHEN m."canWriteOrders" THEN s.since END AS since, s."delayHours", m.timezone
  FROM "Merchant" AS m LEFT JOIN "QuoteSettings" AS s USING (shop) WHERE m."uninstalledAt" IS NULL`;

/** Whether orders of the shop get automatic quotes now: the merchant wants them, and the order may show them. */
export async function automaticQuotesAreOn(shop: string): Promise<boolean> {
  const rows = await db.$queryRaw<
    unknown[]
  >`SELECT 1 FROM (${shopsWithQuotes}) AS quoting WHERE quoting.shop = ${shop} AND quoting.since IS NOT NULL`;
  return rows.length > 0;
}
