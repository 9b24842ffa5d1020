import { Prisma } from "./prisma/client.ts";
import type { TimelineQuery } from "./timeline.ts";

interface Columns {
  at: Prisma.Sql;
  /** sorts as the moments' ids do */
  id: Prisma.Sql;
  /** how a moment's id is written for the column `id`, where that is no text */
  tie?: (id: string) => Prisma.Sql;
  /** how a moment is written for the column `at`, where that is no `timestamptz` */
  moment?: (at: Date) => Prisma.Sql;
}

/** The condition, order and limit of one table of a timeline. */
export function timelineClause(
  { beyond, backwards, take }: TimelineQuery,
  { at, id, tie = (value) => Prisma.sql`${value}`, moment = (value) => Prisma.sql`${value}` }: Columns,
): Prisma.Sql {
  const order = backwards
    ? Prisma.sql`ORDER BY ${at}, ${id} LIMIT ${take}`
    : Prisma.sql`ORDER BY ${at} DESC, ${id} DESC LIMIT ${take}`;
  if (beyond === null) return order;
  const further = Prisma.raw(backwards ? ">" : "<");
  const from = moment(beyond.at);
  // What an index on the time can begin at comes first.
  switch (beyond.ties) {
    case "all":
      return Prisma.sql`AND ${at} ${further}= ${from} ${order}`;
    case "none":
      return Prisma.sql`AND ${at} ${further} ${from} ${order}`;
    default:
      return Prisma.sql`
        AND ${at} ${further}= ${from} AND (${at} ${further} ${from} OR ${id} ${further} ${tie(beyond.ties.id)}) ${order}`;
  }
}
