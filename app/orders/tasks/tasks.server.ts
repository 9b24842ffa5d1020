/** Tasks in the database: opened once per key, closed with an outcome, and listed. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { missingFields } from "#app/orders/customer.ts";
import { openCustomer } from "#app/orders/sealed.server.ts";
import { canKeepInsured, lockOrder } from "#app/orders/ledger/items.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import {
  inBatches,
  type Keyset,
  keyText,
  keyTime,
  readKeyset,
  timeKey,
  type TimeKey,
} from "#app/platform/keyset.ts";
import { type ListPage, type PageRequest, toListPage } from "#app/platform/list-page.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import {
  deadlineOf,
  kindsByGroup,
  NO_DEADLINE,
  type TaskDetails,
  type TaskFilter,
  type TaskKind,
  type TaskOutcome,
  taskRow,
  type TaskView,
} from "./tasks.ts";

export interface NewTask<Kind extends TaskKind> {
  shop: string;
  kind: Kind;
  details: TaskDetails<Kind>;
  orderId?: string;
  lineId?: string;
  itemNumber?: number;
  /** distinguishes tasks of one kind where order, line and item number do not */
  subjectId?: string;
}

/** Opens a task. One that is open stays as it is; one that was closed is reopened. */
export async function openTask<Kind extends TaskKind>(
  task: NewTask<Kind>,
  tx: Transaction = db,
): Promise<void> {
  await openTasks([task], tx);
}

/**
 * What customers paid for the insurance that the row `task` is about: named in its details, of its item, or of the
 * order's items that wait for the same details.
 */
const atStake = Prisma.sql`
  SELECT COALESCE((task.details->>'premiumMinor')::int, sum(u."premiumMinor")::int, 0) AS "atStakeMinor",
    COALESCE(task.details->>'currency', min(u.currency)) AS currency
  FROM "InsuredItem" AS u
  WHERE u.shop = task.shop AND u."orderId" = task."orderId" AND CASE
    WHEN task."itemNumber" IS NOT NULL THEN u."lineId" = task."lineId" AND u."itemNumber" = task."itemNumber"
    ELSE task.kind = 'customer_data' AND u.wanted AND u."contractId" IS NULL
      AND COALESCE(u.reason, 'missing_customer_data') = 'missing_customer_data' END`;

/**
 * Opens any number of different tasks in one statement.
 * @param updates open ones get the new details
 * @param once those that were closed stay so
 */
export async function openTasks<Kind extends TaskKind>(
  tasks: NewTask<Kind>[],
  tx: Transaction = db,
  { updates = false, once = false }: { updates?: boolean; once?: boolean } = {},
): Promise<void> {
  if (tasks.length === 0) return;
  const openedAt = new Date();
  const rows = tasks.map(({ subjectId, ...task }) => ({
    id: randomUUID(),
    dueOn: deadlineOf(task, openedAt),
    key: [task.kind, task.orderId, task.lineId, task.itemNumber, subjectId]
      .filter((part) => part !== undefined)
      .join(":"),
    ...task,
  }));
  await tx.$executeRaw`
    INSERT INTO "Task" (id, shop, key, kind, "orderId", "lineId", "itemNumber", details, "dueOn", "atStakeMinor",
      currency)
    SELECT task.*, stake.*
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS task(id text, shop text, key text, kind text,
      "orderId" text, "lineId" text, "itemNumber" int, details jsonb, "dueOn" text), LATERAL (${atStake}) AS stake
    ON CONFLICT (shop, key) DO UPDATE
    SET "closedAt" = NULL, outcome = NULL, details = excluded.details,
      "openedAt" = CASE WHEN "Task"."closedAt" IS NULL THEN "Task"."openedAt" ELSE now() END, "dueOn" = excluded."dueOn",
      "atStakeMinor" = excluded."atStakeMinor", currency = excluded.currency
    WHERE ("Task"."closedAt" IS NOT NULL AND NOT ${once}) OR (${updates}
      AND "Task"."closedAt" IS NULL AND "Task".details <> excluded.details)`;
}

/** A contract in force that no insured item of the order has. */
export async function openSurplusTask(
  shop: string,
  orderId: string,
  contractId: string,
  offerReferenceId: string,
): Promise<void> {
  await openTask({
    shop,
    kind: "surplus_contract",
    orderId,
    subjectId: contractId,
    details: { contractId, offerReferenceId },
  });
}

