/** A shop's rows, from one cell's database to another's, a few at a time. */
import { z } from "zod";
import { inSmallSteps } from "#app/platform/small-steps.server.ts";
import { CannotMoveError, noRows } from "./cell-database.server.ts";
import type { CellDatabase } from "./cell-database.server.ts";
import { WRITTEN_BY_TRIGGERS } from "./shop-tables.server.ts";
import type { ShopTable } from "./shop-tables.server.ts";

/** Bodies of webhooks may have some megabytes. */
const ROWS_AT_ONCE = 200;

const page = z.object({ rows: z.string().nullable(), count: z.int(), last: z.array(z.string()).nullable() });
const deleted = z.object({ gone: z.int() });
const print = z.object({ rows: z.coerce.number(), digest: z.string() });

export interface Cells {
  source: CellDatabase;
  target: CellDatabase;
}

/**
 * Copies a table's rows of a shop. Nobody writes them meanwhile: the source is closed, the target has not opened.
 * @returns how many
 */
export async function copyTable({ source, target }: Cells, table: ShopTable, shop: string): Promise<number> {
  if (table.name === WRITTEN_BY_TRIGGERS) await deleteRows(target, table.name, shop);
  const columns = table.columns.map((name) => `"${name}"`).join(", ");
  let copied = 0;
  for (let after: string[] | null = null; ;) {
    const { rows, count, last } = await readPage(source, table, shop, after);
    if (rows === null) return copied;
    await target.transaction((query) =>
      query(
        noRows,
        `INSERT INTO "${table.name}" (${columns})
        SELECT ${columns} FROM json_populate_recordset(NULL::"${table.name}", $1::json)`,
        [rows],
      ),
    );
    copied += count;
    after = last;
  }
}

/** The next rows, as JSON text: a number or a moment keeps all its digits. */
async function readPage(
  source: CellDatabase,
  table: ShopTable,
  shop: string,
  after: string[] | null,
): Promise<z.infer<typeof page>> {
  const names = table.key.map((name) => `t."${name}"`);
  const order = names.join(", ");
  const beyond = after ? `AND (${order}) > (${after.map((_, index) => `$${index + 2}`).join(", ")})` : "";
  const [found] = await source.query(
    page,
    `WITH page AS (
      SELECT * FROM "${table.name}" AS t WHERE t.shop = $1 ${beyond} ORDER BY ${order} LIMIT ${ROWS_AT_ONCE})
    SELECT json_agg(to_json(t) ORDER BY ${order})::text AS rows, count(*)::int AS count, (
      SELECT ARRAY[${names.map((name) => `${name}::text`).join(", ")}] FROM page AS t
      ORDER BY ${names.map((name) => `${name} DESC`).join(", ")} LIMIT 1) AS last
    FROM page AS t`,
    [shop, ...(after ?? [])],
  );
  return found ?? { rows: null, count: 0, last: null };
}

/** @throws CannotMoveError where the copy is not what it is of */
export async function compareTable({ source, target }: Cells, table: ShopTable, shop: string): Promise<void> {
  const [of, copy] = await Promise.all([source, target].map((cell) => printOf(cell, table, shop)));
  if (of?.rows === copy?.rows && of?.digest === copy?.digest) return;
  throw new CannotMoveError(
    `The copy of ${table.name} differs: ${of?.rows ?? 0} rows here, ${copy?.rows ?? 0} there. Begin again, or undo`,
  );
}

/** A number that is the same for the same rows, whatever their order. */
async function printOf({ query }: CellDatabase, { name, columns }: ShopTable, shop: string) {
  const [found] = await query(
    print,
    `SELECT count(*) AS rows, COALESCE(sum(('x' || left(md5(row::text), 15))::bit(60)::bigint), 0)::text AS digest
    FROM (SELECT to_jsonb(t) AS row FROM (SELECT ${columns.map((each) => `"${each}"`).join(", ")} FROM "${name}" WHERE shop = $1) AS t) AS each`,
    [shop],
  );
  return found;
}

/** Deletes a shop's rows of a table. @returns how many */
export function deleteRows(cell: CellDatabase, table: string, shop: string): Promise<number> {
  return inSmallSteps((size) =>
    cell.transaction(async (query) => {
      const [row] = await query(
        deleted,
        `WITH gone AS (
          DELETE FROM "${table}" WHERE shop = $1
            AND ctid = ANY (ARRAY(SELECT ctid FROM "${table}" WHERE shop = $1 LIMIT ${size})) RETURNING 1)
        SELECT count(*)::int AS gone FROM gone`,
        [shop],
      );
      return row?.gone ?? 0;
    }),
  );
}
