/** Keyset pagination in SQL statements and in Prisma's queries. */
import type { Keyset, KeyValue, SortKey } from "./keyset.ts";
import { Prisma } from "./prisma/client.ts";

type Direction = "ASC" | "DESC";

const flipped: Record<Direction, Direction> = { ASC: "DESC", DESC: "ASC" };

/** A column to sort by; `value` writes a key's value for it where it needs a cast. */
export interface KeyColumn {
  column: Prisma.Sql;
  value?: (value: KeyValue) => Prisma.Sql;
}

/**
 * The end of a statement that has a WHERE: `AND` the rows beyond the key, `ORDER BY` the columns.
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
  // The first condition is where an index on the first column alone can begin.
  return Prisma.sql`
    AND ${columns[0].column} ${beyond}= ${values[0]} AND (${names}) ${beyond}${orEqual} (${Prisma.join(values)})
    ORDER BY ${order}`;
}

interface KeysetQuery {
  where: { OR?: Record<string, KeyValue | { gt: KeyValue } | { lt: KeyValue }>[] };
  orderBy: Record<string, "asc" | "desc">[];
}

/** The same for a Prisma query of a list that is sorted by two columns. */
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
