/** Paid items without a contract that no open task names. */
import { z } from "zod";
import { reasons } from "#app/orders/book/item-states.ts";
import type { Transaction } from "#app/platform/db.server.ts";

/** Far more than were ever missing; the next run opens the rest. */
const MAX_TASKS = 1_000;

const uncoveredItems = z.array(
  z.object({
    orderId: z.string(),
    lineId: z.string(),
    itemNumber: z.int(),
    reason: z.enum(reasons).nullable(),
    planTitle: z.string(),
    sealedCustomer: z.string().nullable(),
    /** what the insurer said when it refused the item, or was unclear about it */
    refusal: z.string().nullable(),
    /** of the task that was closed, where there is one */
    details: z.unknown(),
  }),
);
export type UncoveredItem = z.infer<typeof uncoveredItems>[number];

/** The paid items that are to be insured, have no contract, and no open task. */
export async function readUncoveredItems(tx: Transaction, shop: string): Promise<UncoveredItem[]> {
  const rows = await tx.$queryRaw`
    SELECT waiting.*, task.details FROM (
      SELECT u."orderId", u."lineId", u."itemNumber", u.reason, u."planTitle", o."sealedCustomer",
        (SELECT h.note FROM "ItemHistory" AS h WHERE h.shop = u.shop AND h."orderId" = u."orderId"
          AND h."lineId" = u."lineId" AND h."itemNumber" = u."itemNumber" AND h.cause IN ('refused', 'doubted')
          ORDER BY h.id DESC LIMIT 1) AS refusal,
        CASE u.reason WHEN 'missing_customer_data' THEN 'customer_data:' || u."orderId"
          WHEN 'customer_erased' THEN 'customer_erased:' || u."orderId" || ':' || u."lineId" || ':' || u."itemNumber"
          WHEN 'refused_by_insurer' THEN 'plan_refused:' || u."orderId" || ':' || u."lineId" || ':' || u."itemNumber"
          WHEN 'contract_unclear' THEN 'contract_unclear:' || u."orderId" || ':' || u."lineId" || ':' || u."itemNumber"
          ELSE 'check_plan:' || u."orderId" || ':' || u."lineId" || ':' || u.reason END AS key
      FROM "InsuredItem" AS u JOIN "Order" AS o USING (shop, "orderId")
      WHERE u.shop = ${shop} AND u.state IN ('attention', 'refused') AND u.wanted AND u."contractId" IS NULL
        AND o."paidAt" IS NOT NULL AND o."cancelledAt" IS NULL
    ) AS waiting LEFT JOIN "Task" AS task ON task.shop = ${shop} AND task.key = waiting.key
    WHERE task.id IS NULL OR task."closedAt" IS NOT NULL
    LIMIT ${MAX_TASKS}`;
  return uncoveredItems.parse(rows);
}

/** Notes in the history of items that their task was opened again. */
export async function noteRestoredTasks(
  tx: Transaction,
  shop: string,
  restored: UncoveredItem[],
): Promise<void> {
  const items = restored.map(({ orderId, lineId, itemNumber }) => ({ orderId, lineId, itemNumber }));
  await tx.$executeRaw`
    INSERT INTO "ItemHistory" (shop, "orderId", "lineId", "itemNumber", before, after, cause, attempt, note)
    SELECT u.shop, u."orderId", u."lineId", u."itemNumber", u.state, u.state, 'task_restored', u.attempt, u.reason
    FROM "InsuredItem" AS u JOIN jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
      AS uncovered("orderId" text, "lineId" text, "itemNumber" int) USING ("orderId", "lineId", "itemNumber")
    WHERE u.shop = ${shop}`;
}
