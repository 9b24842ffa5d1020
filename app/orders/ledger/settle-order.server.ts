/** Brings an order's items in line with the items that are left in it, and opens the tasks about premiums. */
import { z } from "zod";
import { sendOrderJob } from "#app/orders/schedule.server.ts";
import {
  closeOtherTasks,
  closeTasks,
  lockOpenTasks,
  type NewTask,
  openTasks,
} from "#app/orders/tasks/tasks.server.ts";
import { taskDetails } from "#app/orders/tasks/tasks.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import {
  canMove,
  type Move,
  movedNumber,
  type Obstacle,
  planExchange,
  type Replacement,
} from "./exchanges.ts";
import type { Ledger, LedgerItem } from "./ledger.ts";
import { findSurplus, type ProductLine, type Returned, settleItems } from "./item-matching.ts";
import { insertMovedItems, readReplacements, saveItemChanges, itemRow } from "./items.server.ts";

const settledItem = itemRow
  .pick({
    lineId: true,
    itemNumber: true,
    replacesItem: true,
    insuredLineId: true,
    insuredVariantId: true,
    insuredPriceMinor: true,
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
    isKeptWithoutProduct: z.boolean(),
    offerPriceMinor: z.int(),
    withdrawnAt: z.date().nullable(),
    refundRequestedAt: z.date().nullable(),
    premiumAnswer: z.string().nullable(),
  });
type SettledItem = z.infer<typeof settledItem>;
type ItemKey = Pick<SettledItem, "lineId" | "itemNumber">;

/**
 * Compares the order's insured items with the products that are left in it (item-matching.ts). A refunded plan ends its
 * insured item. If a product went back alone, its insurance moves to a replacement (exchanges.ts), or a task asks whether
 * it is refunded or goes on.
 * @param left as for `settleItems`
 * @param accepted the merchant has decided that these move to a replacement though the premium differs
 * @returns how many items moved to a replacement
 */
export async function settleOrder(
  tx: Transaction,
  shop: string,
  orderId: string,
  left: ReadonlyMap<string, number> = new Map(),
  accepted: readonly ItemKey[] = [],
): Promise<number> {
  const where = { shop, orderId };
  const items = z.array(settledItem).parse(await tx.insuredItem.findMany({ where }));
  if (items.length === 0) return 0;
  const lines = await tx.orderLine.findMany({
    where,
    select: {
      lineId: true,
      pairId: true,
      quantity: true,
      currentQuantity: true,
      addedLater: true,
      insuranceSelected: true,
    },
    orderBy: { lineId: "asc" },
  });
  const order = await tx.order.findUnique({
    where: { shop_orderId: where },
    select: { cancelledAt: true, paidAt: true, hasOpenBalance: true },
  });
  const isCancelled = order?.cancelledAt != null;
  const isPaid = order?.paidAt != null;
  // A replacement is insured once it is paid for, as any product.
  const takesReplacements = isPaid && !order.hasOpenBalance && !isCancelled;
  const { taken, ended, moved, returned } = settleItems(items, lines, left);
  const insuring = items
    .filter(
      (item) => item.wanted && item.state !== "cancelled" && !taken.includes(item) && !ended.includes(item),
    )
    .map((item) => moved.find((each) => each.item === item)?.lineId ?? item.insuredLineId);
  const replacements =
    takesReplacements && ended.length + returned.length > 0
      ? await findReplacements(tx, shop, orderId, lines, insuring)
      : [];
  const isUnclear = (pair: Returned<SettledItem>) => pair.items.length > pair.surplus;
  const { moves, obstacles } = planExchange(
    {
      alone: [...ended, ...returned.filter((pair) => !isUnclear(pair)).flatMap((pair) => pair.items)].filter(
        canMove,
      ),
      undecided: returned.filter(isUnclear).flatMap((pair) => pair.items),
    },
    replacements,
    ({ lineId, itemNumber }) =>
      accepted.some((each) => each.lineId === lineId && each.itemNumber === itemNumber),
  );
  const isMoved = (item: SettledItem) => moves.some((move) => move.item === item);
  const stayingEnded = ended.filter((item) => !isMoved(item));
  await saveItemChanges(tx, shop, orderId, [
    ...taken.map((item) => ({ ...keyOf(item), endedInOrder: false, wanted: false })),
    ...stayingEnded.map((item) => ({ ...keyOf(item), endedInOrder: true, wanted: false })),
    ...moved.map(({ item, lineId }) => ({ ...keyOf(item), insuredLineId: lineId })),
    ...moves
      .filter(({ offer }) => offer === null)
      .map(({ item, line }) => ({ ...keyOf(item), insuredLineId: line.lineId })),
  ]);
  await moveCover(tx, shop, orderId, moves);
  // Insurance that ended, or does with its order, and is paid for: what becomes of its premium is not decided.
  const owed = items.filter(
    (item) =>
      isPaid &&
      (stayingEnded.includes(item) || (item.wanted ? isCancelled : item.endedInOrder)) &&
      !taken.includes(item) &&
      item.withdrawnAt === null &&
      item.premiumAnswer === null,
  );
  const alone = isCancelled
    ? []
    : returned.flatMap((pair) => {
        const staying = pair.items.filter((item) => !isMoved(item));
        const surplus = Math.min(pair.surplus, staying.length);
        const obstacle = staying.map((item) => obstacles.get(item)).find((each) => each !== undefined);
        return surplus === 0 ? [] : [{ ...pair, surplus, items: staying, obstacle: obstacle ?? null }];
      });
  const tasks = [
    ...[...Map.groupBy(owed, ({ lineId }) => lineId)].flatMap(([lineId, ofLine]) =>
      premiumKept(shop, orderId, lineId, ofLine),
    ),
    ...alone.map((pair) => productReturned(shop, orderId, pair)),
  ];
  await closeOtherTasks(tx, { shop, orderId, kinds: ["premium_kept", "product_returned"] }, tasks);
  await openTasks(tasks, tx, { updates: true });
  // Money that was paid back may have been for any premium that is not refunded with its item.
  const isRefunded = (item: SettledItem) =>
    taken.includes(item) || !(item.wanted || item.endedInOrder) || item.premiumMinor === 0;
  if (items.every(isRefunded)) await closeTasks(shop, { orderId, kind: "paid_back" }, "obsolete", tx);
  for (const { state, ...item } of taken)
    if (state === "cancelled")
      await closeTasks(shop, { orderId, ...keyOf(item), kind: "cancelled_elsewhere" }, "obsolete", tx);
  const withdrawn = items.filter(({ withdrawnAt }) => withdrawnAt !== null);
  if (withdrawn.length > 0) {
    const inOrder = withdrawn.filter((item) => !taken.includes(item) && (item.wanted || item.endedInOrder));
    await settleWithdrawalTasks(tx, shop, orderId, inOrder);
  }
  return moves.length;
}

