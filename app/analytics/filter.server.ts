/** The filter of the organisation's lists, as part of a statement. */
import { Prisma } from "#app/platform/prisma/client.ts";
import type { OrganisationFilter } from "./filter.ts";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";

/** The rows of one shop's organisation that the filter lets through, as a condition. */
export function filterCondition(shop: string, organisation: string, filter: OrganisationFilter): Prisma.Sql {
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

const rows = z.array(z.object({ storeId: z.string(), store: z.string(), storeExternalId: z.string() }));
export type PointOfSale = z.infer<typeof rows>[number];

/**
 * The organisation's points of sale, each as its latest sale names it. The index leads from one to the next, so that it
 * does not matter how many sales they have.
 */
export async function pointsOfSale(shop: string, organisation: string): Promise<PointOfSale[]> {
  const found = await db.$queryRaw`
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
  return rows.parse(found);
}
