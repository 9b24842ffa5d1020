/**
 * The organisation's sales and commissions in the database. The import writes them with the results of the commission
 * rules (commission-rules.ts). Pages read totals and single pages of rows, exports read all rows.
 */
import { z } from "zod";
import type { Commission, Sale } from "#app/insurance/analytics.ts";
import { dayIn } from "#app/platform/day.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import { inBatches, type Keyset, readKeyset, textKey, type TextKey } from "#app/platform/keyset.ts";
import { type ListPage, toListPage } from "#app/platform/list-page.ts";
import { type PageRequest } from "#app/platform/keyset.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { commissionEffect, saleCommission } from "./commission-rules.ts";
import type { OrganisationFilter } from "./filter.ts";

/** An SQL condition: the rows of one shop's organisation that match the filter. */
function filterCondition(shop: string, organisation: string, filter: OrganisationFilter): Prisma.Sql {
  const { start, end, stores, billing } = filter;
  const conditions = [
    Prisma.sql`shop = ${shop}`,
    Prisma.sql`organisation = ${organisation}`,
    ...(start === null ? [] : [Prisma.sql`date >= ${start}`]),
    ...(end === null ? [] : [Prisma.sql`date <= ${end}`]),
    ...(stores.length === 0 ? [] : [Prisma.sql`"storeId" = ANY(${stores})`]),
    ...(billing === null ? [] : [Prisma.sql`monthly = ${billing === "monthly"}`]),
  ];
  return Prisma.join(conditions, " AND ");
}

const pointOfSale = z.object({ storeId: z.string(), store: z.string(), storeExternalId: z.string() });

/**
 * The organisation's points of sale, each with the name in its latest sale. The statement skips through the index
 * from one to the next, so the number of their sales does not matter.
 */
export async function pointsOfSale(
  shop: string,
  organisation: string,
): Promise<z.infer<typeof pointOfSale>[]> {
  const storeRows = await db.$queryRaw`
    WITH RECURSIVE point ("storeId") AS (
      SELECT min("storeId") FROM "OrganisationSale" WHERE shop = ${shop} AND organisation = ${organisation}
      UNION ALL
      SELECT (SELECT min("storeId") FROM "OrganisationSale"
              WHERE shop = ${shop} AND organisation = ${organisation} AND "storeId" > point."storeId")
      FROM point WHERE point."storeId" IS NOT NULL
    )
    SELECT point."storeId", latest.store, latest."storeExternalId"
    FROM point CROSS JOIN LATERAL (
      SELECT store, "storeExternalId" FROM "OrganisationSale"
      WHERE shop = ${shop} AND organisation = ${organisation} AND "storeId" = point."storeId"
      ORDER BY date DESC, "saleId" DESC LIMIT 1
    ) AS latest
    ORDER BY store, "storeId"`;
  return z.array(pointOfSale).parse(storeRows);
}

interface Overview<Figures> {
  total: Figures;
  /** by month, `YYYY-MM`, oldest first */
  months: (Figures & { month: string })[];
  /** by point of sale */
  stores: (Figures & { storeId: string; store: string })[];
}

const groups = z.array(
  z.looseObject({ month: z.string().nullable(), storeId: z.string().nullable(), store: z.string() }),
);

/** @param rows of `GROUPING SETS ((), (month), ("storeId"))`: the total, each month and each point of sale */
function overviewOf<Figures>(figures: z.ZodType<Figures>, rows: unknown): Overview<Figures> {
  const read = groups.parse(rows);
  return {
    total: figures.parse(read.find(({ month, storeId }) => month === null && storeId === null)),
    months: read.flatMap((row) => (row.month === null ? [] : [{ month: row.month, ...figures.parse(row) }])),
    stores: read.flatMap((row) =>
      row.storeId === null ? [] : [{ storeId: row.storeId, store: row.store, ...figures.parse(row) }],
    ),
  };
}

const salesFigures = z.object({
  sales: z.coerce.number(),
  cancelled: z.coerce.number(),
  /** contract prices, in the stores' currency */
  priceMinor: z.coerce.number(),
  /** paid once */
  frontMinor: z.coerce.number(),
  /** current monthly commissions of active contracts */
  airNowMinor: z.coerce.number(),
  /** future monthly commissions of active contracts whose advance covers the first year */
  airLaterMinor: z.coerce.number(),
  /** annual sales with AIR, against the rules: no figure includes their AIR */
  contradictions: z.coerce.number(),
});
export type SalesOverview = Overview<z.infer<typeof salesFigures>>;

