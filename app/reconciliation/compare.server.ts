/** Compares the ledger with the shop's orders and the insurer's contracts, makes up for what was lost and corrects what is clear. */
import pLimit from "p-limit";
import { type InsuranceClient } from "#app/insurance/client.ts";
import { NotFound, Rejected, UnreadableResponse } from "#app/insurance/errors.ts";
import type { Plan } from "#app/insurance/plans.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { activeConnection, connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { settleOrder } from "#app/orders/ledger/settle-order.server.ts";
import { compareReports } from "#app/orders/order-report.server.ts";
import { openCustomer } from "#app/orders/sealed.server.ts";
import { lockOrder, transitionItem, type Item, itemRow } from "#app/orders/ledger/items.server.ts";
import { reconcileOrQueue, storeAndReconcile } from "#app/issuing/store-and-reconcile.server.ts";
import { scheduleIssuing, sendOrderJobs } from "#app/orders/schedule.server.ts";
import { writeSalesRecordStatus } from "#app/issuing/working-order.server.ts";
import { closeTasks, closeItemTasks, openSurplusTask, openTask } from "#app/orders/tasks/tasks.server.ts";
import { isOver } from "#app/withdrawals/withdrawal.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { databaseNow, db, type Transaction } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { type Difference, findDifferences, type ReconciliationCounts } from "./reconciliation.ts";
import {
  findComparableOrders,
  findOrdersComparedLongestAgo,
  findStuckOrders,
} from "./orders-to-compare.server.ts";

/** A creation that was sent more recently is not stuck. */
const STUCK_AFTER_MS = 15 * 60_000;

/** Stores what the ledger lacks of an order of the shop, and resumes what was left over. */
export async function compareWithShop(
  shop: string,
  order: ShopOrder,
  counts: ReconciliationCounts,
): Promise<void> {
  counts.orders += 1;
  const gap = await compareReports(shop, order);
  if (gap === null) return;
  counts[gap] += 1;
  await (gap === "resumed" ? reconcileOrQueue(shop, order.id) : storeAndReconcile(shop, order, "read"));
}

/** Queues orders again whose items have been waiting for a while, whatever became of their jobs. */
export async function requeueStuckOrders(shop: string, counts: ReconciliationCounts): Promise<void> {
  if (!(await activeConnection(shop))) return;
  const before = new Date((await databaseNow()).getTime() - STUCK_AFTER_MS);
  const stuck = await findStuckOrders(shop, before);
  await sendOrderJobs(db, shop, stuck);
  counts.resumed += stuck.length;
}

/** Of the account's eight requests at once: new orders' plans have the others. */
const CUSTOMERS_AT_ONCE = 4;

interface OrderToCompare {
  orderId: string;
  cancelled: boolean;
  environment: "test" | "production";
  email: string | null;
  items: Item[];
}

/**
 * Compares the contracts that were compared longest ago, whatever became of their orders: each hour its share of all.
 * @throws InsuranceError where the insurer cannot be read
 */
export async function compareOldestContracts(shop: string, counts: ReconciliationCounts): Promise<void> {
  if (!(await activeConnection(shop))) return;
  const oldest = await findOrdersComparedLongestAgo(shop);
  await compareWithInsurer(shop, oldest, counts);
  // What an order's premiums need is a task, whatever closed or lost it.
  for (const orderId of oldest)
    await db.$transaction(async (tx) => {
      await lockOrder(tx, shop, orderId);
      await settleOrder(tx, shop, orderId);
    });
}

