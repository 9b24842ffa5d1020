/** Starts the shop's workflows (Shopify Flow) for each new state of an order's contracts, once. */
import { z } from "zod";
import { type FlowState, flowStateOf } from "#app/plans/reconciler/next-step.ts";
import {
  withUnits,
  type WorkingOrder,
  type WorkingUnit,
} from "#app/plans/reconciler/working-order.server.ts";
import { db } from "#app/platform/db.server.ts";
import { type FlowTrigger, queueFlow } from "./flow-events.server.ts";

const triggers: Record<FlowState, FlowTrigger> = {
  active: "insurance-contract-active",
  attention: "insurance-needs-attention",
  ended: "insurance-ended",
};

const toldRows = z.array(z.object({ lineId: z.string(), unitNumber: z.int() }));

/** The units are marked and their events stored in one transaction, so a crash sends neither two nor none. */
export async function startFlows(order: WorkingOrder, units: readonly WorkingUnit[]): Promise<WorkingOrder> {
  const { shop, orderId, environment } = order;
  const due = units.map((unit) => ({ unit, flowState: flowStateOf(unit) }));
  const rows = due.map(({ unit: { lineId, unitNumber }, flowState }) => ({ lineId, unitNumber, flowState }));
  await db.$transaction(async (tx) => {
    const told = toldRows.parse(
      await tx.$queryRaw`
        UPDATE "InsuredUnit" AS u SET "flowState" = due."flowState"
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS due("lineId" text, "unitNumber" int, "flowState" text)
        WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."lineId" = due."lineId"
          AND u."unitNumber" = due."unitNumber" AND u."flowState" IS DISTINCT FROM due."flowState"
        RETURNING u."lineId", u."unitNumber"`,
    );
    for (const { unit, flowState } of due) {
      if (flowState === null || !told.some((row) => isSame(row, unit))) continue;
      await queueFlow(tx, shop, triggers[flowState], orderId, {
        Insurance: unit.planTitle,
        Product: unit.insuredTitle ?? unit.planTitle,
        Test: environment === "test",
        ...(flowState === "attention"
          ? { Reason: unit.reason ?? unit.state }
          : { Contract: unit.contractId ?? "" }),
        ...(flowState === "ended" ? { Withdrawn: unit.withdrawnAt !== null } : {}),
      });
    }
  });
  // Another worker may have sent some of these events: they are sent all the same.
  return withUnits(
    order,
    due.map(({ unit, flowState }) => ({ ...unit, flowState })),
  );
}

const isSame = (
  a: { lineId: string; unitNumber: number },
  b: { lineId: string; unitNumber: number },
): boolean => a.lineId === b.lineId && a.unitNumber === b.unitNumber;