export interface TaskSubject {
  ids?: readonly string[];
  orderId?: string;
  lineId?: string;
  itemNumber?: number;
  /** `customer_data` is closed by `closeCustomerDataTask` alone */
  kind?: Exclude<TaskKind, "customer_data">;
}

/** Closes the open tasks about a subject. */
export async function closeTasks(
  shop: string,
  { ids, kind, ...subject }: TaskSubject,
  outcome: TaskOutcome,
  tx: Transaction = db,
): Promise<void> {
  await tx.task.updateMany({
    where: {
      shop,
      closedAt: null,
      ...subject,
      ...(ids === undefined ? {} : { id: { in: [...ids] } }),
      kind: kind ?? { not: "customer_data" },
    },
    data: { closedAt: new Date(), outcome },
  });
}

const lockedTasks = z.array(z.object({ id: z.string(), key: z.string(), details: z.unknown() }));

/** The order's open tasks of a kind, locked until the transaction ends. */
export async function lockOpenTasks(tx: Transaction, shop: string, orderId: string, kind: TaskKind) {
  const rows = await tx.$queryRaw`
    SELECT id, key, details FROM "Task"
    WHERE shop = ${shop} AND "orderId" = ${orderId} AND kind = ${kind} AND "closedAt" IS NULL FOR UPDATE`;
  return lockedTasks.parse(rows);
}

/** Closes the order's open tasks of some kinds whose subjects are not among these: nothing is left to do about them. */
export async function closeOtherTasks(
  tx: Transaction,
  { shop, orderId, kinds }: { shop: string; orderId: string; kinds: TaskKind[] },
  subjects: readonly { kind: TaskKind; subjectId?: string }[],
): Promise<void> {
  const keys = subjects.map(({ kind, subjectId }) => [kind, orderId, subjectId].join(":"));
  await tx.task.updateMany({
    where: { shop, orderId, kind: { in: kinds }, key: { notIn: keys }, closedAt: null },
    data: { closedAt: new Date(), outcome: "obsolete" },
  });
}

/**
 * Closes the order's task about its customer's data, once no item of the order waits for them. The task is locked first:
 * an item that begins to wait meanwhile is seen by the second statement, or opens the task again.
 */
export async function closeCustomerDataTask(
  tx: Transaction,
  shop: string,
  orderId: string,
  outcome: TaskOutcome,
): Promise<void> {
  await tx.$executeRaw`
    SELECT FROM "Task" WHERE shop = ${shop} AND key = ${`customer_data:${orderId}`} FOR UPDATE`;
  await tx.$executeRaw`
    UPDATE "Task" SET "closedAt" = now(), outcome = ${outcome}
    WHERE shop = ${shop} AND key = ${`customer_data:${orderId}`} AND "closedAt" IS NULL AND NOT EXISTS (
      SELECT FROM "InsuredItem" AS u WHERE u.shop = ${shop} AND u."orderId" = ${orderId}
        AND u.state = 'attention' AND u.reason = 'missing_customer_data' AND u.wanted)`;
}

/** Closes what is open about an item that reached its end. */
export async function closeItemTasks(
  item: { shop: string; orderId: string; lineId: string; itemNumber: number },
  tx: Transaction = db,
): Promise<void> {
  const { shop, orderId, lineId, itemNumber } = item;
  await closeTasks(shop, { orderId, lineId, itemNumber }, "obsolete", tx);
}

/** Closes one task. `unknown`: there is no such task in this shop; `conflict`: it is closed already. */
export async function closeTask(
  shop: string,
  { id, kind, orderId }: Pick<TaskView, "id" | "kind" | "orderId">,
  outcome: "done" | "dismissed",
  actor: Actor,
  alongside: (tx: Transaction) => Promise<void> = async () => {},
): Promise<"done" | "conflict" | "unknown"> {
  return db.$transaction(async (tx) => {
    if (orderId !== null) await lockOrder(tx, shop, orderId);
    const closed = await tx.task.updateMany({
      where: { shop, id, closedAt: null },
      data: { closedAt: new Date(), outcome },
    });
    if (closed.count === 0)
      return (await tx.task.count({ where: { shop, id } })) > 0 ? "conflict" : "unknown";
    await recordAudit({ shop, actor, action: "task_closed", subject: id, after: { kind, outcome } }, tx);
    await alongside(tx);
    return "done";
  });
}

