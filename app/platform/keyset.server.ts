/** The place in a list that is sorted by time and then by id, as part of a statement. */
import { z } from "zod";
import type { PageRequest } from "./list-page.ts";
import { Prisma } from "./prisma/client.ts";

/** A row's place: `<time>|<id>`. */
export const placeOf = (at: Date, id: string): string => `${at.toISOString()}|${id}`;

const place = z
  .string()
  .regex(/^[^|]+\|.+$/s)
  .transform((text) => {
    const [at = "", ...id] = text.split("|");
    return { at: new Date(at), id: id.join("|") };
  })
  .refine(({ at }) => !Number.isNaN(at.getTime()))
  .nullable()
  .catch(null);

/** Condition and order that give the rows after a cursor, latest first; or before it, in reverse. */
export function fromPlace({ after, before }: PageRequest, at: Prisma.Sql, id: Prisma.Sql): Prisma.Sql {
  const forwards = Prisma.sql`ORDER BY ${at} DESC, ${id} DESC`;
  const backwards = Prisma.sql`ORDER BY ${at}, ${id}`;
  const from = place.parse(after ?? before);
  if (from === null) return before === null ? forwards : backwards;
  // The first half of each condition is what an index on the time alone can begin at.
  return before === null
    ? Prisma.sql`AND ${at} <= ${from.at} AND (${at}, ${id}) < (${from.at}, ${from.id}) ${forwards}`
    : Prisma.sql`AND ${at} >= ${from.at} AND (${at}, ${id}) > (${from.at}, ${from.id}) ${backwards}`;
}

/** Goes through a list of any length in batches, so that memory holds one of them. */
export async function* inBatches<T>(
  size: number,
  read: (request: PageRequest, size: number) => Promise<T[]>,
  cursor: (row: T) => string,
): AsyncGenerator<T> {
  let after: string | null = null;
  for (;;) {
    const rows: T[] = await read({ after, before: null }, size);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    after = cursor(last);
  }
}
