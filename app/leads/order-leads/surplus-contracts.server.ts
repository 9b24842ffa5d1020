/** Contracts that came from quotes whose item is gone: the service cancels none of them with the order. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { openTasks } from "#app/plans/tasks/tasks.server.ts";
import { surplusQuotes } from "./rows.server.ts";

const surplusRows = z.array(z.object({ contractId: z.string() }));

/**
 * Each becomes a task once, and its customer sees that it is to end: the order was cancelled or the item returned after
 * the sale, or while its customer was on the insurer's page.
 */
export async function noteSurplusContracts(shop: string, orderId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const contracts = surplusRows.parse(
      await tx.$queryRaw`
        WITH surplus AS (${surplusQuotes(Prisma.sql`${shop}`, Prisma.sql`${orderId}`)})
        UPDATE "OrderLead" AS l SET "withdrawnAt" = now(),
          reason = CASE WHEN surplus.cancelled THEN 'order_cancelled' ELSE 'fewer_pieces' END
        FROM surplus
        WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l."lineId" = surplus."lineId"
          AND l."unitNumber" = surplus."unitNumber" AND NOT surplus.erased
          AND l.state = 'sold' AND l."soldTitle" IS NOT NULL AND ${hasItsItem}
        RETURNING l."contractId"`,
    );
    const tasks = contracts.map(({ contractId }) => ({
      ...{ shop, orderId, kind: "surplus_contract" as const, subjectId: contractId },
      details: { contractId, offerReferenceId: "" },
    }));
    await openTasks(tasks, tx);
  });
}

/** Of a sold quote `l`: nothing else was noted yet. */
const hasItsItem = Prisma.sql`COALESCE(l.reason, '') NOT IN ('order_cancelled', 'fewer_pieces')`;