/**
 * What was refunded with its item is not to be paid back again. A task whose customer has no acknowledgement yet stays
 * open for that.
 * @param inOrder items that their customer withdrew from, whose items are still in the order
 */
async function settleWithdrawalTasks(
  tx: Transaction,
  shop: string,
  orderId: string,
  inOrder: readonly SettledItem[],
): Promise<void> {
  const tasks = await lockOpenTasks(tx, shop, orderId, "withdrawal");
  if (tasks.length === 0) return;
  const isPaid = (await tx.order.count({ where: { shop, orderId, paidAt: { not: null } } })) > 0;
  for (const task of tasks) {
    const details = taskDetails.withdrawal.parse(task.details);
    const declaredAt = new Date(details.declaredAt).getTime();
    const owed = inOrder.filter(({ withdrawnAt }) => withdrawnAt?.getTime() === declaredAt);
    const premiumMinor = isPaid ? sumOf(owed.map((item) => item.premiumMinor)) : 0;
    if (owed.length === 0 && details.isMailed) await closeTasks(shop, { ids: [task.id] }, "obsolete", tx);
    else if (premiumMinor !== details.premiumMinor)
      await tx.task.updateMany({
        where: { shop, id: task.id },
        data: { details: { ...details, premiumMinor }, atStakeMinor: premiumMinor },
      });
  }
}

/** The items of a new report that an order's stored items leave no item for (item-matching.ts). */
export async function findStoredSurplus(
  tx: Transaction,
  shop: string,
  orderId: string,
  { items, lines, left }: Ledger,
): Promise<LedgerItem[]> {
  const stored = z.array(settledItem).parse(await tx.insuredItem.findMany({ where: { shop, orderId } }));
  return findSurplus(items, stored, lines, left);
}

/**
 * The lines that came into the order later, with the offers of the order's formulas and terms for them.
 * @param insuring the line of each item that insures one
 */
async function findReplacements(
  tx: Transaction,
  shop: string,
  orderId: string,
  lines: readonly (ProductLine & { addedLater: boolean; insuranceSelected: boolean })[],
  insuring: readonly (string | null)[],
): Promise<Replacement[]> {
  const added = lines
    .filter((line) => line.addedLater && !line.insuranceSelected && line.currentQuantity > 0)
    .map(({ lineId }) => lineId);
  if (added.length === 0) return [];
  const rows = await readReplacements(tx, shop, orderId, added);
  return rows.map(({ currentQuantity, quoted, ...line }) => ({
    ...line,
    free: currentQuantity - quoted - insuring.filter((lineId) => lineId === line.lineId).length,
  }));
}

/**
 * The cover gets an item of its own for the replacement, with the premium. The old item's contract ends once that item's
 * is in force (issuing/next-step.ts). Safe to repeat: the number of the new item says which one it replaces.
 */
