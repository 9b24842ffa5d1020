/**
 * The organisation's sales: totals by the document's rules, rows by page, and all rows one after another.
 */
import { z } from "zod";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { db } from "#app/platform/db.server.ts";
import { inBatches } from "#app/platform/keyset.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { lastDayOfYearBefore } from "./commission-rules.ts";
import { cursorOf, fromCursor, rowsOf } from "./filter.server.ts";
import type { OrganisationFilter } from "./filter.ts";

const figures = z.object({
  sales: z.coerce.number(),
  cancelled: z.coerce.number(),
  /** contract prices, in the stores' currency */
  priceCents: z.coerce.number(),
  /** paid once */
  frontCents: z.coerce.number(),
  /** paid each month now, by contracts that are active */
  airNowCents: z.coerce.number(),
  /** will be paid each month by active contracts whose first year is covered by an advance */
  airLaterCents: z.coerce.number(),
  /** annual sales with AIR, which the rules exclude: their AIR is in no figure */
  contradictions: z.coerce.number(),
});
export type SalesFigures = z.infer<typeof figures>;

const overviewRows = z.array(
  figures.extend({ month: z.string().nullable(), storeId: z.string().nullable(), store: z.string() }),
);

export interface SalesOverview {
  total: SalesFigures;
  /** by month, `YYYY-MM`, oldest first */
  months: (SalesFigures & { month: string })[];
  /** by point of sale, by name */
  stores: (SalesFigures & { storeId: string; store: string })[];
}

/**
 * Adds up in the database, each row once. The rules are those of commission-rules.ts (`saleCommission`), in SQL.
 * @param today `YYYY-MM-DD`, decides whose first year is over
 */
export async function salesOverview(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
  today: string,
): Promise<SalesOverview> {
  // AIR begins at the sale, or a year later where an advance was paid.
  const lastWithAir = Prisma.sql`CASE WHEN "frontCents" IS NULL THEN ${today} ELSE ${lastDayOfYearBefore(today)} END`;
  const found = await db.$queryRaw`
    WITH part AS (
      SELECT substr(date, 1, 7) AS month, "storeId", max(store COLLATE "C") AS store,
        count(*) AS sales,
        count("cancelledOn") AS cancelled,
        sum("priceCents") AS price,
        sum("frontCents") AS front,
        sum("airCents") FILTER (WHERE monthly AND "cancelledOn" IS NULL AND date <= ${lastWithAir}) AS "airNow",
        sum("airCents") FILTER (WHERE monthly AND "cancelledOn" IS NULL AND date > ${lastWithAir}) AS "airLater",
        count("airCents") FILTER (WHERE NOT monthly) AS contradictions
      FROM "OrganisationSale" WHERE ${rowsOf(shop, organisation, filter)}
      GROUP BY 1, 2
    )
    SELECT month, "storeId", coalesce(max(store), '') AS store,
      coalesce(sum(sales), 0) AS sales,
      coalesce(sum(cancelled), 0) AS cancelled,
      coalesce(sum(price), 0) AS "priceCents",
      coalesce(sum(front), 0) AS "frontCents",
      coalesce(sum("airNow"), 0) AS "airNowCents",
      coalesce(sum("airLater"), 0) AS "airLaterCents",
      coalesce(sum(contradictions), 0) AS contradictions
    FROM part
    GROUP BY GROUPING SETS ((), (month), ("storeId"))
    ORDER BY month, sales DESC, store`;
  const rows = overviewRows.parse(found);
  return {
    total: figures.parse(rows.find(({ month, storeId }) => month === null && storeId === null)),
    months: rows.flatMap(({ month, ...row }) => (month === null ? [] : [{ month, ...figures.parse(row) }])),
    stores: rows.flatMap(({ storeId, store, ...row }) =>
      storeId === null ? [] : [{ storeId, store, ...figures.parse(row) }],
    ),
  };
}

const saleRow = z.object({
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
  priceCents: z.int(),
  frontCents: z.int().nullable(),
  airCents: z.int().nullable(),
});
export type SaleRow = z.infer<typeof saleRow>;

const cursor = ({ date, saleId }: SaleRow) => cursorOf(date, saleId);

async function readSales(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
  request: PageRequest,
  limit: number,
): Promise<SaleRow[]> {
  const rows = await db.$queryRaw`
    SELECT * FROM "OrganisationSale"
    WHERE ${rowsOf(shop, organisation, filter)} ${fromCursor(request, Prisma.sql`"saleId"`)}
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
  return toListPage(await readSales(shop, organisation, filter, request, size + 1), size, request, cursor);
}

/** All that the filter lets through, latest first. */
export function allSales(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
): AsyncIterable<SaleRow> {
  return inBatches(1_000, (request, size) => readSales(shop, organisation, filter, request, size), cursor);
}