/** A status other than active may have no cancellation date, for example an expired contract. */
const isActive = Prisma.sql`("cancelledOn" IS NULL AND status = 'active')`;

/** @param today `YYYY-MM-DD`, decides which AIR is current */
export async function salesOverview(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
  today: string,
): Promise<SalesOverview> {
  const figureRows = await db.$queryRaw`
    WITH part AS (
      SELECT substr(date, 1, 7) AS month, "storeId", max(store COLLATE "C") AS store,
        count(*) AS sales,
        count("cancelledOn") AS cancelled,
        sum("priceMinor") AS price,
        sum("frontMinor") AS front,
        sum("airMinor") FILTER (WHERE ${isActive} AND "airFrom" <= ${today}) AS "airNow",
        sum("airMinor") FILTER (WHERE ${isActive} AND "airFrom" > ${today}) AS "airLater",
        count(*) FILTER (WHERE "isContradiction") AS contradictions
      FROM "OrganisationSale" WHERE ${filterCondition(shop, organisation, filter)}
      GROUP BY 1, 2
    )
    SELECT month, "storeId", coalesce(max(store), '') AS store,
      coalesce(sum(sales), 0) AS sales,
      coalesce(sum(cancelled), 0) AS cancelled,
      coalesce(sum(price), 0) AS "priceMinor",
      coalesce(sum(front), 0) AS "frontMinor",
      coalesce(sum("airNow"), 0) AS "airNowMinor",
      coalesce(sum("airLater"), 0) AS "airLaterMinor",
      coalesce(sum(contradictions), 0) AS contradictions
    FROM part
    GROUP BY GROUPING SETS ((), (month), ("storeId"))
    ORDER BY month, sales DESC, store`;
  return overviewOf(salesFigures, figureRows);
}

const sellerRows = z.array(
  z.object({
    seller: z.string(),
    sales: z.coerce.number(),
    priceMinor: z.coerce.number(),
    frontMinor: z.coerce.number(),
  }),
);
export type SellerFigures = z.infer<typeof sellerRows>[number];
const MAX_SELLERS = 20;

/** The sellers with the most sales. */
export async function salesBySeller(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
): Promise<SellerFigures[]> {
  const rows = await db.$queryRaw`
    SELECT seller, count(*) AS sales, sum("priceMinor") AS "priceMinor", coalesce(sum("frontMinor"), 0) AS "frontMinor"
    FROM "OrganisationSale" WHERE ${filterCondition(shop, organisation, filter)} AND seller <> ''
    GROUP BY seller ORDER BY sales DESC, seller LIMIT ${MAX_SELLERS}`;
  return sellerRows.parse(rows);
}

export const saleRow = z.object({
  saleId: z.string(),
  date: z.string(),
  status: z.string(),
  cancelledOn: z.string().nullable(),
  monthly: z.boolean(),
  store: z.string(),
  storeId: z.string(),
  storeExternalId: z.string(),
  productReferenceId: z.string(),
  category: z.string(),
  seller: z.string(),
  priceMinor: z.int(),
  frontMinor: z.int().nullable(),
  airMinor: z.int().nullable(),
  airFrom: z.string().nullable(),
});
export type SaleRow = z.infer<typeof saleRow>;

const saleKey = ({ date, saleId }: SaleRow): TextKey => [date, saleId];

async function readSales(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
  keyset: Keyset<TextKey>,
  limit: number,
): Promise<SaleRow[]> {
  const page = keysetClause(keyset, [{ column: Prisma.sql`date` }, { column: Prisma.sql`"saleId"` }]);
  const rows = await db.$queryRaw`
    SELECT * FROM "OrganisationSale"
    WHERE ${filterCondition(shop, organisation, filter)} ${page}
    LIMIT ${limit}`;
  return z.array(saleRow).parse(rows);
}

