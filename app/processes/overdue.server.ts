/** What is late for all shops together, for the operator's metrics. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";

/** The objective: nearly all contracts are in force within the first, all but very few within the second. */
const PROMISED_SECONDS = 60;
const LATEST_SECONDS = 15 * 60;

/** Counting stops here: the exact number above it says nothing more. */
const MAX_COUNTED = 10_000;

const overdue = z.object({
  /** paid items without a contract yet that need no person: only the app and the insurer */
  promised: z.coerce.number(),
  latest: z.coerce.number(),
  /** age of the oldest change of an order that no hourly reconciliation has checked; 0 where none is under way */
  reconciliationLagSeconds: z.coerce.number(),
});

export async function countOverdue(): Promise<z.infer<typeof overdue>> {
  const rows = await db.$queryRaw`
    SELECT count(*) FILTER (WHERE age > ${PROMISED_SECONDS}) AS promised,
      count(*) FILTER (WHERE age > ${LATEST_SECONDS}) AS latest,
      (SELECT COALESCE(EXTRACT(EPOCH FROM now() - min(COALESCE(reached, "from"))), 0) FROM "ReconciliationRun"
       WHERE state IN ('queued', 'running') AND kind = 'hourly') AS "reconciliationLagSeconds"
    FROM (
      SELECT EXTRACT(EPOCH FROM now() - o."paidAt") AS age
      FROM "InsuredItem" AS u JOIN "Order" AS o ON o.shop = u.shop AND o."orderId" = u."orderId"
      WHERE u.state IN ('pending', 'creating', 'unknown') AND u.wanted AND o."cancelledAt" IS NULL
        AND o."paidAt" IS NOT NULL
      LIMIT ${MAX_COUNTED}
    ) AS open`;
  return z.tuple([overdue]).parse(rows)[0];
}
