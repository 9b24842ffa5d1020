/** The tasks about paid units that do not fit the catalogue: one for all units of a plan line with one finding. */
import { z } from "zod";
import { unitRow } from "#app/orders/ledger/units.server.ts";
import { findings } from "#app/orders/ledger/unit-states.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { closeTasks, lockOpenTasks, type NewTask, openTasks } from "./tasks.server.ts";
import type { TaskOutcome } from "./tasks.ts";

const checkedUnits = z.array(
  unitRow
    .pick({
      lineId: true,
      unitNumber: true,
      planTitle: true,
      insuredTitle: true,
      offerReferenceId: true,
      premiumMinor: true,
      currency: true,
    })
    .extend({ reason: z.enum(findings) }),
);

/**
 * Brings the order's tasks in line with the units that wait for a check; those of a cancelled order wait for none. The open tasks are locked first: units that
 * another transaction adds meanwhile are read, or its task opens after this one.
 * @param outcome of the tasks whose units wait no longer
 */
export async function settleCheckTasks(
  tx: Transaction,
  shop: string,
  orderId: string,
  outcome: TaskOutcome = "obsolete",
): Promise<void> {
  const open = await lockOpenTasks(tx, shop, orderId, "check_plan");
  const waiting = checkedUnits.parse(
    await tx.insuredUnit.findMany({
      where: {
        shop,
        orderId,
        state: "attention",
        wanted: true,
        contractId: null,
        reason: { in: [...findings] },
        order: { cancelledAt: null },
      },
      orderBy: [{ lineId: "asc" }, { unitNumber: "asc" }],
    }),
  );
  const groups = Map.groupBy(waiting, ({ lineId, reason }) => `check_plan:${orderId}:${lineId}:${reason}`);
  const done = open.filter(({ key }) => !groups.has(key)).map(({ id }) => id);
  if (done.length > 0) await closeTasks(shop, { ids: done }, outcome, tx);
  await openTasks(
    [...groups.values()].flatMap((units) => toTask(shop, orderId, units)),
    tx,
    { updates: true },
  );
}

function toTask(shop: string, orderId: string, units: z.infer<typeof checkedUnits>): NewTask<"check_plan">[] {
  const [first] = units;
  if (!first) return [];
  const { lineId, reason: finding, planTitle, insuredTitle, offerReferenceId, currency } = first;
  const details = {
    finding,
    planTitle,
    insuredTitle,
    offerReferenceId,
    units: units.map((unit) => ({ lineId, unitNumber: unit.unitNumber })),
    premiumMinor: units.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0),
    currency,
  };
  return [{ shop, kind: "check_plan", orderId, lineId, subjectId: finding, details }];
}