/** One page, latest first. */
export async function listSales(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<SaleRow>> {
  const keyset = readKeyset(textKey, request);
  const rows = await readSales(shop, organisation, filter, keyset, size + 1);
  return toListPage(rows, size, keyset, saleKey);
}

/** All matching rows, latest first. */
export function allSales(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
): AsyncIterable<SaleRow> {
  return inBatches(1_000, (keyset, size) => readSales(shop, organisation, filter, keyset, size), saleKey);
}

const commissionFigures = z.object({
  commissions: z.coerce.number(),
  /** euro cents, after refunds */
  frontMinor: z.coerce.number(),
  airMinor: z.coerce.number(),
  /** the refunds in this amount (positive) */
  frontRefundedMinor: z.coerce.number(),
  airRefundedMinor: z.coerce.number(),
  /** AIR on an annual contract, against the rules: no figure includes it */
  contradictions: z.coerce.number(),
});
export type CommissionsOverview = Overview<z.infer<typeof commissionFigures>>;

export async function commissionsOverview(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
): Promise<CommissionsOverview> {
  const figureRows = await db.$queryRaw`
    WITH part AS (
      SELECT substr(date, 1, 7) AS month, "storeId", max(store COLLATE "C") AS store, "billingType" = 'refunded' AS refunded,
        count(*) FILTER (WHERE "effectMinor" IS NOT NULL) AS commissions,
        sum("effectMinor") FILTER (WHERE type = 'front') AS front,
        sum("effectMinor") FILTER (WHERE type = 'air') AS air,
        count(*) FILTER (WHERE "effectMinor" IS NULL) AS contradictions
      FROM "OrganisationCommission" WHERE ${filterCondition(shop, organisation, filter)}
      GROUP BY 1, 2, 4
    )
    SELECT month, "storeId", coalesce(max(store), '') AS store,
      coalesce(sum(commissions), 0) AS commissions,
      coalesce(sum(front), 0) AS "frontMinor",
      coalesce(sum(air), 0) AS "airMinor",
      coalesce(-sum(front) FILTER (WHERE refunded), 0) AS "frontRefundedMinor",
      coalesce(-sum(air) FILTER (WHERE refunded), 0) AS "airRefundedMinor",
      coalesce(sum(contradictions), 0) AS contradictions
    FROM part
    GROUP BY GROUPING SETS ((), (month), ("storeId"))
    ORDER BY month, coalesce(sum(front), 0) + coalesce(sum(air), 0) DESC, store`;
  return overviewOf(commissionFigures, figureRows);
}

export const commissionRow = z.object({
  commissionId: z.string(),
  date: z.string(),
  store: z.string(),
  storeId: z.string(),
  storeExternalId: z.string(),
  saleId: z.string(),
  monthly: z.boolean(),
  billingType: z.string(),
  type: z.enum(["front", "air"]),
  amountMinor: z.int(),
  priceMinor: z.int(),
});
export type CommissionRow = z.infer<typeof commissionRow>;

const commissionKey = ({ date, commissionId }: CommissionRow): TextKey => [date, commissionId];

async function readCommissions(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
  keyset: Keyset<TextKey>,
  limit: number,
): Promise<CommissionRow[]> {
  const page = keysetClause(keyset, [{ column: Prisma.sql`date` }, { column: Prisma.sql`"commissionId"` }]);
  const rows = await db.$queryRaw`
    SELECT * FROM "OrganisationCommission"
    WHERE ${filterCondition(shop, organisation, filter)} ${page}
    LIMIT ${limit}`;
  return z.array(commissionRow).parse(rows);
}

/** One page, latest first. */
export async function listCommissions(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<CommissionRow>> {
  const keyset = readKeyset(textKey, request);
  const rows = await readCommissions(shop, organisation, filter, keyset, size + 1);
  return toListPage(rows, size, keyset, commissionKey);
}

/** All matching rows, latest first. */
export function allCommissions(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
): AsyncIterable<CommissionRow> {
  const read = (keyset: Keyset<TextKey>, size: number) =>
    readCommissions(shop, organisation, filter, keyset, size);
  return inBatches(1_000, read, commissionKey);
}

// The import's writes: one page of the insurer in one statement. An existing row gets the new values.

/** The owner of the written rows. */
export interface ImportTarget {
  shop: string;
  organisation: string;
  timezone: string;
}

/** Removes repeated ids, because one statement cannot write a row twice. The last one counts. */
function onePerId<T extends { id: string }>(items: T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** @returns the number of written rows */
export async function writeSales(
  tx: Transaction,
  { shop, organisation, timezone }: ImportTarget,
  sales: Sale[],
): Promise<number> {
  const rows = onePerId(sales).map((sale) => toSaleRow(timezone, sale));
  return tx.$executeRaw`
    INSERT INTO "OrganisationSale"
      (shop, organisation, "saleId", date, status, "cancelledOn", monthly, store, "storeId", "storeExternalId",
       "productReferenceId", category, seller, "priceMinor", "frontMinor", "airMinor", "airFrom", "isContradiction")
    SELECT ${shop}, ${organisation}, row.*
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row
      ("saleId" text, date text, status text, "cancelledOn" text, monthly boolean, store text, "storeId" text,
       "storeExternalId" text, "productReferenceId" text, category text, seller text, "priceMinor" int,
       "frontMinor" int, "airMinor" int, "airFrom" text, "isContradiction" boolean)
    ON CONFLICT (shop, organisation, "saleId") DO UPDATE SET
      date = excluded.date, status = excluded.status, "cancelledOn" = excluded."cancelledOn",
      monthly = excluded.monthly, store = excluded.store, "storeId" = excluded."storeId",
      "storeExternalId" = excluded."storeExternalId", "productReferenceId" = excluded."productReferenceId",
      category = excluded.category, seller = excluded.seller, "priceMinor" = excluded."priceMinor",
      "frontMinor" = excluded."frontMinor", "airMinor" = excluded."airMinor", "airFrom" = excluded."airFrom",
      "isContradiction" = excluded."isContradiction"`;
}

function toSaleRow(timezone: string, sale: Sale) {
  const date = dayIn(timezone, sale.date);
  const amounts = { monthly: sale.monthly, frontMinor: sale.frontMinor, airMinor: sale.airMinor };
  return {
    saleId: sale.id,
    date,
    status: sale.status,
    cancelledOn: sale.cancellationDate === null ? null : dayIn(timezone, sale.cancellationDate),
    store: sale.store,
    storeId: sale.storeId,
    storeExternalId: sale.storeExternalId,
    productReferenceId: sale.productReferenceId,
    category: sale.category,
    seller: sale.seller,
    priceMinor: sale.priceMinor,
    ...amounts,
    ...saleCommission({ date, ...amounts }),
  };
}

/** @returns the number of written rows */
export async function writeCommissions(
  tx: Transaction,
  { shop, organisation, timezone }: ImportTarget,
  commissions: Commission[],
): Promise<number> {
  const rows = onePerId(commissions).map((commission) => toCommissionRow(timezone, commission));
  return tx.$executeRaw`
    INSERT INTO "OrganisationCommission"
      (shop, organisation, "commissionId", date, store, "storeId", "storeExternalId", "saleId", monthly,
       "billingType", type, "amountMinor", "priceMinor", "effectMinor")
    SELECT ${shop}, ${organisation}, row.*
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row
      ("commissionId" text, date text, store text, "storeId" text, "storeExternalId" text, "saleId" text,
       monthly boolean, "billingType" text, type text, "amountMinor" int, "priceMinor" int, "effectMinor" int)
    ON CONFLICT (shop, organisation, "commissionId") DO UPDATE SET
      date = excluded.date, store = excluded.store, "storeId" = excluded."storeId",
      "storeExternalId" = excluded."storeExternalId", "saleId" = excluded."saleId", monthly = excluded.monthly,
      "changedAt" = CASE WHEN "OrganisationCommission"."effectMinor" IS DISTINCT FROM excluded."effectMinor"
        THEN now() ELSE "OrganisationCommission"."changedAt" END,
      "billingType" = excluded."billingType", type = excluded.type, "amountMinor" = excluded."amountMinor",
      "priceMinor" = excluded."priceMinor", "effectMinor" = excluded."effectMinor"`;
}

function toCommissionRow(timezone: string, commission: Commission) {
  const { monthly, type, billingType, amountMinor } = commission;
  return {
    commissionId: commission.id,
    date: dayIn(timezone, commission.date),
    store: commission.store,
    storeId: commission.storeId,
    storeExternalId: commission.storeExternalId,
    saleId: commission.planSaleId,
    monthly,
    billingType,
    type,
    amountMinor,
    priceMinor: commission.priceMinor,
    effectMinor: commissionEffect({ monthly, billingType, type, amountMinor }),
  };
}
