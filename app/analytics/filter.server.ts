/** The filter of the organisation's lists, as part of a statement. */
import { Prisma } from "#app/platform/prisma/client.ts";
import type { OrganisationFilter } from "./filter.ts";

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
