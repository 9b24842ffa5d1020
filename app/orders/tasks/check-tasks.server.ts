/** The tasks about paid items that do not fit the catalogue: one for all items of a plan line with one finding. */
import { z } from "zod";
import { itemRow } from "#app/orders/ledger/items.server.ts";
import { findings } from "#app/orders/book/item-states.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { closeTasks, lockOpenTasks, type NewTask, openTasks } from "./tasks.server.ts";
import type { TaskOutcome } from "./tasks.ts";

const checkedItems = z.array(
  itemRow
    .pick({
      lineId: true,
      itemNumber: true,
      planTitle: true,
      insuredTitle: true,
      offerReferenceId: true,
      premiumMinor: true,
      currency: true,
    })
    .extend({ reason: z.enum(findings) }),
);

/**
 * Brings the order's tasks in line with the items that wait for a check; those of a cancelled order wait for none. The open tasks are locked first: items that
 * another transaction adds meanwhile are read, or its task opens after this one.
 * @param outcome of the tasks whose items wait no longer
 */
export async function settleCheckTasks(
  tx: Transaction,
  shop: string,
  orderId: string,
  outcome: TaskOutcome = "obsolete",
): Promise<void> {
  const open = await lockOpenTasks(tx, shop, orderId, "check_plan");
  const waiting = checkedItems.parse(
    await tx.insuredItem.findMany({
      where: {
        shop,
        orderId,
        state: "attention",
        wanted: true,
        contractId: null,
        reason: { in: [...findings] },
        order: { cancelledAt: null },
      },
      orderBy: [{ lineId: "asc" }, { itemNumber: "asc" }],
    }),
  );
  const groups = Map.groupBy(waiting, ({ lineId, reason }) => `check_plan:${orderId}:${lineId}:${reason}`);
  const done = open.filter(({ key }) => !groups.has(key)).map(({ id }) => id);
  if (done.length > 0) await closeTasks(shop, { ids: done }, outcome, tx);
  await openTasks(
    [...groups.values()].flatMap((items) => toTask(shop, orderId, items)),
    tx,
    { updates: true },
  );
}

function toTask(shop: string, orderId: string, items: z.infer<typeof checkedItems>): NewTask<"check_plan">[] {
  const [first] = items;
  if (!first) return [];
  const { lineId, reason: finding, planTitle, insuredTitle, offerReferenceId, currency } = first;
  const details = {
    finding,
    planTitle,
    insuredTitle,
    offerReferenceId,
    items: items.map((item) => ({ lineId, itemNumber: item.itemNumber })),
    premiumMinor: items.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0),
    currency,
  };
  return [{ shop, kind: "check_plan", orderId, lineId, subjectId: finding, details }];
}
