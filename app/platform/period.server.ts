/** A period of days in a time zone, as part of a statement. */
import { Prisma } from "#app/platform/prisma/client.ts";
import { keysetClause } from "./keyset.server.ts";
import type { KeyColumn } from "./keyset.server.ts";
import type { TimelineQuery } from "./timeline.ts";

/** Days as `YYYY-MM-DD`, both included; null where the period is open. */
interface Period {
  start: string | null;
  end: string | null;
}

/** @returns the conditions that a moment is within the period, none where it is open on both sides */
export function withinPeriod(moment: Prisma.Sql, { start, end }: Period, timezone: string): Prisma.Sql[] {
  return [
    ...(start === null ? [] : [Prisma.sql`${moment} >= ${start}::date::timestamp AT TIME ZONE ${timezone}`]),
    ...(end === null ? [] : [Prisma.sql`${moment} < (${end}::date + 1)::timestamp AT TIME ZONE ${timezone}`]),
  ];
}

/**
 * Condition, order and limit of one table of a timeline.
 * @param id sorts as the ids of its entries do
 */
export function timelineClause(
  { keyset, inclusive, take }: TimelineQuery,
  { at, id }: { at: KeyColumn; id: KeyColumn },
): Prisma.Sql {
  return Prisma.sql`${keysetClause(keyset, [at, id], "DESC", inclusive)} LIMIT ${take}`;
}