async function moveCover(
  tx: Transaction,
  shop: string,
  orderId: string,
  moves: readonly Move<SettledItem>[],
): Promise<void> {
  const rows = moves.flatMap(({ item, line, offer }) =>
    offer === null
      ? []
      : {
          ...keyOf(item),
          movedNumber: movedNumber(item.itemNumber),
          insuredLineId: line.lineId,
          insuredVariantId: line.variantId,
          insuredTitle: line.title,
          insuredPriceMinor: line.priceMinor,
          insuredCurrency: line.currency,
          offerReferenceId: offer.referenceId,
          offerPriceMinor: offer.priceMinor,
        },
  );
  if (rows.length === 0) return;
  await insertMovedItems(tx, shop, orderId, rows);
  // Not every caller lets the order's worker know.
  await tx.order.updateMany({ where: { shop, orderId }, data: { revision: { increment: 1 } } });
  await sendOrderJob(tx, shop, orderId, { isUrgent: true });
}

const keyOf = ({ lineId, itemNumber }: ItemKey) => ({ lineId, itemNumber });
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** One task for all ended items of a plan line. */
function premiumKept(
  shop: string,
  orderId: string,
  lineId: string,
  items: readonly SettledItem[],
): NewTask<"premium_kept">[] {
  const paid = items.filter(({ premiumMinor }) => premiumMinor > 0);
  const [first] = paid;
  if (!first) return [];
  const { planTitle, insuredTitle, currency } = first;
  const premiumMinor = sumOf(paid.map((item) => item.premiumMinor));
  const details = { planTitle, insuredTitle, items: paid.map(keyOf), premiumMinor, currency };
  return [{ shop, kind: "premium_kept", orderId, details, subjectId: lineId }];
}

function productReturned(
  shop: string,
  orderId: string,
  { pairId, surplus, items, obstacle }: Returned<SettledItem> & { obstacle: Obstacle | null },
): NewTask<"product_returned"> {
  const plans = items.map(({ lineId, itemNumber, planTitle, contractId, premiumMinor }) => {
    return { lineId, itemNumber, planTitle, contractId, premiumMinor };
  });
  const premiums = items.map(({ premiumMinor }) => premiumMinor).toSorted((a, b) => b - a);
  const details = {
    surplus,
    insuredTitle: items[0]?.insuredTitle ?? null,
    plans,
    // Where it is not clear whose product went back: the most that may have to be paid back.
    premiumMinor: sumOf(premiums.slice(0, surplus)),
    currency: items[0]?.currency ?? "",
    replacement: obstacle,
  };
  return { shop, kind: "product_returned", orderId, subjectId: pairId, details };
}

/** Whether a task asks, or asked, what becomes of the insurance of an order that was paid back as a whole. */
export async function isWholeAsked(tx: Transaction, shop: string, orderId: string): Promise<boolean> {
  const details = { path: ["isWhole"], equals: true };
  return (await tx.task.count({ where: { shop, orderId, kind: "paid_back", details } })) > 0;
}

/**
 * Money was paid back without items, and plans of the order go on (not cancelled):
 * whether their premiums were meant, only a person knows. A further amount is added to the open question.
 * @param money null: the whole order is paid back; a person answers that once
 */
export async function openPaidBackTask(
  tx: Transaction,
  shop: string,
  orderId: string,
  money: { amountMinor: number; currency: string } | null,
): Promise<void> {
  const items = z.array(settledItem).parse(
    await tx.insuredItem.findMany({
      where: { shop, orderId, premiumMinor: { gt: 0 }, order: { cancelledAt: null } },
    }),
  );
  const isCancelled = ({ wanted, state }: SettledItem) => wanted && state === "cancelled";
  const insuring = items.filter((item) => item.wanted && !isCancelled(item));
  const [first] = insuring;
  if (!first) return;
  const premiums = insuring.map(({ premiumMinor }) => premiumMinor);
  const [open] = await lockOpenTasks(tx, shop, orderId, "paid_back");
  const known = open && taskDetails.paid_back.parse(open.details);
  if (known?.isWhole === true || (money === null && (await isWholeAsked(tx, shop, orderId)))) return;
  const earlierMinor = known && known.paidBackCurrency === money?.currency ? known.paidBackMinor : 0;
  // Of insurance that ended another task asks for the premium: the money is for that one first.
  const owed = items
    .filter((item) => item.premiumAnswer === null)
    .filter((item) => item.endedInOrder || isCancelled(item))
    .map((item) => item.premiumMinor);
  const leftMinor = earlierMinor + (money?.amountMinor ?? 0) - sumOf(owed);
  if (money?.currency === first.currency && leftMinor < Math.min(...premiums)) return;
  const premiumMinor = sumOf(premiums);
  const details = {
    isWhole: money === null,
    paidBackMinor: money === null ? premiumMinor : earlierMinor + money.amountMinor,
    paidBackCurrency: money?.currency ?? first.currency,
    plans: [...new Set(insuring.map(({ planTitle }) => planTitle))],
    premiumMinor,
    currency: first.currency,
  };
  await openTasks([{ shop, kind: "paid_back", orderId, details }], tx, {
    updates: details.isWhole || earlierMinor > 0,
  });
}
