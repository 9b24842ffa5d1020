/**
 * Tasks in the database, as they are listed. Those about an order's insurance are derived from its book; the others are
 * opened and closed here, once per key.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { missingFields } from "#app/orders/customer.ts";
import { openCustomer } from "#app/orders/sealed.server.ts";
import { canKeepInsured, findItem, leavesContracts } from "#app/orders/book/answers.ts";
import { type Book, readOrderBooks } from "#app/orders/book/book.server.ts";
import type { Item, Order } from "#app/orders/book/evolve.ts";
import type { OrderTaskKind } from "#app/orders/book/tasks.ts";
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
import { type ListPage, toListPage } from "#app/platform/list-page.ts";
import { type PageRequest } from "#app/platform/keyset.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import {
  deadlineOf,
  groupOpenTasks,
  kindsByGroup,
  NO_DEADLINE,
  type OpenTaskGroup,
  type TaskDetails,
  type TaskFilter,
  taskKind,
  type TaskKind,
  type TaskOutcome,
  taskRow,
  type TaskView,
} from "./tasks.ts";

/** The kinds that are not derived from an order's book. */
type OpenedKind = Exclude<TaskKind, OrderTaskKind>;

export interface NewTask<Kind extends OpenedKind> {
  shop: string;
  kind: Kind;
  details: TaskDetails<Kind>;
  orderId?: string;
  /** distinguishes tasks of one kind where the order does not */
  subjectId?: string;
}

/** Opens a task. One that is open stays as it is; one that was closed is reopened. */
export async function openTask<Kind extends OpenedKind>(
  { shop, kind, orderId, subjectId, details }: NewTask<Kind>,
  tx: Transaction = db,
): Promise<void> {
  const key = [kind, orderId, subjectId].filter((part) => part !== undefined).join(":");
  const dueOn = deadlineOf({ kind, details }, new Date());
  await tx.$executeRaw`
    INSERT INTO "Task" (id, shop, key, kind, "orderId", details, "dueOn")
    VALUES (${randomUUID()}, ${shop}, ${key}, ${kind}, ${orderId ?? null}, ${JSON.stringify(details)}::jsonb, ${dueOn})
    ON CONFLICT (shop, key) DO UPDATE SET "closedAt" = NULL, outcome = NULL, details = excluded.details,
      "openedAt" = now(), "dueOn" = excluded."dueOn"
    WHERE "Task"."closedAt" IS NOT NULL`;
}

export interface TaskSubject {
  kind: OpenedKind;
  orderId?: string;
}

/** Closes the open tasks about a subject. */
export async function closeTasks(
  shop: string,
  subject: TaskSubject,
  outcome: TaskOutcome,
  tx: Transaction = db,
): Promise<void> {
  await tx.task.updateMany({
    where: { shop, closedAt: null, ...subject },
    data: { closedAt: new Date(), outcome },
  });
}

type OpenedTask = Pick<TaskView, "id" | "outcome"> & { kind: OpenedKind };

/** Closes one task. `unknown`: there is no such task in this shop; `conflict`: it is closed already. */
export async function closeTask(
  shop: string,
  { id, kind }: Omit<OpenedTask, "outcome">,
  outcome: "done" | "dismissed",
  actor: Actor,
): Promise<"done" | "conflict" | "unknown"> {
  return db.$transaction(async (tx) => {
    const closed = await tx.task.updateMany({
      where: { shop, id, closedAt: null },
      data: { closedAt: new Date(), outcome },
    });
    if (closed.count === 0)
      return (await tx.task.count({ where: { shop, id } })) > 0 ? "conflict" : "unknown";
    await recordAudit({ shop, actor, action: "task_closed", subject: id, after: { kind, outcome } }, tx);
    return "done";
  });
}

/** Opens a task again that was closed by mistake. */
export async function reopenTask(
  shop: string,
  { id, kind, outcome }: OpenedTask,
  actor: Actor,
): Promise<"done" | "conflict" | "unknown"> {
  return db.$transaction(async (tx) => {
    const opened = await tx.task.updateMany({
      where: { shop, id, closedAt: { not: null } },
      data: { closedAt: null, outcome: null },
    });
    if (opened.count === 0) return "unknown";
    await recordAudit({ shop, actor, action: "task_reopened", subject: id, before: { kind, outcome } }, tx);
    return "done";
  });
}

/** Days before its legal deadline from which a task is urgent. */
const URGENT_DAYS = 7;

