/** Tasks as the admin lists them. */
import { z } from "zod";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { db } from "#app/platform/db.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import { inBatches, keyText, keyTime, readKeyset, timeKey } from "#app/platform/keyset.ts";
import type { Keyset, TimeKey } from "#app/platform/keyset.ts";
import { missingFields } from "#app/plans/ledger/customer.ts";
import { openCustomer } from "#app/plans/ledger/sealed-customer.server.ts";
import { canBeKept } from "#app/plans/ledger/units.server.ts";
import { kindsByGroup, NO_DEADLINE } from "./tasks.ts";
import { taskRow } from "./task-view.ts";
import type { TaskFilter, TaskView } from "./task-view.ts";

async function readTasks(shop: string, condition: Prisma.Sql, rest: Prisma.Sql): Promise<TaskView[]> {
  const rows = await db.$queryRaw`
    SELECT t.*, o.name AS "orderName",
      CASE WHEN t.kind = 'check_plan' AND t."closedAt" IS NULL THEN o."sealedCustomer" END AS "sealedCustomer", COALESCE(o.environment = 'test', false) AS "isTest",
      t.kind = 'manual_cancellation' AND EXISTS (
        SELECT FROM "InsuredUnit" AS u
        WHERE u.shop = t.shop AND u."orderId" = t."orderId" AND u."lineId" = t."lineId"
          AND u."unitNumber" = t."unitNumber" AND ${canBeKept}) AS "canBeKept"
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

/** One page: open tasks by deadline, then by what customers paid, then by age; closed ones latest first. */
export async function listTasks(
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
