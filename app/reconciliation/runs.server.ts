/** The runs of reconciliation in the database. */
import { z } from "zod";
import { hasOpenJob } from "#app/jobs/queue-tables.server.ts";
import { merchantShops } from "#app/merchants/merchant.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { reconciliationCounts, reconciliationKinds, reconciliationStates } from "./reconciliation.ts";

export const runRow = z.object({
  id: z.string(),
  kind: z.enum(reconciliationKinds),
  from: z.coerce.date(),
  until: z.coerce.date(),
  state: z.enum(reconciliationStates),
  /** orders in the range; null while it is not known */
  total: z.int().nullable(),
  counts: reconciliationCounts,
  /** why it waits; it resumes by itself */
  error: z.string().nullable(),
  createdAt: z.coerce.date(),
  finishedAt: z.coerce.date().nullable(),
});
export type ReconciliationRunRow = z.infer<typeof runRow>;

/** Webhooks may be late, and Shopify's clock differs from ours: the ranges of two runs overlap by this much. */
const OVERLAP_MS = 15 * 60_000;
/** Shops whose runs are stored by one statement. */
const SHOPS_AT_ONCE = 500;

/**
 * Stores the hourly runs of the next shops.
 * @param after the last shop of the previous ones
 * @returns the new runs and those that had lost their job, by shop
 */
export async function storeDueRuns(
  tx: Transaction,
  after: string,
  now: Date,
): Promise<{ shop: string; runId: string }[]> {
  const rows = await tx.$queryRaw`
    WITH due AS (
      SELECT m.shop, m."installedAt", last.id, last.state, last."from", last.until
      FROM "Merchant" AS m LEFT JOIN LATERAL (
        SELECT * FROM "ReconciliationRun" AS r WHERE r.shop = m.shop AND r.kind = 'hourly'
        ORDER BY r."createdAt" DESC LIMIT 1
      ) AS last ON true
      WHERE m."uninstalledAt" IS NULL AND m.shop > ${after} AND NOT (
        last.state IN ('queued', 'running') AND ${hasOpenJob("reconciliation", { runId: Prisma.sql`last.id` })})
      ORDER BY m.shop LIMIT ${SHOPS_AT_ONCE}
    ), stored AS (
      INSERT INTO "ReconciliationRun" (id, shop, kind, "from", until)
      SELECT gen_random_uuid()::text, shop, 'hourly',
        (CASE WHEN state = 'done' THEN until ELSE COALESCE("from", "installedAt") END) - ${OVERLAP_MS} * interval '1 millisecond', ${now}
      FROM due WHERE state IS NULL OR state NOT IN ('queued', 'running')
      RETURNING shop, id
    )
    SELECT shop, id AS "runId" FROM stored
    UNION ALL SELECT shop, id FROM due WHERE state IN ('queued', 'running')
    ORDER BY shop`;
  return z.array(z.object({ shop: z.string(), runId: z.string() })).parse(rows);
}

/** Deletes hourly runs of all shops that are older than a moment. @returns how many */
export function deleteHourlyRuns(before: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "ReconciliationRun" WHERE id IN (
      SELECT r.id FROM (${merchantShops}) AS m JOIN "ReconciliationRun" AS r USING (shop)
      WHERE r.kind = 'hourly' AND r."createdAt" < ${before} LIMIT ${limit})`;
}
