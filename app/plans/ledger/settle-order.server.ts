/** Brings an order's units in line with the items that are left in it, and opens the tasks about premiums. */
import { z } from "zod";
import { closeOtherTasks, type NewTask, openTasks } from "#app/plans/tasks/tasks.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { type Returned, settleUnits } from "./pieces.ts";
import { unitRow } from "./units.server.ts";

const settledUnit = unitRow
  .pick({
    lineId: true,
    unitNumber: true,
    insuredLineId: true,
    state: true,
    wanted: true,
    contractId: true,
    reason: true,
    offerReferenceId: true,
    planTitle: true,
    insuredTitle: true,
    premiumMinor: true,
    currency: true,
  })
  .extend({
    endedInOrder: z.boolean(),
    keptReturned: z.boolean(),
    offerPriceMinor: z.int(),
    withdrawnAt: z.date().nullable(),
    refundRequestedAt: z.date().nullable(),
    premiumAnswer: z.string().nullable(),
  });
type SettledUnit = z.infer<typeof settledUnit>;

/**
 * Compares the order's units with the items that are left in it (pieces.ts). A refunded item takes its unit with it. A
 * product that went back alone is a task: what the customer paid for its insurance is refunded, or the insurance goes on.
 * @param left as for `settleUnits`
 */
export async function settleOrder(
  tx: Transaction,
  shop: string,
  orderId: string,
  left: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const where = { shop, orderId };
  const units = z.array(settledUnit).parse(await tx.insuredUnit.findMany({ where }));
  if (units.length === 0) return;
  const lines = await tx.orderLine.findMany({
    where,
    select: { lineId: true, pairId: true, quantity: true, currentQuantity: true },
    orderBy: { lineId: "asc" },
  });
  const order = await tx.order.findUnique({
    where: { shop_orderId: where },
    select: { cancelledAt: true, paidAt: true },
  });
  const isCancelled = order?.cancelledAt != null;
  const isPaid = order?.paidAt != null;
  const { taken, ended, moved, returned } = settleUnits(units, lines, left);
  await saveChanges(tx, shop, orderId, [
    ...taken.map((unit) => ({ ...keyOf(unit), endedInOrder: false, wanted: false })),
    ...ended.map((unit) => ({ ...keyOf(unit), endedInOrder: true, wanted: false })),
    ...moved.map(({ unit, lineId }) => ({ ...keyOf(unit), insuredLineId: lineId })),
  ]);
  // Insurance that ended, or does with its order, and is paid for: what becomes of its premium is not decided.
  const owed = units.filter(
    (unit) =>
      isPaid &&
      (ended.includes(unit) || (unit.wanted ? isCancelled : unit.endedInOrder)) &&
      !taken.includes(unit) &&
      unit.withdrawnAt === null &&
      unit.premiumAnswer === null,
  );
  const tasks = [
    ...[...Map.groupBy(owed, ({ lineId }) => lineId)].flatMap(([lineId, ofLine]) =>
      premiumKept(shop, orderId, lineId, ofLine),
    ),
    ...(isCancelled ? [] : returned).map((pair) => productReturned(shop, orderId, pair)),
  ];
  await closeOtherTasks(tx, { shop, orderId, kinds: ["premium_kept", "product_returned"] }, tasks);
  await openTasks(tasks, tx, { updates: true });
}

interface UnitChange {
  lineId: string;
  unitNumber: number;
  wanted?: boolean;
  endedInOrder?: boolean;
  insuredLineId?: string;
}

async function saveChanges(
  tx: Transaction,
  shop: string,
  orderId: string,
  changes: readonly UnitChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.$executeRaw`
    UPDATE "InsuredUnit" AS u SET wanted = COALESCE(change.wanted, u.wanted),
      "endedInOrder" = COALESCE(change."endedInOrder", u."endedInOrder"),
      "insuredLineId" = COALESCE(change."insuredLineId", u."insuredLineId")
    FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS change("lineId" text, "unitNumber" int,
      wanted boolean, "endedInOrder" boolean, "insuredLineId" text)
    WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."lineId" = change."lineId"
      AND u."unitNumber" = change."unitNumber"`;
}

const keyOf = ({ lineId, unitNumber }: SettledUnit) => ({ lineId, unitNumber });
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** One task for all ended units of a plan line. */
function premiumKept(
  shop: string,
  orderId: string,
  lineId: string,
  units: readonly SettledUnit[],
): NewTask<"premium_kept">[] {
  const paid = units.filter(({ premiumMinor }) => premiumMinor > 0);
  const [first] = paid;
  if (!first) return [];
  const { planTitle, insuredTitle, currency } = first;
  const premiumMinor = sumOf(paid.map((unit) => unit.premiumMinor));
  const details = { planTitle, insuredTitle, units: paid.map(keyOf), premiumMinor, currency };
  return [{ shop, kind: "premium_kept", orderId, details, subjectId: lineId }];
}

function productReturned(
  shop: string,
  orderId: string,
  { pairId, surplus, units }: Returned<SettledUnit>,
): NewTask<"product_returned"> {
  const plans = units.map(({ lineId, unitNumber, planTitle, contractId, premiumMinor }) => {
    return { lineId, unitNumber, planTitle, contractId, premiumMinor };
  });
  const premiums = units.map(({ premiumMinor }) => premiumMinor).toSorted((a, b) => b - a);
  const details = {
    surplus,
    insuredTitle: units[0]?.insuredTitle ?? null,
    plans,
    // Where it is not clear whose product went back: the most that may have to be paid back.
    premiumMinor: sumOf(premiums.slice(0, surplus)),
    currency: units[0]?.currency ?? "",
  };
  return { shop, kind: "product_returned", orderId, subjectId: pairId, details };
}

/**
 * Money was paid back without items, and plans of the order go on: whether their premiums were meant, only a person
 * knows.
 * @param money null: the whole order is paid back; a person answers that once
 */
export async function openPaidBackTask(
  tx: Transaction,
  shop: string,
  orderId: string,
  money: { amountMinor: number; currency: string } | null,
): Promise<void> {
  const insuring = z
    .array(settledUnit)
    .parse(
      await tx.insuredUnit.findMany({ where: { shop, orderId, wanted: true, premiumMinor: { gt: 0 } } }),
    );
  const [first] = insuring;
  if (!first) return;
  const premiums = insuring.map(({ premiumMinor }) => premiumMinor);
  const isLess = money?.currency === first.currency && money.amountMinor < Math.min(...premiums);
  if (isLess) return;
  const premiumMinor = sumOf(premiums);
  const paidBack = money ?? { amountMinor: premiumMinor, currency: first.currency };
  const details = {
    isWhole: money === null,
    paidBackMinor: paidBack.amountMinor,
    paidBackCurrency: paidBack.currency,
    plans: [...new Set(insuring.map(({ planTitle }) => planTitle))],
    premiumMinor,
    currency: first.currency,
  };
  await openTasks([{ shop, kind: "paid_back", orderId, details }], tx, { once: money === null });
}