/** Opens a task again that was closed by mistake. */
export async function reopenTask(
  shop: string,
  { id, kind, orderId, outcome }: Pick<TaskView, "id" | "kind" | "orderId" | "outcome">,
  actor: Actor,
  alongside: (tx: Transaction) => Promise<void>,
): Promise<"done" | "conflict" | "unknown"> {
  return db.$transaction(async (tx) => {
    if (orderId !== null) await lockOrder(tx, shop, orderId);
    const opened = await tx.task.updateMany({
      where: { shop, id, closedAt: { not: null } },
      data: { closedAt: null, outcome: null },
    });
    if (opened.count === 0) return "unknown";
    await recordAudit({ shop, actor, action: "task_reopened", subject: id, before: { kind, outcome } }, tx);
    await alongside(tx);
    return "done";
  });
}

/** Days before its legal deadline from which a task is urgent. */
const URGENT_DAYS = 7;

async function readTasks(shop: string, condition: Prisma.Sql, rest: Prisma.Sql): Promise<TaskView[]> {
  const rows = await db.$queryRaw`
    SELECT t.*, o.name AS "orderName",
      CASE WHEN t.kind = 'check_plan' AND t."closedAt" IS NULL THEN o."sealedCustomer" END AS "sealedCustomer", COALESCE(o.environment = 'test', false) AS "isTest",
      t."dueOn" <= to_char(now() + ${URGENT_DAYS} * interval '1 day', 'YYYY-MM-DD') AS "isUrgent",
      t.kind = 'manual_cancellation' AND EXISTS (
        SELECT FROM "InsuredItem" AS u
        WHERE u.shop = t.shop AND u."orderId" = t."orderId" AND u."lineId" = t."lineId"
          AND u."itemNumber" = t."itemNumber" AND ${canKeepInsured}) AS "canKeepInsured"
    FROM "Task" AS t LEFT JOIN "Order" AS o ON o.shop = t.shop AND o."orderId" = t."orderId"
    WHERE t.shop = ${shop} AND ${condition} ${rest}`;
  const parsed = z.array(taskRow).parse(rows);
  const key = parsed.some(({ sealedCustomer }) => sealedCustomer !== null) ? await dataKeyOf(shop) : null;
  return parsed.map(({ sealedCustomer, ...task }) => ({
    ...task,
    missingDetails:
      sealedCustomer === null || key === null
        ? []
        : missingFields(openCustomer(key, task.orderId ?? "", sealedCustomer), false),
  }));
}

type ListMerchant = Pick<Merchant, "shop" | "environment">;

function filterSql(
  { shop, environment }: ListMerchant,
  { state, kind, group, tests, query }: TaskFilter,
): Prisma.Sql {
  const hidesTests = environment === "production" && tests === null && query === null;
  const conditions = [
    ...(hidesTests ? [notOfTestOrders] : []),
    ...(group === null ? [] : [Prisma.sql`t.kind = ANY(${[...kindsByGroup[group]]})`]),
    state === "open" ? Prisma.sql`t."closedAt" IS NULL` : Prisma.sql`t."closedAt" IS NOT NULL`,
    ...(kind === null ? [] : [Prisma.sql`t.kind = ${kind}`]),
    ...(query === null ? [] : [searchSql(shop, query)]),
  ];
  return Prisma.join(conditions, " AND ");
}

const notOfTestOrders = Prisma.sql`o.environment IS DISTINCT FROM 'test'`;

/** An order's id, or its name with or without its `#`, each by its own index. */
function searchSql(shop: string, query: string): Prisma.Sql {
  return Prisma.sql`t."orderId" = ANY (ARRAY(
    SELECT ${query}
    UNION ALL SELECT "orderId" FROM "Order" WHERE shop = ${shop} AND name IN (${query}, ${`#${query}`})))`;
}

/** Legal deadline, amount (negative: the largest comes first), time, id. */
const urgencyKey = z.tuple([keyText, z.number(), keyTime, keyText]);
type UrgencyKey = z.infer<typeof urgencyKey>;

function readOpen(merchant: ListMerchant, filter: TaskFilter, keyset: Keyset<UrgencyKey>, limit: number) {
  const columns = [
    { column: Prisma.sql`t."dueOn"` },
    { column: Prisma.sql`-t."atStakeMinor"` },
    { column: Prisma.sql`t."openedAt"` },
    { column: Prisma.sql`t.id` },
  ] as const;
  const page = keysetClause(keyset, columns, "ASC");
  return readTasks(merchant.shop, filterSql(merchant, filter), Prisma.sql`${page} LIMIT ${limit}`);
}

