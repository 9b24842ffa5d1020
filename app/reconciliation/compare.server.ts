/** Compares books with the shop's orders and the insurer's contracts, makes up for what was lost and corrects what is clear. */
import pLimit from "p-limit";
import { type InsuranceClient } from "#app/insurance/client.ts";
import { NotFound, Rejected, UnreadableResponse } from "#app/insurance/errors.ts";
import type { Plan } from "#app/insurance/plans.ts";
import { askingAboutWords } from "#app/orders/status-words.server.ts";
import { reconcileOrQueue } from "#app/issuing/store-and-reconcile.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { activeConnection, connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { appendToOrder, type Appended, readOrderBooks } from "#app/orders/book/book.server.ts";
import type { Order } from "#app/orders/book/evolve.ts";
import { nextContractStep } from "#app/orders/book/next-contract-step.ts";
import { type ItemRow, itemRows } from "#app/orders/book/projection.ts";
import { tasksOf } from "#app/orders/book/tasks.ts";
import { saveReport } from "#app/orders/save-report.server.ts";
import { openCustomer } from "#app/orders/sealed.server.ts";
import { sendOrderJobs } from "#app/orders/schedule.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { databaseNow, db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { isOver } from "#app/withdrawals/withdrawal.ts";
import { type Comparison, contractEvents } from "./contract-events.ts";
import {
  findComparableOrders,
  findOrdersComparedLongestAgo,
  findOrdersRequestedAgain,
  findStuckOrders,
} from "./orders-to-compare.server.ts";
import type { ReconciliationCounts } from "./reconciliation.ts";

/** A creation that was sent more recently is not stuck. */
const STUCK_AFTER_MS = 15 * 60_000;

/** Stores what the book lacks of an order of the shop, and resumes what was left over. */
export async function compareWithShop(
  shop: string,
  report: ShopOrder,
  counts: ReconciliationCounts,
): Promise<void> {
  counts.orders += 1;
  const gap = await compareReports(shop, report);
  if (gap === null) return;
  counts[gap] += 1;
  await reconcileOrQueue(shop, report.id);
}

/**
 * Stores the report of an order that was read in the shop.
 * @returns what the book lacked: the order, or a change of it; or that its contracts and sales record wait for a worker;
 *   null: nothing
 */
async function compareReports(
  shop: string,
  report: ShopOrder,
): Promise<"missed" | "behind" | "resumed" | null> {
  const known = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId: report.id } },
    select: { acceptsMarketing: true },
  });
  // An order that was never paid has nothing to insure, and its cancellation nothing to cancel.
  if (!known && !report.paid) return null;
  const saved = await saveReport(shop, report, "read", { sendsJob: false });
  if (saved === null) return null;
  if (saved.before.placed === null) return "missed";
  // Quotes are for those who may be written to.
  const isAskedNoMore = known?.acceptsMarketing === true && !report.acceptsMarketing;
  if (saved.added.length > 0 || isAskedNoMore) return "behind";
  const step = nextContractStep(saved.order, {
    now: new Date(),
    restoredAt: null,
    conclusiveAfterS: env.INSURANCE_CONSISTENCY_SECONDS,
  });
  return step.do === "nothing" ? null : "resumed";
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
  environment: Environment;
  email: string | null;
  order: Order;
  items: ItemRow[];
}

/**
 * Compares the contracts that were compared longest ago, whatever became of their orders: each hour its share of all; and
 * those that may have a second contract by now.
 * @throws InsuranceError where the insurer cannot be read
 */
export async function compareOldestContracts(shop: string, counts: ReconciliationCounts): Promise<void> {
  if (!(await activeConnection(shop))) return;
  const [oldest, requestedAgain] = await Promise.all([
    findOrdersComparedLongestAgo(shop),
    findOrdersRequestedAgain(shop),
  ]);
  await compareWithInsurer(shop, [...new Set([...requestedAgain, ...oldest])], counts);
}

/** @throws InsuranceError where the insurer cannot be read */
export async function compareWithInsurer(
  shop: string,
  orderIds: readonly string[],
  counts: ReconciliationCounts,
): Promise<void> {
  if (orderIds.length === 0) return;
  const since = await databaseNow();
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
  for (const each of compared) {
    const known = contractsOf.get(customerOf(each));
    if (!known || each.items.length === 0) continue;
    const { orderId, order } = each;
    const isOwn = (contractId: string) =>
      order.items.some(({ contract }) => contract?.contractId === contractId);
    const contracts = known.plans.filter(
      ({ id, orderReferenceId }) => orderReferenceId === orderId || isOwn(id),
    );
    counts.contracts += contracts.length;
    await compareOrder(shop, each, { contracts, unreadable: known.unreadable, since, today }, counts);
  }
  // Those that cannot be compared, too: they would be the oldest for ever.
  await db.insuredItem.updateMany({
    where: { shop, orderId: { in: [...orderIds] } },
    data: { comparedAt: new Date() },
  });
}

/** Appends what differs, and has the order's worker act on it. */
async function compareOrder(
  shop: string,
  { orderId, environment, order }: OrderToCompare,
  comparison: Comparison,
  counts: ReconciliationCounts,
): Promise<void> {
  if (contractEvents(order, comparison).length === 0) return;
  // The order may have changed since it was read.
  const decide = askingAboutWords(shop, environment, (locked) => contractEvents(locked.order, comparison));
  const appended = await appendToOrder(shop, orderId, decide, { sendsJob: false });
  if (appended === null || appended.added.length === 0) return;
  for (const event of appended.added)
    if (event.type === "contract") counts.different += 1;
    else if (event.type === "doubted") counts.different += event.items.length;
  counts.tasks += countOpened(appended);
  await reconcileOrQueue(shop, orderId);
}

function countOpened({ before, order }: Appended): number {
  const now = new Date();
  const known = new Set(tasksOf(before, now).map(({ question }) => question));
  return tasksOf(order, now).filter(({ question }) => !known.has(question)).length;
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
  items: readonly ItemRow[],
  today: string,
): Promise<CustomerContracts | null> {
  if (email === null) return getContracts(client, items);
  try {
    const { items: listed } = await client.plans.listReadable({ customerEmail: email });
    const isListed = ({ contractId }: ItemRow) => listed.some(({ id }) => id === contractId);
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
async function getContracts(client: InsuranceClient, items: readonly ItemRow[]): Promise<CustomerContracts> {
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
  const comparable = await findComparableOrders(shop, orderIds);
  const [rows, books] = await Promise.all([
    db.order.findMany({
      where: { shop, orderId: { in: comparable } },
      select: { orderId: true, environment: true, sealedCustomer: true },
    }),
    readOrderBooks(shop, comparable),
  ]);
  return rows.flatMap(({ orderId, environment, sealedCustomer }) => {
    const book = books.get(orderId);
    if (!book) return [];
    return {
      orderId,
      environment: environment === "production" ? "production" : "test",
      email: sealedCustomer && openCustomer(key, orderId, sealedCustomer).email,
      order: book.order,
      items: itemRows(book.order),
    };
  });
}
