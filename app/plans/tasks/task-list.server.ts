/** Tasks as the admin lists them. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import { inBatches, readKeyset, timeKey } from "#app/platform/keyset.ts";
import type { Keyset, TimeKey } from "#app/platform/keyset.ts";
import { taskView } from "./task-view.ts";
import type { TaskFilter, TaskView } from "./task-view.ts";

async function readTasks(shop: string, condition: Prisma.Sql, rest: Prisma.Sql): Promise<TaskView[]> {
  const rows = await db.$queryRaw`
    SELECT t.*, o.name AS "orderName"
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

async function readPage(
  shop: string,
  filter: TaskFilter,
  keyset: Keyset<TimeKey>,
  limit: number,
): Promise<TaskView[]> {
  const page = keysetClause(keyset, [{ column: Prisma.sql`t."openedAt"` }, { column: Prisma.sql`t.id` }]);
  return readTasks(shop, filterSql(shop, filter), Prisma.sql`${page} LIMIT ${limit}`);
}

const keyOf = ({ openedAt, id }: TaskView): TimeKey => [openedAt, id];

/** One page, latest first. */
export async function listTasks(
  shop: string,
  filter: TaskFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<TaskView>> {
  const keyset = readKeyset(timeKey, request);
  return toListPage(await readPage(shop, filter, keyset, size + 1), size, keyset, keyOf);
}

/** All tasks that match the filter, latest first. */
export function iterateTasks(shop: string, filter: TaskFilter): AsyncIterable<TaskView> {
  return inBatches(500, (keyset, size) => readPage(shop, filter, keyset, size), keyOf);
}

/** The open tasks about an order. */
export async function listOpenTasks(shop: string, orderId: string): Promise<TaskView[]> {
  const condition = Prisma.sql`t."orderId" = ${orderId} AND t."closedAt" IS NULL`;
  return readTasks(shop, condition, Prisma.sql`ORDER BY t."openedAt", t.id LIMIT 100`);
}

/** @returns null: there is no such task in this shop */
export async function findTask(shop: string, id: string): Promise<TaskView | null> {
  const [task] = await readTasks(shop, Prisma.sql`t.id = ${id}`, Prisma.empty);
  return task ?? null;
}
