/** The scheduled refresh of catalogues. */
import { connectedShops, findDueShops, forEachDueShop } from "#app/merchants/merchant.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { RunKind } from "./run.ts";
import { startRun } from "./runs.server.ts";

/** Starts a run for each shop whose last run of the kind is older than its refresh interval. Call it every hour. */
export async function startDueRuns(now = new Date(), signal?: AbortSignal): Promise<void> {
  for (const kind of ["catalogue", "products"] as const) {
    const work = async (shop: string) => {
      await startRun(shop, kind, "schedule");
    };
    await forEachDueShop(
      `refresh of the ${kind}`,
      await findDueShops(dueForRefresh(now, kind)),
      work,
      signal,
    );
  }
}

/** Tolerance that prevents a daily refresh from starting an hour later each day. */
const SLACK_MS = 10 * 60_000;

const DAY_HOURS = 24;

/**
 * The connected shops whose last run of the kind is old enough. The merchant starts the first run, and the first
 * catalogue run also reads the products. Shopify lets a shop create more variants after a day, so waiting variants
 * make a run due whatever the refresh interval.
 */
function dueForRefresh(now: Date, kind: RunKind): Prisma.Sql {
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
        SELECT r."createdAt", r.kind = ${kind} AND COALESCE((r.counts ->> 'variants_waiting')::numeric, 0) > 0 AS waiting
        FROM "SyncRun" AS r WHERE r.shop = due.shop AND r.kind IN ('catalogue', ${kind})
        ORDER BY r.kind = ${kind} DESC, CASE WHEN r.kind = ${kind} THEN r."createdAt" END DESC, r."createdAt" LIMIT 1
      ) AS last
    ) AS runs
    WHERE hours > 0 AND "createdAt" + hours * interval '1 hour' <= ${latest}::timestamptz`;
}
