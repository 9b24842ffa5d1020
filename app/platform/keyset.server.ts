/** Keyset pagination and date ranges, in SQL statements and in Prisma's queries. */
import type { Keyset, KeyValue, SortKey } from "./keyset.ts";
import { Prisma } from "./prisma/client.ts";
import type { TimelineQuery } from "./list-page.ts";

type Direction = "ASC" | "DESC";

const flipped: Record<Direction, Direction> = { ASC: "DESC", DESC: "ASC" };

/** A column to sort by; `value` converts a key's value if it needs a cast. */
export interface KeyColumn {
  column: Prisma.Sql;
  value?: (value: KeyValue) => Prisma.Sql;
}

/**
 * The end of a statement with a WHERE: `AND` the rows beyond the key, and `ORDER BY` the columns.
 * @param columns all sorted in the same direction; the key may have fewer
 * @param inclusive keeps the rows at the key itself
 */
export function keysetClause<Key extends SortKey>(
  { key, backwards }: Keyset<Key>,
  columns: readonly [KeyColumn, ...KeyColumn[]],
  direction: Direction = "DESC",
  inclusive = false,
): Prisma.Sql {
  const actual = backwards ? flipped[direction] : direction;
  const order = Prisma.join(columns.map(({ column }) => Prisma.sql`${column} ${Prisma.raw(actual)}`));
  if (key === null) return Prisma.sql`ORDER BY ${order}`;
  const beyond = Prisma.raw(actual === "ASC" ? ">" : "<");
  const orEqual = Prisma.raw(inclusive ? "=" : "");
  const compared = columns.slice(0, key.length);
  const values = compared.flatMap(({ value = (plain) => Prisma.sql`${plain}` }, index) => {
    const part = key[index];
    return part === undefined ? [] : [value(part)];
  });
  const names = Prisma.join(compared.map(({ column }) => column));
  // The first condition lets an index on the first column limit the scan.
  return Prisma.sql`
    AND ${columns[0].column} ${beyond}= ${values[0]} AND (${names}) ${beyond}${orEqual} (${Prisma.join(values)})
    ORDER BY ${order}`;
}

interface KeysetQuery {
  where: { OR?: Record<string, KeyValue | { gt: KeyValue } | { lt: KeyValue }>[] };
  orderBy: Record<string, "asc" | "desc">[];
}

/** The same for a Prisma query of a list sorted by two columns. */
export function keysetQuery<Column extends string>(
  { key, backwards }: Keyset<readonly [KeyValue, KeyValue]>,
  [first, second]: readonly [Column, Column],
  direction: Direction = "DESC",
): KeysetQuery {
  const ascending = (direction === "ASC") !== backwards;
  const sort = ascending ? "asc" : "desc";
  const orderBy: KeysetQuery["orderBy"] = [{ [first]: sort }, { [second]: sort }];
  if (key === null) return { where: {}, orderBy };
  const beyond = (value: KeyValue) => (ascending ? { gt: value } : { lt: value });
  return {
    where: { OR: [{ [first]: beyond(key[0]) }, { [first]: key[0], [second]: beyond(key[1]) }] },
    orderBy,
  };
}

/** Days in a time zone, as `YYYY-MM-DD`, both included; null if that side is open. */
interface Period {
  start: string | null;
  end: string | null;
}

/** @returns the conditions that a time is within the period; none if both sides are open */
export function withinPeriod(moment: Prisma.Sql, { start, end }: Period, timezone: string): Prisma.Sql[] {
  return [
    ...(start === null ? [] : [Prisma.sql`${moment} >= ${start}::date::timestamp AT TIME ZONE ${timezone}`]),
    ...(end === null ? [] : [Prisma.sql`${moment} < (${end}::date + 1)::timestamp AT TIME ZONE ${timezone}`]),
  ];
}

/**
 * Condition, order and limit of one table of a timeline.
 * @param id has the same sort order as the ids of its entries
 */
export function timelineClause(
  { keyset, inclusive, take }: TimelineQuery,
  { at, id }: { at: KeyColumn; id: KeyColumn },
): Prisma.Sql {
  return Prisma.sql`${keysetClause(keyset, [at, id], "DESC", inclusive)} LIMIT ${take}`;
}
