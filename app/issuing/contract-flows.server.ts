/** Starts the shop's workflows (Shopify Flow) for each new state of an order's contracts, once. */
import { nameOf, itemKeyOf } from "#app/orders/book/events.ts";
import { type FlowTrigger, queueFlow } from "#app/outbox/flow-events.server.ts";
import { appendToBook } from "#app/orders/book/book.server.ts";
import { type Item } from "#app/orders/book/evolve.ts";
import { itemRow } from "#app/orders/book/projection.ts";
import { db } from "#app/platform/db.server.ts";
import { type FlowState, flowStateOf } from "./next-step.ts";
import type { WorkingOrder } from "./working-order.server.ts";

const triggers: Record<FlowState, FlowTrigger> = {
  active: "insurance-contract-active",
  attention: "insurance-needs-attention",
  ended: "insurance-ended",
};

/** The event and the workflow's are stored in one transaction, so a crash sends neither two nor none. */
export async function startFlows(working: WorkingOrder, items: readonly Item[]): Promise<WorkingOrder> {
  const { shop, orderId, environment } = working;
  const names = new Set(items.map(nameOf));
  return db.$transaction(async (tx) => {
    const due: { item: Item; state: FlowState }[] = [];
    const appended = await appendToBook(
      tx,
      shop,
      orderId,
      ({ order }) => {
        for (const item of order.items) {
          const state = flowStateOf(order, item);
          if (names.has(nameOf(item)) && state !== null && state !== item.flowState)
            due.push({ item, state });
        }
        return [...Map.groupBy(due, ({ state }) => state)].map(([state, told]) => ({
          type: "flow_started",
          items: told.map(({ item }) => itemKeyOf(item)),
          state,
        }));
      },
      { isWorker: true },
    );
    if (appended === null) return working;
    for (const { item, state } of due) {
      const row = itemRow(appended.order, item);
      await queueFlow(tx, shop, triggers[state], orderId, {
        Insurance: row.planTitle,
        Product: row.insuredTitle ?? row.planTitle,
        Test: environment === "test",
        ...(state === "attention"
          ? { Reason: row.reason ?? row.state }
          : { Contract: item.contract?.contractId ?? "" }),
        ...(state === "ended" ? { Withdrawn: row.withdrawnAt !== null } : {}),
      });
    }
    return { ...working, order: appended.order };
  });
}
