/** Starts the shop's workflows (Shopify Flow) for each new state of an order's contracts, once. */
import { z } from "zod";
import { type FlowTrigger, queueFlow } from "#app/outbox/flow-events.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { type FlowState, flowStateOf } from "./next-step.ts";
import { withItems, type WorkingOrder, type WorkingItem } from "./working-order.server.ts";

const triggers: Record<FlowState, FlowTrigger> = {
  active: "insurance-contract-active",
  attention: "insurance-needs-attention",
  ended: "insurance-ended",
};

const notifiedRows = z.array(z.object({ lineId: z.string(), itemNumber: z.int() }));

/** @returns those whose state the shop's workflows were not told */
async function markNotified(
  tx: Transaction,
  shop: string,
  orderId: string,
  items: readonly { lineId: string; itemNumber: number; flowState: FlowState | null }[],
): Promise<z.infer<typeof notifiedRows>> {
  const rows = await tx.$queryRaw`
    UPDATE "InsuredItem" AS u SET "flowState" = due."flowState"
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS due("lineId" text, "itemNumber" int, "flowState" text)
    WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."lineId" = due."lineId"
      AND u."itemNumber" = due."itemNumber" AND u."flowState" IS DISTINCT FROM due."flowState"
    RETURNING u."lineId", u."itemNumber"`;
  return notifiedRows.parse(rows);
}

/** The items are marked and their events stored in one transaction, so a crash sends neither two nor none. */
export async function startFlows(order: WorkingOrder, items: readonly WorkingItem[]): Promise<WorkingOrder> {
  const { shop, orderId, environment } = order;
  const due = items.map((item) => ({ item, flowState: flowStateOf(item) }));
  const rows = due.map(({ item: { lineId, itemNumber }, flowState }) => ({ lineId, itemNumber, flowState }));
  await db.$transaction(async (tx) => {
    const told = await markNotified(tx, shop, orderId, rows);
    for (const { item, flowState } of due) {
      if (flowState === null || !told.some((row) => isSame(row, item))) continue;
      await queueFlow(tx, shop, triggers[flowState], orderId, {
        Insurance: item.planTitle,
        Product: item.insuredTitle ?? item.planTitle,
        Test: environment === "test",
        ...(flowState === "attention"
          ? { Reason: item.reason ?? item.state }
          : { Contract: item.contractId ?? "" }),
        ...(flowState === "ended" ? { Withdrawn: item.withdrawnAt !== null } : {}),
      });
    }
  });
  // Another worker may have sent some of these events: they are sent all the same.
  return withItems(
    order,
    due.map(({ item, flowState }) => ({ ...item, flowState })),
  );
}

const isSame = (
  a: { lineId: string; itemNumber: number },
  b: { lineId: string; itemNumber: number },
): boolean => a.lineId === b.lineId && a.itemNumber === b.itemNumber;
