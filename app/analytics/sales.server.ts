/**
 * The organisation's sales: totals by the document's rules, rows by page, and all rows one after another.
 */
import { z } from "zod";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { db } from "#app/platform/db.server.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import { inBatches, readKeyset, textKey } from "#app/platform/keyset.ts";
import type { Keyset, TextKey } from "#app/platform/keyset.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { filterCondition } from "./filter.server.ts";
import type { OrganisationFilter } from "./filter.ts";

const figures = z.object({
  sales: z.coerce.number(),
  cancelled: z.coerce.number(),
  /** contract prices, in the stores' currency */
  priceMinor: z.coerce.number(),
  /** paid once */
  frontMinor: z.coerce.number(),
  /** paid each month now, by contracts that are active */
  airNowMinor: z.coerce.number(),
  /** will be paid each month by active contracts whose first year is covered by an advance */
  airLaterMinor: z.coerce.number(),
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
 * Adds up in the database, each row once; the commission rules were applied by the import (commission-rules.ts).
 * @param today `YYYY-MM-DD`, decides which AIR is paid now
 */
export async function salesOverview(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
  today: string,
): Promise<SalesOverview> {
  const found = await db.$queryRaw`
    WITH part AS (
      SELECT substr(date, 1, 7) AS month, "storeId", max(store COLLATE "C") AS store,
        count(*) AS sales,
        count("cancelledOn") AS cancelled,
        sum("priceMinor") AS price,
        sum("frontMinor") AS front,
        sum("airMinor") FILTER (WHERE "cancelledOn" IS NULL AND "airFrom" <= ${today}) AS "airNow",
        sum("airMinor") FILTER (WHERE "cancelledOn" IS NULL AND "airFrom" > ${today}) AS "airLater",
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
  priceMinor: z.int(),
  frontMinor: z.int().nullable(),
  airMinor: z.int().nullable(),
  airFrom: z.string().nullable(),
});
export type SaleRow = z.infer<typeof saleRow>;

const keyOf = ({ date, saleId }: SaleRow): TextKey => [date, saleId];

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
  return toListPage(rows, size, keyset, keyOf);
}

/** All that the filter lets through, latest first. */
export function allSales(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
): AsyncIterable<SaleRow> {
  return inBatches(1_000, (keyset, size) => readSales(shop, organisation, filter, keyset, size), keyOf);
}