function readClosed(merchant: ListMerchant, filter: TaskFilter, keyset: Keyset<TimeKey>, limit: number) {
  const page = keysetClause(keyset, [{ column: Prisma.sql`t."openedAt"` }, { column: Prisma.sql`t.id` }]);
  return readTasks(merchant.shop, filterSql(merchant, filter), Prisma.sql`${page} LIMIT ${limit}`);
}

const closedKeyOf = ({ openedAt, id }: TaskView): TimeKey => [openedAt, id];
const openKeyOf = ({ dueOn, atStakeMinor, openedAt, id }: TaskView): UrgencyKey => [
  dueOn ?? NO_DEADLINE,
  -atStakeMinor,
  openedAt,
  id,
];

/**
 * One page: open tasks by deadline, then by what customers paid, then by age; closed ones latest first. The first one,
 * where every task of a later page has been answered.
 */
export async function listTasks(
  merchant: ListMerchant,
  filter: TaskFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<TaskView>> {
  const page = await readPage(merchant, filter, request, size);
  const isFirst = request.after === null && request.before === null;
  return page.items.length > 0 || isFirst
    ? page
    : readPage(merchant, filter, { after: null, before: null }, size);
}

async function readPage(
  merchant: ListMerchant,
  filter: TaskFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<TaskView>> {
  if (filter.state === "open") {
    const keyset = readKeyset(urgencyKey, request);
    return toListPage(await readOpen(merchant, filter, keyset, size + 1), size, keyset, openKeyOf);
  }
  const keyset = readKeyset(timeKey, request);
  return toListPage(await readClosed(merchant, filter, keyset, size + 1), size, keyset, closedKeyOf);
}

/** All tasks that match the filter, in the order of the list. */
export function iterateTasks(merchant: ListMerchant, filter: TaskFilter): AsyncIterable<TaskView> {
  return filter.state === "open"
    ? inBatches(500, (keyset, size) => readOpen(merchant, filter, keyset, size), openKeyOf)
    : inBatches(500, (keyset, size) => readClosed(merchant, filter, keyset, size), closedKeyOf);
}

const openTotal = z.object({
  count: z.coerce.number(),
  /** what customers paid for the insurance that they are about, by currency */
  atStake: z.array(z.object({ minor: z.int(), currency: z.string() })),
});

/** All open tasks together, those of test orders apart once the shop uses the account for production. */
export async function countOpenTasks({
  shop,
  environment,
}: ListMerchant): Promise<z.infer<typeof openTotal>> {
  const rows = await db.$queryRaw`
    SELECT COALESCE(sum(part.count), 0) AS count, COALESCE(jsonb_agg(
      jsonb_build_object('minor', part.minor, 'currency', part.currency) ORDER BY part.minor DESC)
      FILTER (WHERE part.minor > 0), '[]') AS "atStake"
    FROM (
      SELECT count(*) AS count, sum(t."atStakeMinor") AS minor, t.currency
      FROM "Task" AS t LEFT JOIN "Order" AS o ON o.shop = t.shop AND o."orderId" = t."orderId"
      WHERE t.shop = ${shop} AND t."closedAt" IS NULL
        AND ${environment === "production" ? notOfTestOrders : Prisma.sql`TRUE`}
      GROUP BY t.currency) AS part`;
  return z.tuple([openTotal]).parse(rows)[0];
}

/** Open tasks that an order's page shows; equal ones are one card there, and are answered at once. */
export const MAX_ORDER_TASKS = 100;

/** The open tasks about an order. */
export async function listOpenTasks(shop: string, orderId: string): Promise<TaskView[]> {
  const condition = Prisma.sql`t."orderId" = ${orderId} AND t."closedAt" IS NULL`;
  return readTasks(
    shop,
    condition,
    Prisma.sql`ORDER BY t."dueOn", t."openedAt", t.id LIMIT ${MAX_ORDER_TASKS}`,
  );
}

/** @returns null: there is no such task in this shop */
export async function findTask(shop: string, id: string): Promise<TaskView | null> {
  const [task] = await readTasks(shop, Prisma.sql`t.id = ${id}`, Prisma.empty);
  return task ?? null;
}
