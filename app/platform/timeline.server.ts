import { keysetClause } from "./keyset.server.ts";
import type { KeyColumn } from "./keyset.server.ts";
import { Prisma } from "./prisma/client.ts";
import type { TimelineQuery } from "./timeline.ts";

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
