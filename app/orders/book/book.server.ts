/**
 * The store of books. Under the order's row lock it appends events, draws conclusions, and writes the rows that lists
 * read (projection.ts, tasks.ts). It is the only writer of these rows and of `OrderEvent`.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { sendOrderJob } from "#app/orders/schedule.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { Prisma } from "#app/platform/prisma/client.ts";
import { conclude, hasLostProducts, laterLines } from "./conclude.ts";
import { type BookEvent, bookEvent, type EventOf, keyOf, type KeptEvent } from "./events.ts";
import { type Order, readBook } from "./evolve.ts";
import { movementRows } from "./movements.ts";
import { itemRows, lineRows, orderRow, type OrderRow, quoteRows } from "./projection.ts";
import { readReplacements } from "./replacements.server.ts";
import { type OrderTask, orderTaskKinds, taskKey, tasksOf } from "./tasks.ts";

const storedEvent = z
  .object({ key: z.string(), at: z.coerce.date(), data: z.unknown() })
  .transform(({ key, at, data }): KeptEvent => ({ ...bookEvent.parse(data), key, at }));
const storedEvents = z.array(storedEvent);

const eventColumns = { key: true, at: true, data: true } as const;

async function readEvents(tx: Transaction, shop: string, orderId: string): Promise<KeptEvent[]> {
  const rows = await tx.orderEvent.findMany({
    where: { shop, orderId },
    orderBy: { id: "asc" },
    select: eventColumns,
  });
  return storedEvents.parse(rows);
}

/** A book as it is read without a lock: for pages. */
export interface Book {
  orderId: string;
  events: readonly KeptEvent[];
  order: Order;
}

/** Null: there is no such order. */
export async function readOrderBook(
  shop: string,
  orderId: string,
  tx: Transaction = db,
): Promise<Book | null> {
  const events = await readEvents(tx, shop, orderId);
  return events.length === 0 ? null : { orderId, events, order: readBook(events) };
}

/** The books of several orders, by order; one that is unknown is left out. */
export async function readOrderBooks(shop: string, orderIds: readonly string[]): Promise<Map<string, Book>> {
  const rows = await db.orderEvent.findMany({
    where: { shop, orderId: { in: [...orderIds] } },
    orderBy: { id: "asc" },
    select: { ...eventColumns, orderId: true },
  });
  return new Map(
    [...Map.groupBy(rows, ({ orderId }) => orderId)].map(([orderId, ofOrder]) => {
      const events = storedEvents.parse(ofOrder);
      return [orderId, { orderId, events, order: readBook(events) }];
    }),
  );
}

export interface Locked {
  order: Order;
  /** the database's time */
  now: Date;
  tx: Transaction;
  /** the worker that acts on the order; null: none does */
  leaseHolder: string | null;
  /** what a worker has read of the order is current as long as this is the same */
  revision: number;
}

export interface Appended {
  before: Order;
  order: Order;
  /** the events that were new */
  added: readonly KeptEvent[];
}

interface AppendOptions {
  /** sends a job to the order's worker; false: the caller takes the next step itself */
  sendsJob?: boolean;
  /** the worker that has the order's lease appends: no other needs a job */
  isWorker?: boolean;
}

const lockedRow = z
  .array(z.object({ now: z.coerce.date(), leaseHolder: z.string().nullable(), revision: z.int() }))
  .max(1);

/** Locks an order's row until the transaction ends. Null: there is no such order. */
async function lockOrder(tx: Transaction, shop: string, orderId: string) {
  const rows = await tx.$queryRaw`
    SELECT now() AS now, revision, CASE WHEN "leaseExpiresAt" > now() THEN "leaseHolder" END AS "leaseHolder" FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId} FOR UPDATE`;
  return lockedRow.parse(rows)[0] ?? null;
}

/**
 * Appends what `decide` makes of the order as it is now. What is known already adds nothing.
 * @param decide null: it does not apply any more
 * @returns null: there is no such order, or `decide` returned null
 */
export async function appendToBook(
  tx: Transaction,
  shop: string,
  orderId: string,
  decide: (locked: Locked) => readonly BookEvent[] | null | Promise<readonly BookEvent[] | null>,
  { sendsJob = true, isWorker = false }: AppendOptions = {},
): Promise<Appended | null> {
  const row = await lockOrder(tx, shop, orderId);
  if (row === null) return null;
  const known = await readEvents(tx, shop, orderId);
  const before = readBook(known);
  const now = timeAfter(known, row.now);
  const events = await decide({
    order: before,
    now,
    tx,
    leaseHolder: row.leaseHolder,
    revision: row.revision,
  });
  if (events === null) return null;
  const kept = append(known, events, now);
  const { all, order } = await appendConclusions(tx, shop, orderId, kept, now);
  const added = all.slice(known.length);
  if (added.length > 0) await insertEvents(tx, shop, orderId, added);
  await project(tx, { shop, orderId, before, order, since: known.at(-1)?.at ?? now, now, added, isWorker });
  if (added.length > 0 && sendsJob && !isWorker) await sendOrderJob(tx, shop, orderId, { isUrgent: true });
  return { before, order, added };
}

