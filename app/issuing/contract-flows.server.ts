/** Starts the shop's workflows (Shopify Flow) for each new state of an order's contracts, once. */
import { type FlowState, flowStateOf } from "./next-step.ts";
import { withUnits, type WorkingOrder, type WorkingUnit } from "./working-order.server.ts";
import { db } from "#app/platform/db.server.ts";
import { type FlowTrigger, queueFlow } from "#app/outbox/flow-events.server.ts";
import { markTold } from "./notify-rows.server.ts";

const triggers: Record<FlowState, FlowTrigger> = {
  active: "insurance-contract-active",
  attention: "insurance-needs-attention",
  ended: "insurance-ended",
};

/** The units are marked and their events stored in one transaction, so a crash sends neither two nor none. */
export async function startFlows(order: WorkingOrder, units: readonly WorkingUnit[]): Promise<WorkingOrder> {
  const { shop, orderId, environment } = order;
  const due = units.map((unit) => ({ unit, flowState: flowStateOf(unit) }));
  const rows = due.map(({ unit: { lineId, unitNumber }, flowState }) => ({ lineId, unitNumber, flowState }));
  await db.$transaction(async (tx) => {
    const told = await markTold(tx, shop, orderId, rows);
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
