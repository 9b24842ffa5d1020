/** The shop's orders with their plans, as the admin lists them. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { openCustomer } from "#app/plans/ledger/sealed-customer.server.ts";
import { withinPeriod } from "#app/platform/period.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { statesByChoice } from "./order-choices.ts";
import type { PlanChoice } from "./order-choices.ts";
import type { OrderFilter } from "./order-filter.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import { inBatches, readKeyset, timeKey } from "#app/platform/keyset.ts";
import type { Keyset, TimeKey } from "#app/platform/keyset.ts";
import { unitStates } from "#app/plans/ledger/unit-states.ts";

/** A plan as pages show it. */
export const listedUnit = z.object({
  lineId: z.string(),
  unitNumber: z.int(),
  state: z.enum(unitStates),
  /** false while it is in force and to be ended */
  wanted: z.boolean(),
  contractId: z.string().nullable(),
  offerReferenceId: z.string(),
  planTitle: z.string(),
  termMonths: z.int().nullable(),
  offerPriceMinor: z.int().nullable(),
  premiumMinor: z.int(),
  currency: z.string(),
  insuredTitle: z.string().nullable(),
  insuredPriceMinor: z.int().nullable(),
  insuredCurrency: z.string().nullable(),
  touchpoint: z.string().nullable(),
  activatesOn: z.string().nullable(),
  expiresOn: z.string().nullable(),
  fulfilledAt: z.coerce.date().nullable(),
});

export type ListedUnit = z.infer<typeof listedUnit>;

const listedOrder = z.object({
  orderId: z.string(),
  name: z.string(),
  purchasedAt: z.coerce.date(),
  cancelledAt: z.coerce.date().nullable(),
  sealedCustomer: z.string().nullable(),
  environment: z.enum(["test", "production"]),
  units: z.array(listedUnit),
});
export type ListedOrder = Omit<z.infer<typeof listedOrder>, "sealedCustomer"> & { email: string | null };

/** An order with its plans is one row of one statement. */
async function readOrders(
  shop: string,
  key: DataKey,
  condition: Prisma.Sql,
  keyset: Keyset<TimeKey>,
  limit: number,
): Promise<ListedOrder[]> {
  const page = keysetClause(keyset, [
    { column: Prisma.sql`o."purchasedAt"` },
    { column: Prisma.sql`o."orderId"` },
  ]);
  const rows = await db.$queryRaw`
    SELECT o."orderId", o.name, o."purchasedAt", o."cancelledAt", o."sealedCustomer", o.environment,
      (SELECT COALESCE(jsonb_agg(to_jsonb(u) ORDER BY u."lineId", u."unitNumber"), '[]')
       FROM "InsuredUnit" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId") AS units
    FROM "Order" AS o
    WHERE o.shop = ${shop} AND ${condition} ${page}
    LIMIT ${limit}`;
  return z
    .array(listedOrder)
    .parse(rows)
    .map(({ sealedCustomer, ...order }) => ({
      ...order,
      email: sealedCustomer && openCustomer(key, order.orderId, sealedCustomer).email,
    }));
}

const keyOf = ({ purchasedAt, orderId }: ListedOrder): TimeKey => [purchasedAt, orderId];

/** One page, latest first. */
export async function listOrders(
  { shop, timezone }: Pick<Merchant, "shop" | "timezone">,
  filter: OrderFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<ListedOrder>> {
  const keyset = readKeyset(timeKey, request);
  const key = await dataKeyOf(shop);
  const rows = await readOrders(shop, key, filterSql(shop, key, timezone, filter), keyset, size + 1);
  return toListPage(rows, size, keyset, keyOf);
}

/** All that the filter lets through, latest first. */
export async function* iterateOrders(
  { shop, timezone }: Pick<Merchant, "shop" | "timezone">,
  filter: OrderFilter,
): AsyncIterable<ListedOrder> {
  const key = await dataKeyOf(shop);
  const condition = filterSql(shop, key, timezone, filter);
  yield* inBatches(500, (keyset, size) => readOrders(shop, key, condition, keyset, size), keyOf);
}

function filterSql(
  shop: string,
  key: DataKey,
  timezone: string,
  { query, plans, ...period }: OrderFilter,
): Prisma.Sql {
  const conditions = [
    ...(query === null ? [] : [searchSql(shop, key, query)]),
    ...(plans === null ? [] : [withPlansSql(plans)]),
    ...withinPeriod(Prisma.sql`o."purchasedAt"`, period, timezone),
  ];
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join(conditions, " AND ");
}

/**
 * A name with or without its `#`, an order's id, an e-mail address, a plan's id. Each is looked up by its own index; one
 * condition with OR would be tried on every order of the shop.
 */
function searchSql(shop: string, key: DataKey, query: string): Prisma.Sql {
  return Prisma.sql`o."orderId" = ANY (ARRAY(
    SELECT ${query}
    UNION ALL SELECT "orderId" FROM "Order" WHERE shop = ${shop} AND name IN (${query}, ${`#${query}`})
    UNION ALL SELECT "orderId" FROM "Order" WHERE shop = ${shop} AND "emailDigest" = ${digest(key, query)}
    UNION ALL SELECT "orderId" FROM "InsuredUnit" WHERE shop = ${shop} AND "contractId" = ${query}))`;
}

function withPlansSql(choice: PlanChoice): Prisma.Sql {
  const units = Prisma.sql`SELECT FROM "InsuredUnit" AS found WHERE found.shop = o.shop AND found."orderId" = o."orderId"`;
  if (choice === "none") return Prisma.sql`NOT EXISTS (${units})`;
  if (choice === "insured") return Prisma.sql`EXISTS (${units})`;
  return Prisma.sql`EXISTS (${units} AND found.state = ANY(${[...statesByChoice[choice]]}))`;
}