/** Later than all that is known: the database's time is that of the transaction's start, which may have waited for the lock. */
const timeAfter = (known: readonly KeptEvent[], now: Date): Date =>
  new Date(Math.max(now.getTime(), (known.at(-1)?.at.getTime() ?? 0) + 1));

/** The same in a transaction of its own. */
export const appendToOrder = (
  shop: string,
  orderId: string,
  decide: (locked: Locked) => readonly BookEvent[] | null | Promise<readonly BookEvent[] | null>,
  options: AppendOptions = {},
): Promise<Appended | null> => db.$transaction((tx) => appendToBook(tx, shop, orderId, decide, options));

function append(known: readonly KeptEvent[], events: readonly BookEvent[], at: Date): KeptEvent[] {
  const kept = [...known];
  const keys = new Set(known.map(({ key }) => key));
  for (const event of events) {
    const key = keyOf(event, kept.length);
    if (keys.has(key)) continue;
    keys.add(key);
    kept.push({ ...bookEvent.parse(event), key, at });
  }
  return kept;
}

/** Far more than one change can lead to. */
const MAX_ROUNDS = 20;

async function appendConclusions(
  tx: Transaction,
  shop: string,
  orderId: string,
  events: KeptEvent[],
  at: Date,
): Promise<{ all: KeptEvent[]; order: Order }> {
  let all = events;
  let order = readBook(all);
  for (let round = 0; round < MAX_ROUNDS && order.items.length > 0; round += 1) {
    const later = laterLines(order);
    const replacements =
      later.length > 0 && hasLostProducts(order) ? await readReplacements(tx, shop, order, later) : [];
    const next = append(all, conclude(order, replacements).conclusions, at);
    if (next.length === all.length) break;
    all = next;
    order = readBook(all);
  }
  return { all, order };
}

async function insertEvents(
  tx: Transaction,
  shop: string,
  orderId: string,
  added: readonly KeptEvent[],
): Promise<void> {
  await tx.orderEvent.createMany({
    data: added.map(({ key, at, ...event }) => ({
      shop,
      orderId,
      key,
      at,
      type: event.type,
      data: toJson(event),
    })),
  });
}

const jsonObject = z.record(z.string(), z.json());

/** As the database stores it: times are ISO 8601. */
const toJson = (value: object): Prisma.InputJsonObject => jsonObject.parse(JSON.parse(JSON.stringify(value)));