/** @throws InsuranceError where the insurer cannot be read */
export async function compareWithInsurer(
  shop: string,
  orderIds: readonly string[],
  counts: ReconciliationCounts,
): Promise<void> {
  if (orderIds.length === 0) return;
  const compared = await readOrdersToCompare(shop, orderIds);
  const today = toLocalDay("UTC", new Date());
  // One request per customer, however many orders they made, and one per contract that their list does not hold.
  const customers = new Map<string, () => Promise<CustomerContracts | null>>();
  const customerOf = ({ environment, email, orderId }: OrderToCompare) =>
    `${environment} ${email ?? `order ${orderId}`}`;
  for (const [customer, orders] of Map.groupBy(compared, customerOf)) {
    const items = orders.flatMap((each) => each.items);
    const [order] = orders;
    if (!order || items.length === 0) continue;
    const { email, environment } = order;
    const connection = await connectionIn(shop, environment);
    if (connection) customers.set(customer, () => readContracts(connection.client, email, items, today));
  }
  const contractsOf = new Map(
    await pLimit(CUSTOMERS_AT_ONCE).map(
      customers,
      async ([customer, read]) => [customer, await read()] as const,
    ),
  );
  const equal: Item[] = [];
  for (const order of compared) {
    const known = contractsOf.get(customerOf(order));
    if (!known || order.items.length === 0) continue;
    const isOwn = (contractId: string) => order.items.some((item) => item.contractId === contractId);
    const contracts = known.plans.filter(
      ({ id, orderReferenceId }) => orderReferenceId === order.orderId || isOwn(id),
    );
    counts.contracts += contracts.length;
    const items = order.items.filter(({ contractId }) => !known.unreadable.has(contractId ?? ""));
    const differences = findDifferences(items, contracts, today);
    const isDifferent = (item: Item) => differences.some((each) => "item" in each && each.item === item);
    const isShown = ({ contractId }: Item) => contracts.some(({ id }) => id === contractId);
    equal.push(...items.filter((item) => isShown(item) && !isDifferent(item)));
    for (const difference of differences) {
      counts.different += 1;
      await resolveDifference(shop, order, difference, counts);
    }
  }
  await closeTasksOfEqual(shop, equal);
  // Those that cannot be compared, too: they would be the oldest for ever.
  await db.insuredItem.updateMany({
    where: { shop, orderId: { in: [...orderIds] } },
    data: { comparedAt: new Date() },
  });
}

/** An answer that cannot be read, or a refusal of what was asked: it holds up no other customer and no other contract. */
const isAboutOne = (error: unknown): boolean =>
  error instanceof UnreadableResponse || error instanceof Rejected;

interface CustomerContracts {
  plans: Plan[];
  /** contract numbers of which the insurer gives no answer that can be read */
  unreadable: ReadonlySet<string>;
}

/**
 * What cannot be read is left out, so that the rest is compared. What the customer's list does not hold is queried by
 * itself: they may have another address at the insurer, and the list may lag behind.
 * @param email null: the customer was erased
 * @throws InsuranceError where the insurer cannot be reached
 */
async function readContracts(
  client: InsuranceClient,
  email: string | null,
  items: readonly Item[],
  today: string,
): Promise<CustomerContracts | null> {
  if (email === null) return getContracts(client, items);
  try {
    const { items: listed } = await client.plans.listReadable({ customerEmail: email });
    const isListed = ({ contractId }: Item) => listed.some(({ id }) => id === contractId);
    const absent = items.filter((item) => !isOver(item, today) && !isListed(item));
    const { plans, unreadable } = await getContracts(client, absent);
    return { plans: [...listed, ...plans], unreadable };
  } catch (error) {
    if (!isAboutOne(error)) throw error;
    log.warn({ err: error }, "Failed to compare a customer's contracts with the insurer's");
    return null;
  }
}

/**
 * The contracts of these items, one after another.
 * @throws InsuranceError where the insurer cannot be read
 */
async function getContracts(client: InsuranceClient, items: readonly Item[]): Promise<CustomerContracts> {
  const plans: Plan[] = [];
  const unreadable = new Set<string>();
  for (const { contractId, state } of items) {
    if (contractId === null || state === "cancelled") continue;
    try {
      plans.push(await client.plans.get(contractId));
    } catch (error) {
      if (isAboutOne(error)) {
        log.warn({ err: error }, "Failed to compare a contract with the insurer's");
        unreadable.add(contractId);
      } else if (!(error instanceof NotFound)) throw error;
    }
  }
  return { plans, unreadable };
}

