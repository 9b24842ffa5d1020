/**
 * The organisation's commissions: totals by the document's rules, rows by page, and all rows one after another.
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
  commissions: z.coerce.number(),
  /** euro cents, refunds taken away */
  frontMinor: z.coerce.number(),
  airMinor: z.coerce.number(),
  /** of these, what refunds took away (a positive amount) */
  frontRefundedMinor: z.coerce.number(),
  airRefundedMinor: z.coerce.number(),
  /** AIR on an annual contract, which the rules exclude: in no figure */
  contradictions: z.coerce.number(),
});
export type CommissionFigures = z.infer<typeof figures>;

const overviewRows = z.array(
  figures.extend({ month: z.string().nullable(), storeId: z.string().nullable(), store: z.string() }),
);

export interface CommissionsOverview {
  total: CommissionFigures;
  /** by month, `YYYY-MM`, oldest first */
  months: (CommissionFigures & { month: string })[];
  /** by point of sale, by name */
  stores: (CommissionFigures & { storeId: string; store: string })[];
}

/** Adds up in the database, each row once; the commission rules were applied by the import (commission-rules.ts). */
export async function commissionsOverview(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
): Promise<CommissionsOverview> {
  const found = await db.$queryRaw`
    WITH part AS (
      SELECT substr(date, 1, 7) AS month, "storeId", max(store COLLATE "C") AS store, "billingType" = 'refunded' AS refunded,
        count(*) AS commissions,
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
  const rows = overviewRows.parse(found);
  return {
    total: figures.parse(rows.find(({ month, storeId }) => month === null && storeId === null)),
    months: rows.flatMap(({ month, ...row }) => (month === null ? [] : [{ month, ...figures.parse(row) }])),
    stores: rows.flatMap(({ storeId, store, ...row }) =>
      storeId === null ? [] : [{ storeId, store, ...figures.parse(row) }],
    ),
  };
}

const commissionRow = z.object({
  commissionId: z.string(),
  date: z.string(),
  store: z.string(),
  storeId: z.string(),
  storeExternalId: z.string(),
  saleId: z.string(),
  monthly: z.boolean(),
  billingType: z.enum(["collected", "refunded"]),
  type: z.enum(["front", "air"]),
  amountMinor: z.int(),
  priceMinor: z.int(),
});
export type CommissionRow = z.infer<typeof commissionRow>;

const keyOf = ({ date, commissionId }: CommissionRow): TextKey => [date, commissionId];

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
  return toListPage(rows, size, keyset, keyOf);
}

/** All that the filter lets through, latest first. */
export function allCommissions(
  shop: string,
  organisation: string,
  filter: OrganisationFilter,
): AsyncIterable<CommissionRow> {
  const read = (keyset: Keyset<TextKey>, size: number) =>
    readCommissions(shop, organisation, filter, keyset, size);
  return inBatches(1_000, read, keyOf);
}