async function readTasks(shop: string, condition: Prisma.Sql, rest: Prisma.Sql): Promise<TaskView[]> {
  const rows = await db.$queryRaw`
    SELECT t.*, o.name AS "orderName",
      CASE WHEN t.kind = 'check_plan' AND t."closedAt" IS NULL THEN o."sealedCustomer" END AS "sealedCustomer", COALESCE(o.environment = 'test', false) AS "isTest",
      t."dueOn" <= to_char(now() + ${URGENT_DAYS} * interval '1 day', 'YYYY-MM-DD') AS "isUrgent"
    FROM "Task" AS t LEFT JOIN "Order" AS o ON o.shop = t.shop AND o."orderId" = t."orderId"
    WHERE t.shop = ${shop} AND ${condition} ${rest}`;
  const parsed = z.array(taskRow).parse(rows);
  const key = parsed.some(({ sealedCustomer }) => sealedCustomer !== null) ? await dataKeyOf(shop) : null;
  const factsOf = await readContractFacts(shop, parsed);
  return parsed.map(({ sealedCustomer, ...task }) => ({
    ...task,
    ...factsOf({ ...task, sealedCustomer }),
    missingDetails:
      sealedCustomer === null || key === null
        ? []
        : missingFields(openCustomer(key, task.orderId ?? "", sealedCustomer), false),
  }));
}

/** The kinds whose page says what becomes of a contract beside the order's others. */
const contractKinds: readonly TaskKind[] = [
  "manual_cancellation",
  "product_returned",
  "paid_back",
  "withdrawal",
];

type ParsedTask = z.infer<typeof taskRow>;

/** What the books say of the contracts of these tasks. */
async function readContractFacts(
  shop: string,
  tasks: readonly ParsedTask[],
): Promise<(task: ParsedTask) => Pick<TaskView, "canKeepInsured" | "othersContinue">> {
  const asked = tasks.filter(({ kind, closedAt }) => contractKinds.includes(kind) && closedAt === null);
  const orderIds = new Set(asked.flatMap(({ orderId }) => orderId ?? []));
  const books = orderIds.size === 0 ? new Map<string, Book>() : await readOrderBooks(shop, [...orderIds]);
  return (task) => {
    const { kind, orderId, lineId, itemNumber } = task;
    const order = contractKinds.includes(kind) ? books.get(orderId ?? "")?.order : undefined;
    if (order === undefined) return { canKeepInsured: false, othersContinue: false };
    if (kind === "manual_cancellation") {
      const item = findItem(order, { lineId: lineId ?? "", number: itemNumber ?? 0 });
      return {
        canKeepInsured: item !== undefined && canKeepInsured(order, item),
        othersContinue: false,
      };
    }
    return { canKeepInsured: false, othersContinue: leavesContracts(order, endedItems(order, task)) };
  };
}

/** The items whose insurance ends by the task's answer. */
function endedItems(order: Order, { kind, details }: ParsedTask): readonly Item[] {
  if (kind === "paid_back") return order.items;
  if (kind === "withdrawal")
    return order.items.filter(({ withdrawal }) => withdrawal?.at.toISOString() === details.declaredAt);
  if (kind !== "product_returned") return [];
  const items = details.plans.flatMap(
    ({ lineId, itemNumber }) => findItem(order, { lineId, number: itemNumber }) ?? [],
  );
  // Which of several is not known yet; they are alike.
  return items.slice(0, details.surplus);
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

const openGroups = z.array(
  z.object({
    kind: taskKind,
    currency: z.string().nullable(),
    count: z.coerce.number(),
    minor: z.coerce.number(),
    dueOn: z.string(),
    orderId: z.string().nullable(),
    orderName: z.string().nullable(),
  }),
);

/** The open tasks by kind, those of test orders apart once the shop uses the account for production. */
export async function listOpenTaskGroups({ shop, environment }: ListMerchant): Promise<OpenTaskGroup[]> {
  const rows = await db.$queryRaw`
    SELECT t.kind, t.currency, count(*) AS count, sum(t."atStakeMinor") AS minor, min(t."dueOn") AS "dueOn",
      min(t."orderId") AS "orderId", min(o.name) AS "orderName"
    FROM "Task" AS t LEFT JOIN "Order" AS o ON o.shop = t.shop AND o."orderId" = t."orderId"
    WHERE t.shop = ${shop} AND t."closedAt" IS NULL
      AND ${environment === "production" ? notOfTestOrders : Prisma.sql`TRUE`}
    GROUP BY t.kind, t.currency`;
  return groupOpenTasks(openGroups.parse(rows));
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
