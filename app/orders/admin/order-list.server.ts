/** The statements of the pages and files of orders: the list with its plans, the statement of premiums, one order's possibilities. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { type ListPage, toListPage } from "#app/platform/list-page.ts";
import { type PageRequest } from "#app/platform/keyset.ts";
import { type DataKey, dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { readCustomerSearch } from "#app/orders/customer-search.ts";
import { openCustomer } from "#app/orders/sealed.server.ts";
import { keysetClause, withinPeriod } from "#app/platform/keyset.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { OPENED_ORDERS, type PlanChoice, statesByChoice } from "./order-choices.ts";
import { type OrderFilter } from "./order-forms.ts";
import { inBatches, type Keyset, keyText, readKeyset, timeKey, type TimeKey } from "#app/platform/keyset.ts";
import { readOrderBooks } from "#app/orders/book/book.server.ts";
import { itemStates } from "#app/orders/book/item-states.ts";
import { shopModes, shopModesColumn } from "#app/merchants/merchant.server.ts";
import { permissionModesOf } from "#app/merchants/optional-scopes.server.ts";
import { searchOrders } from "#app/shopify/order-search.server.ts";
import { type Statement, statementsOf } from "#app/orders/statement.ts";

/** A plan as pages show it. */
export const listedItem = z.object({
  lineId: z.string(),
  itemNumber: z.int(),
  state: z.enum(itemStates),
  /** false while it is in force and to be ended */
  wanted: z.boolean(),
  contractId: z.string().nullable(),
  offerReferenceId: z.string(),
  planTitle: z.string(),
  termMonths: z.int().nullable(),
  offerPriceMinor: z.int(),
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

export type ListedItem = z.infer<typeof listedItem>;

/** A product of the order. */
const listedLine = z.object({ title: z.string(), quantity: z.int() });

const listedOrder = z.object({
  orderId: z.string(),
  name: z.string(),
  purchasedAt: z.coerce.date(),
  cancelledAt: z.coerce.date().nullable(),
  sealedCustomer: z.string().nullable(),
  environment: z.enum(["test", "production"]),
  premiumMinor: z.int(),
  lines: z.array(listedLine),
  items: z.array(listedItem),
});
export type ListedOrder = Omit<z.infer<typeof listedOrder>, "sealedCustomer"> & { email: string | null };

/** An order with its plans is one row of one statement. */
async function readOrders(
  shop: string,
  key: DataKey,
  condition: Prisma.Sql,
  page: Prisma.Sql,
  limit: number,
): Promise<ListedOrder[]> {
  const rows = await db.$queryRaw`
    SELECT o."orderId", o.name, o."purchasedAt", o."cancelledAt", o."sealedCustomer", o.environment, o."premiumMinor",
      (SELECT COALESCE(jsonb_agg(jsonb_build_object('title', line.title, 'quantity', line.quantity)
         ORDER BY line."lineId"), '[]')
       FROM "OrderLine" AS line WHERE line.shop = o.shop AND line."orderId" = o."orderId") AS lines,
      (SELECT COALESCE(jsonb_agg(to_jsonb(u) ORDER BY u."lineId", u."itemNumber"), '[]')
       FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId") AS items
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

const orderId = { column: Prisma.sql`o."orderId"` };
const byTime = [{ column: Prisma.sql`o."purchasedAt"` }, orderId] as const;
const byPremium = [{ column: Prisma.sql`o."premiumMinor"` }, orderId] as const;
const timeKeyOf = ({ purchasedAt, orderId }: ListedOrder): TimeKey => [purchasedAt, orderId];
const premiumKey = z.tuple([z.int(), keyText]);
const premiumKeyOf = (order: ListedOrder): z.infer<typeof premiumKey> => [order.premiumMinor, order.orderId];

type ListMerchant = Pick<Merchant, "shop" | "timezone" | "environment">;

/** One page, latest first, or as the filter sorts it. */
export async function listOrders(
  merchant: ListMerchant,
  filter: OrderFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<ListedOrder> & { searched: CustomersSearched | null }> {
  const { shop } = merchant;
  const key = await dataKeyOf(shop);
  const { orderIds, searched } = await findByCustomer(shop, key, filter.query);
  const condition = filterSql(merchant, key, filter, orderIds);
  const read = (page: Prisma.Sql) => readOrders(shop, key, condition, page, size + 1);
  if (filter.sort === "highest" || filter.sort === "lowest") {
    const keyset = readKeyset(premiumKey, request);
    const page = keysetClause(keyset, byPremium, filter.sort === "lowest" ? "ASC" : "DESC");
    return { ...toListPage(await read(page), size, keyset, premiumKeyOf), searched };
  }
  const keyset = readKeyset(timeKey, request);
  const page = keysetClause(keyset, byTime, filter.sort === "oldest" ? "ASC" : "DESC");
  return { ...toListPage(await read(page), size, keyset, timeKeyOf), searched };
}

/** All that the filter lets through, latest first. */
export async function* iterateOrders(
  merchant: ListMerchant,
  filter: OrderFilter,
): AsyncIterable<ListedOrder> {
  const { shop } = merchant;
  const key = await dataKeyOf(shop);
  const { orderIds } = await findByCustomer(shop, key, filter.query);
  const condition = filterSql(merchant, key, filter, orderIds);
  const read = (keyset: Keyset<TimeKey>, size: number) =>
    readOrders(shop, key, condition, keysetClause(keyset, byTime), size);
  yield* inBatches(500, read, timeKeyOf);
}

/** Where a customer's name, a part of an e-mail address or a telephone number was searched. */
export type CustomersSearched =
  /** in all orders */
  | "all"
  /** in the newest orders, and in those that Shopify's search looks at */
  | "newest_and_shopify"
  /** in the newest orders alone: Shopify does not answer */
  | "newest";

interface FoundCustomers {
  orderIds: string[];
  /** null: the query names no customer */
  searched: CustomersSearched | null;
}

/** The orders of customers who match a query. Shopify searches for those beyond the newest ones; each is checked here. */
async function findByCustomer(shop: string, key: DataKey, query: string | null): Promise<FoundCustomers> {
  const search = readCustomerSearch(query);
  if (search === null) return { orderIds: [], searched: null };
  const select = { orderId: true, sealedCustomer: true } as const;
  const newest = await db.order.findMany({
    where: { shop, sealedCustomer: { not: null } },
    orderBy: { purchasedAt: "desc" },
    take: OPENED_ORDERS,
    select,
  });
  const matching = (orders: typeof newest) =>
    orders
      .filter(
        ({ orderId, sealedCustomer }) =>
          sealedCustomer !== null && search.matches(openCustomer(key, orderId, sealedCustomer)),
      )
      .map(({ orderId }) => orderId);
  if (newest.length < OPENED_ORDERS) return { orderIds: matching(newest), searched: "all" };
  const inShopify = await searchOrders(shop, search.words);
  const others = await db.order.findMany({
    where: { shop, orderId: { in: inShopify ?? [] }, sealedCustomer: { not: null } },
    select,
  });
  return {
    orderIds: [...new Set([...matching(newest), ...matching(others)])],
    searched: inShopify === null ? "newest" : "newest_and_shopify",
  };
}

function filterSql(
  { shop, timezone, environment }: ListMerchant,
  key: DataKey,
  { query, plans, tests, ...period }: OrderFilter,
  ofCustomers: readonly string[],
): Prisma.Sql {
  // What is searched for is found, whichever account it belongs to.
  const hidesTests = environment === "production" && tests === null && query === null;
  const conditions = [
    ...(hidesTests ? [Prisma.sql`o.environment = 'production'`] : []),
    ...(query === null ? [] : [searchSql(shop, key, query, ofCustomers)]),
    ...(plans === null ? [] : [withPlansSql(plans)]),
    ...withinPeriod(Prisma.sql`o."purchasedAt"`, period, timezone),
  ];
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join(conditions, " AND ");
}

/**
 * A name with or without its `#`, an order's id, an e-mail address, a plan's id, or what was found of its customer. Each is looked up by its own index; one
 * condition with OR would be tried on every order of the shop.
 */
function searchSql(shop: string, key: DataKey, query: string, ofCustomers: readonly string[]): Prisma.Sql {
  return Prisma.sql`o."orderId" = ANY (ARRAY(
    SELECT ${query}
    UNION ALL SELECT unnest(${[...ofCustomers]}::text[])
    UNION ALL SELECT "orderId" FROM "Order" WHERE shop = ${shop} AND name IN (${query}, ${`#${query}`})
    UNION ALL SELECT "orderId" FROM "Order" WHERE shop = ${shop} AND "emailDigest" = ${digest(key, query)}
    UNION ALL SELECT "orderId" FROM "InsuredItem" WHERE shop = ${shop} AND "contractId" = ${query}))`;
}

function withPlansSql(choice: PlanChoice): Prisma.Sql {
  const items = Prisma.sql`SELECT FROM "InsuredItem" AS found WHERE found.shop = o.shop AND found."orderId" = o."orderId"`;
  if (choice === "none") return Prisma.sql`NOT EXISTS (${items})`;
  return Prisma.sql`EXISTS (${items} AND found.state = ANY(${[...statesByChoice[choice]]}))`;
}

// What became of the premiums.

const statementRows = z.array(
  z.object({
    orderId: z.string(),
    name: z.string(),
    purchasedAt: z.coerce.date(),
    cancelledAt: z.coerce.date().nullable(),
  }),
);

export type OrderStatements = z.infer<typeof statementRows>[number] & { statements: Statement[] };

async function readStatements(
  shop: string,
  condition: Prisma.Sql,
  page: Prisma.Sql,
): Promise<OrderStatements[]> {
  const rows = await db.$queryRaw`
    SELECT o."orderId", o.name, o."purchasedAt", o."cancelledAt"
    FROM "Order" AS o
    WHERE o.shop = ${shop} AND ${condition}
      AND EXISTS (SELECT FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId")
    ${page}`;
  const orders = statementRows.parse(rows);
  const orderIds = orders.map(({ orderId }) => orderId);
  const books = await readOrderBooks(shop, orderIds);
  const now = new Date();
  return orders.map((order) => {
    const book = books.get(order.orderId);
    return { ...order, statements: book ? statementsOf(book.order, now) : [] };
  });
}

/** The orders of a period with insurance, with what became of their premiums, latest first. */
export function iterateStatements(
  { shop, timezone, environment }: ListMerchant,
  { start, end }: Pick<OrderFilter, "start" | "end">,
): AsyncIterable<OrderStatements> {
  const conditions = [
    Prisma.sql`o.environment = ${environment}`,
    ...withinPeriod(Prisma.sql`o."purchasedAt"`, { start, end }, timezone),
  ];
  const read = (keyset: Keyset<TimeKey>, size: number) =>
    readStatements(
      shop,
      Prisma.join(conditions, " AND "),
      Prisma.sql`${keysetClause(keyset, byTime)} LIMIT ${size}`,
    );
  return inBatches(200, read, ({ purchasedAt, orderId }): TimeKey => [purchasedAt, orderId]);
}

// One order.

const quoteContract = z
  .object({
    contractId: z.string(),
    quoteId: z.string(),
    productTitle: z.string(),
    priceMinor: z.int(),
    currency: z.string(),
    /** null: it was not in force yet when it was found */
    soldTitle: z.string().nullable(),
    /** its last day, `YYYY-MM-DD` */
    soldUntil: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .transform(({ reason, ...contract }) => ({ ...contract, isCancelled: reason === "contract_cancelled" }));
/** A contract that the customer made from a quote of the order. */
export type QuoteContract = z.infer<typeof quoteContract>;

const standing = z.array(
  z.object({
    modes: shopModes.nullable(),
    isConnected: z.boolean(),
    isPaused: z.boolean(),
    quoteContracts: z.array(quoteContract),
  }),
);

/**
 * Whether the lines of contracts are fulfilled in the shop, whether the order's account at the insurer can be used, and
 * the order's contracts that came from quotes.
 */
export async function readOrderStanding(shop: string, orderId: string) {
  const rows = await db.$queryRaw`
    SELECT ${shopModesColumn} AS modes,
      EXISTS (SELECT FROM "Connection" AS c WHERE c.shop = o.shop AND c.environment = o.environment) AS "isConnected",
      EXISTS (SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment) AS "isPaused",
      (SELECT COALESCE(jsonb_agg(to_jsonb(l) ORDER BY l."lineId", l."itemNumber"), '[]') FROM "OrderQuote" AS l
       WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.state = 'sold' AND l."contractId" IS NOT NULL)
        AS "quoteContracts"
    FROM "Order" AS o JOIN "Merchant" AS m ON m.shop = o.shop WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  const [row] = standing.parse(rows);
  const { fulfilment } = permissionModesOf(row?.modes ?? null).modes;
  return {
    fulfilment,
    /** Shopify lets the app refund orders */
    canRefund: row?.modes?.canWriteOrders === true,
    isConnected: row?.isConnected === true,
    isPaused: row?.isPaused === true,
    quoteContracts: row?.quoteContracts ?? [],
  };
}

/** The id of an order that has had a contract; null: there is none. */
export async function findInsuredOrder(shop: string): Promise<string | null> {
  const where = { shop, contractId: { not: null } };
  return (await db.insuredItem.findFirst({ where, select: { orderId: true } }))?.orderId ?? null;
}