interface Projecting {
  shop: string;
  orderId: string;
  before: Order;
  order: Order;
  /** when the rows were written last */
  since: Date;
  now: Date;
  added: readonly KeptEvent[];
  isWorker?: boolean;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Writes the rows that differ. */
async function project(tx: Transaction, change: Projecting): Promise<void> {
  const { shop, orderId, before, order, added, isWorker = false } = change;
  const where = { shop, orderId };
  const row: Partial<OrderRow> = orderRow(order) ?? {};
  const data = {
    ...(isSame(orderRow(before), row) ? {} : row),
    // The worker reads the order again before it ends.
    ...(added.length > 0 && !isWorker ? { revision: { increment: 1 } } : {}),
  };
  if (Object.keys(data).length > 0) await tx.order.updateMany({ where, data });
  const lines = changed(lineRows(before), lineRows(order), ({ lineId }) => lineId);
  if (lines.length > 0) {
    if (before.lines.length > 0)
      await tx.orderLine.deleteMany({
        where: { ...where, lineId: { in: lines.map(({ lineId }) => lineId) } },
      });
    await tx.orderLine.createMany({ data: lines.map((line) => ({ ...where, ...line })) });
  }
  const items = changed(itemRows(before), itemRows(order), (item) => `${item.lineId} ${item.itemNumber}`);
  if (items.length > 0) {
    const keys = items.map(({ lineId, itemNumber }) => ({ lineId, itemNumber }));
    if (before.items.length > 0) await tx.insuredItem.deleteMany({ where: { ...where, OR: keys } });
    await tx.insuredItem.createMany({ data: items.map((item) => ({ ...where, ...item })) });
  }
  await projectQuotes(tx, change);
  await projectTasks(tx, change);
  const movements = movementRows(before, order, added, change.now);
  if (movements.length > 0)
    await tx.premiumMovement.createMany({
      data: movements.map((movement) => ({ ...where, ...movement })),
      // One that is part of a closed month outlives a rebuild.
      skipDuplicates: true,
    });
}

/** A quote that was not requested is gone: its row, too. */
async function projectQuotes(tx: Transaction, { shop, orderId, before, order }: Projecting): Promise<void> {
  const where = { shop, orderId };
  const keyOfRow = (row: { lineId: string; itemNumber: number }) => `${row.lineId} ${row.itemNumber}`;
  const [was, is] = [quoteRows(before), quoteRows(order)];
  const quotes = changed(was, is, keyOfRow);
  const stale = changed(is, was, keyOfRow).map(({ lineId, itemNumber }) => ({ lineId, itemNumber }));
  if (stale.length > 0) await tx.orderQuote.deleteMany({ where: { ...where, OR: stale } });
  if (quotes.length > 0)
    await tx.orderQuote.createMany({ data: quotes.map((row) => ({ ...where, ...row })) });
}

function changed<Row>(before: readonly Row[], after: readonly Row[], keyOfRow: (row: Row) => string): Row[] {
  const known = new Map(before.map((row) => [keyOfRow(row), JSON.stringify(row)]));
  return after.filter((row) => known.get(keyOfRow(row)) !== JSON.stringify(row));
}

/** Rows of tasks: what is not asked any more is closed, with the answer of this change or as obsolete. */
async function projectTasks(
  tx: Transaction,
  { shop, orderId, before, order, since, now, added }: Projecting,
): Promise<void> {
  const rowsOf = (of: Order, at: Date) =>
    new Map(tasksOf(of, at).map((task) => [taskKey(orderId, task.question), task]));
  const was = rowsOf(before, since);
  const is = rowsOf(order, now);
  const answers = new Map(
    added.flatMap((event) => (event.type === "decided" ? [[event.question, event]] : [])),
  );
  const gone = [...was].filter(([key]) => !is.has(key));
  for (const [outcome, ended] of Map.groupBy(gone, ([, { question }]) => outcomeOf(answers.get(question))))
    await tx.task.updateMany({
      where: { shop, key: { in: ended.map(([key]) => key) }, closedAt: null },
      data: { closedAt: now, outcome },
    });
  for (const [key, task] of is) {
    const known = was.get(key);
    if (known && isSame(rowOf(known), rowOf(task))) continue;
    const { kind, lineId, itemNumber, details, atStakeMinor, currency, dueOn } = task;
    const about = { kind, lineId, itemNumber, atStakeMinor, currency, dueOn };
    const data = { ...about, details: toJson(details), closedAt: null, outcome: null };
    const stored = await tx.task.findUnique({
      where: { shop_key: { shop, key } },
      select: { closedAt: true },
    });
    if (stored === null)
      await tx.task.create({ data: { id: idOf(shop, key), shop, key, orderId, openedAt: now, ...data } });
    else
      await tx.task.update({
        where: { shop_key: { shop, key } },
        data: stored.closedAt === null ? data : { ...data, openedAt: now },
      });
  }
}

const rowOf = ({ details, atStakeMinor, dueOn, currency }: OrderTask) => ({
  details,
  atStakeMinor,
  dueOn,
  currency,
});

/** The same task has the same id, also after a rebuild. */
const idOf = (shop: string, key: string): string =>
  createHash("sha256")
    .update(`${shop} ${key}`)
    .digest("hex")
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

function outcomeOf(decided: EventOf<"decided"> | undefined): "done" | "dismissed" | "obsolete" {
  switch (decided?.answer) {
    case undefined:
    case "reopened":
      return "obsolete";
    case "keep_insurance":
      // A contract that is kept cannot be handed over again by opening its task.
      return decided.question.startsWith("manual_cancellation") ? "done" : "dismissed";
    case "end":
    case "premium_kept":
    case "dismissed":
      return "dismissed";
    default:
      return "done";
  }
}

/**
 * Writes an order's rows again from its book: every batch of events is projected as it was when it was appended, so tasks
 * that were closed have their times and outcomes.
 */
export async function rebuildOrder(shop: string, orderId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const row = await lockOrder(tx, shop, orderId);
    if (row === null) return;
    const { now } = row;
    const events = await readEvents(tx, shop, orderId);
    const where = { shop, orderId };
    await tx.insuredItem.deleteMany({ where });
    await tx.orderLine.deleteMany({ where });
    await tx.orderQuote.deleteMany({ where });
    await tx.task.deleteMany({ where: { ...where, kind: { in: [...orderTaskKinds] } } });
    await tx.premiumMovement.deleteMany({ where: { ...where, closedIn: null } });
    const batches = [...Map.groupBy(events, ({ at }) => at.getTime())].toSorted(([a], [b]) => a - b);
    let kept: KeptEvent[] = [];
    let before = readBook(kept);
    for (const [time, added] of batches) {
      kept = [...kept, ...added];
      const order = readBook(kept);
      const at = new Date(time);
      await project(tx, { shop, orderId, before, order, since: at, now: at, added, isWorker: true });
      before = order;
    }
    await project(tx, {
      shop,
      orderId,
      before,
      order: before,
      since: events.at(-1)?.at ?? now,
      now,
      added: [],
    });
  });
}
