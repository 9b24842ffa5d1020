/** The scheduled refresh of catalogues. */
import { forEachDueShop } from "#app/merchants/merchant.server.ts";
import { connectedShops } from "#app/merchants/accounts.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { startRun } from "./runs.server.ts";

/** A little early, so that a refresh every 24 hours does not slip by an hour each day. */
const SLACK_MS = 10 * 60_000;

const DAY_HOURS = 24;

/** Starts the runs of the shops whose last one is older than they want it. To be called every hour. */
export async function startDueRuns(now = new Date(), signal?: AbortSignal): Promise<void> {
  const work = async (shop: string) => {
    await startRun(shop, "catalogue", "schedule");
    await startRun(shop, "products", "schedule");
  };
  await forEachDueShop("refresh of the catalogue", dueShops(now), work, signal);
}

/**
 * The connected shops whose last catalogue run is old enough; the first one is the merchant's to start. The platform
 * lets a shop create more variants after a day, whatever the merchant wants of refreshes.
 */
function dueShops(now: Date): Prisma.Sql {
  const latest = new Date(now.getTime() + SLACK_MS).toISOString();
  return Prisma.sql`
    SELECT shop FROM (
      SELECT due.shop, last."createdAt",
        CASE WHEN last.waiting THEN LEAST(COALESCE(NULLIF(due.hours, 0), ${DAY_HOURS}), ${DAY_HOURS}) ELSE due.hours END
          AS hours
      FROM (
        SELECT shop, COALESCE(s."refreshHours", ${DAY_HOURS}) AS hours
        FROM (${connectedShops}) AS connected LEFT JOIN "CatalogueSettings" AS s USING (shop)
      ) AS due
      CROSS JOIN LATERAL (
        SELECT r."createdAt", COALESCE((r.counts ->> 'variants_waiting')::numeric, 0) > 0 AS waiting
        FROM "SyncRun" AS r WHERE r.shop = due.shop AND r.kind = 'catalogue' ORDER BY r."createdAt" DESC LIMIT 1
      ) AS last
    ) AS runs
    WHERE hours > 0 AND "createdAt" + hours * interval '1 hour' <= ${latest}::timestamptz`;
}