async function readOrdersToCompare(shop: string, orderIds: readonly string[]): Promise<OrderToCompare[]> {
  const key = await dataKeyOf(shop);
  const rows = await db.order.findMany({
    where: { shop, orderId: { in: await findComparableOrders(shop, orderIds) } },
    include: { items: { where: { shop } } },
  });
  return rows.map((row) => ({
    orderId: row.orderId,
    cancelled: row.cancelledAt !== null,
    environment: row.environment === "production" ? "production" : "test",
    email: row.sealedCustomer && openCustomer(key, row.orderId, row.sealedCustomer).email,
    items: row.items.map((item) => itemRow.parse(item)),
  }));
}

async function resolveDifference(
  shop: string,
  order: OrderToCompare,
  difference: Difference<Item>,
  counts: ReconciliationCounts,
): Promise<void> {
  const { orderId } = order;
  switch (difference.kind) {
    case "cancelled_at_insurer": {
      const { item } = difference;
      return db.$transaction(async (tx) => {
        await lockOrder(tx, shop, orderId);
        if (!(await transitionItem(item, "found_cancelled", { transaction: tx }))) return;
        await closeItemTasks(item, tx);
        // The order's page shows its customer the cover.
        await scheduleIssuing(tx, shop, orderId);
        if (!item.wanted || order.cancelled) return;
        counts.tasks += 1;
        await openContractTask(shop, item, "cancelled_elsewhere", tx);
      });
    }
    case "missing_at_insurer":
      counts.tasks += 1;
      return openContractTask(shop, difference.item, "contract_missing");
    case "unclear_at_insurer": {
      const { item, contract } = difference;
      if (!item.wanted || order.cancelled) return;
      counts.tasks += 1;
      const { lineId, itemNumber, planTitle } = item;
      const details = { contractId: contract.id, planTitle, status: contract.status.slice(0, 100) };
      return openTask({ shop, kind: "contract_not_active", orderId, lineId, itemNumber, details });
    }
    case "active_at_insurer": {
      // The order is cancelled again; of one that is not cancelled, nothing would be: its items have all ended.
      if (order.cancelled) {
        await writeSalesRecordStatus(shop, orderId, "recorded");
        return reconcileOrQueue(shop, orderId);
      }
      const { contractId, offerReferenceId } = difference.item;
      counts.tasks += 1;
      return openSurplusTask(shop, orderId, contractId ?? "", offerReferenceId);
    }
    case "possible_match":
      await transitionItem(difference.item, "possible_match");
      return reconcileOrQueue(shop, orderId);
    case "unmatched_contract":
      if (await isAssigned(shop, orderId, difference.contract.id)) return;
      counts.tasks += 1;
      return openSurplusTask(shop, orderId, difference.contract.id, difference.contract.offerReferenceId);
  }
}

/**
 * Whether the contract is, or may be, an item's by now: the items were read before the insurer, and may have been sent,
 * completed or added to the order since.
 */
async function isAssigned(shop: string, orderId: string, contractId: string): Promise<boolean> {
  const items = await db.insuredItem.count({
    where: { shop, orderId, OR: [{ contractId }, { state: { in: ["creating", "unknown"] } }] },
  });
  return items > 0;
}

/** Closes the tasks about contracts that an earlier comparison did not find, or not in force: these are as the ledger has them. */
async function closeTasksOfEqual(shop: string, items: readonly Item[]): Promise<void> {
  const orderIds = [...new Set(items.map(({ orderId }) => orderId))];
  const kind = { in: ["contract_missing", "contract_not_active"] };
  const open = await db.task.findMany({ where: { shop, orderId: { in: orderIds }, kind, closedAt: null } });
  const isOf = (task: (typeof open)[number]) => (item: Item) =>
    item.orderId === task.orderId && item.lineId === task.lineId && item.itemNumber === task.itemNumber;
  const ids = open.filter((task) => items.some(isOf(task))).map(({ id }) => id);
  if (ids.length > 0) await closeTasks(shop, { ids }, "obsolete");
}

async function openContractTask(
  shop: string,
  { orderId, lineId, itemNumber, contractId, planTitle }: Item,
  kind: "cancelled_elsewhere" | "contract_missing",
  tx?: Transaction,
): Promise<void> {
  const details = { contractId: contractId ?? "", planTitle };
  await openTask({ shop, kind, orderId, lineId, itemNumber, details }, tx);
}
