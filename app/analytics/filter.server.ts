/** The filter and the place in the list, as parts of a statement. */
import { Prisma } from "#app/platform/prisma/client.ts";
import type { PageRequest } from "#app/platform/list-page.ts";
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

/** A cursor is `<day>|<id>`: the place of a row in the order "latest first, then by id". */
export const cursorOf = (date: string, id: string) => `${date}|${id}`;

/** Condition and order that give the rows after (or, in reverse, before) a cursor. */
export function fromCursor({ after, before }: PageRequest, id: Prisma.Sql): Prisma.Sql {
  const forwards = Prisma.sql`ORDER BY date DESC, ${id} DESC`;
  const backwards = Prisma.sql`ORDER BY date, ${id}`;
  const cursor = /^(\d{4}-\d{2}-\d{2})\|(.+)$/s.exec(after ?? before ?? "");
  if (!cursor) return before === null ? forwards : backwards;
  const place = Prisma.sql`(${cursor[1]}, ${cursor[2]})`;
  return before === null
    ? Prisma.sql`AND (date, ${id}) < ${place} ${forwards}`
    : Prisma.sql`AND (date, ${id}) > ${place} ${backwards}`;
}
