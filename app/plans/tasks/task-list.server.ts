/** Tasks as the admin lists them. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import { inBatches, keyText, keyTime, readKeyset, timeKey } from "#app/platform/keyset.ts";
import type { Keyset, TimeKey } from "#app/platform/keyset.ts";
import { canBeKept } from "#app/plans/ledger/units.server.ts";
import { NO_DEADLINE } from "./tasks.ts";
import { taskView } from "./task-view.ts";
import type { TaskFilter, TaskView } from "./task-view.ts";

async function readTasks(shop: string, condition: Prisma.Sql, rest: Prisma.Sql): Promise<TaskView[]> {
  const rows = await db.$queryRaw`
    SELECT t.*, o.name AS "orderName", COALESCE(o.environment = 'test', false) AS "isTest",
      t.kind = 'manual_cancellation' AND EXISTS (
        SELECT FROM "InsuredUnit" AS u
        WHERE u.shop = t.shop AND u."orderId" = t."orderId" AND u."lineId" = t."lineId"
          AND u."unitNumber" = t."unitNumber" AND ${canBeKept}) AS "canBeKept"
    FROM "Task" AS t LEFT JOIN "Order" AS o ON o.shop = t.shop AND o."orderId" = t."orderId"
    WHERE t.shop = ${shop} AND ${condition} ${rest}`;
  return z.array(taskView).parse(rows);
}

function filterSql(shop: string, { state, kind, query }: TaskFilter): Prisma.Sql {
  const conditions = [
    state === "open" ? Prisma.sql`t."closedAt" IS NULL` : Prisma.sql`t."closedAt" IS NOT NULL`,
    ...(kind === null ? [] : [Prisma.sql`t.kind = ${kind}`]),
    ...(query === null ? [] : [searchSql(shop, query)]),
  ];
  return Prisma.join(conditions, " AND ");
}

/** An order's id, or its name with or without its `#`, each by its own index. */
function searchSql(shop: string, query: string): Prisma.Sql {
  return Prisma.sql`t."orderId" = ANY (ARRAY(
    SELECT ${query}
    UNION ALL SELECT "orderId" FROM "Order" WHERE shop = ${shop} AND name IN (${query}, ${`#${query}`})))`;
}

/** Legal deadline, amount (negative: the largest comes first), time, id. */
const urgencyKey = z.tuple([keyText, z.number(), keyTime, keyText]);
type UrgencyKey = z.infer<typeof urgencyKey>;

function readOpen(shop: string, filter: TaskFilter, keyset: Keyset<UrgencyKey>, limit: number) {
  const columns = [
    { column: Prisma.sql`t."dueOn"` },
    { column: Prisma.sql`-t."atStakeMinor"` },
    { column: Prisma.sql`t."openedAt"` },
    { column: Prisma.sql`t.id` },
  ] as const;
  const page = keysetClause(keyset, columns, "ASC");
  return readTasks(shop, filterSql(shop, filter), Prisma.sql`${page} LIMIT ${limit}`);
}

function readClosed(shop: string, filter: TaskFilter, keyset: Keyset<TimeKey>, limit: number) {
  const page = keysetClause(keyset, [{ column: Prisma.sql`t."openedAt"` }, { column: Prisma.sql`t.id` }]);
  return readTasks(shop, filterSql(shop, filter), Prisma.sql`${page} LIMIT ${limit}`);
}

const closedKeyOf = ({ openedAt, id }: TaskView): TimeKey => [openedAt, id];
const openKeyOf = ({ dueOn, atStakeMinor, openedAt, id }: TaskView): UrgencyKey => [
  dueOn ?? NO_DEADLINE,
  -atStakeMinor,
  openedAt,
  id,
];

/** One page: open tasks by deadline, then by what customers paid, then by age; closed ones latest first. */
export async function listTasks(
  shop: string,
  filter: TaskFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<TaskView>> {
  if (filter.state === "open") {
    const keyset = readKeyset(urgencyKey, request);
    return toListPage(await readOpen(shop, filter, keyset, size + 1), size, keyset, openKeyOf);
  }
  const keyset = readKeyset(timeKey, request);
  return toListPage(await readClosed(shop, filter, keyset, size + 1), size, keyset, closedKeyOf);
}

/** All tasks that match the filter, in the order of the list. */
export function iterateTasks(shop: string, filter: TaskFilter): AsyncIterable<TaskView> {
  return filter.state === "open"
    ? inBatches(500, (keyset, size) => readOpen(shop, filter, keyset, size), openKeyOf)
    : inBatches(500, (keyset, size) => readClosed(shop, filter, keyset, size), closedKeyOf);
}

/** The open tasks about an order. */
export async function listOpenTasks(shop: string, orderId: string): Promise<TaskView[]> {
  const condition = Prisma.sql`t."orderId" = ${orderId} AND t."closedAt" IS NULL`;
  return readTasks(shop, condition, Prisma.sql`ORDER BY t."dueOn", t."openedAt", t.id LIMIT 100`);
}

/** @returns null: there is no such task in this shop */
export async function findTask(shop: string, id: string): Promise<TaskView | null> {
  const [task] = await readTasks(shop, Prisma.sql`t.id = ${id}`, Prisma.empty);
  return task ?? null;
}
