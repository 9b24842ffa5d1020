/**
 * Every table that has a shop's rows, read from the schema: one that is added later is moved as well.
 */
import { z } from "zod";
import type { Query } from "./cell-database.server.ts";

export interface ShopTable {
  name: string;
  /** those that are copied: the database numbers some rows by itself, and another one has used these numbers */
  columns: string[];
  key: string[];
}

/** The merchant's own row says who serves the shop: it goes by itself. */
const MERCHANT = "Merchant";

/** Triggers write it as orders are copied: its own rows take the place of those. */
export const WRITTEN_BY_TRIGGERS = "AttachmentChange";

const tableRow = z.object({
  name: z.string().regex(/^[A-Za-z]+$/),
  columns: z.array(z.string().regex(/^[A-Za-z]+$/)),
  key: z.array(z.string().regex(/^[A-Za-z]+$/)),
  parents: z.array(z.string()),
});

/** In an order in which they can be filled: a table comes after those that its rows refer to. */
export async function shopTables(query: Query): Promise<ShopTable[]> {
  const rows = await query(
    tableRow,
    `SELECT t.table_name AS name,
      array_agg(c.column_name::text ORDER BY c.ordinal_position)
        FILTER (WHERE c.column_default IS NULL OR c.column_default NOT LIKE 'nextval(%') AS columns,
      (SELECT array_agg(a.attname::text ORDER BY array_position(i.indkey::int2[], a.attnum)) FROM pg_index AS i
        JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
        WHERE i.indisprimary AND i.indrelid = format('%I', t.table_name)::regclass) AS key,
      COALESCE((SELECT array_agg(f.confrelid::regclass::text) FROM pg_constraint AS f
        WHERE f.contype = 'f' AND f.conrelid = format('%I', t.table_name)::regclass), '{}') AS parents
    FROM information_schema.tables AS t JOIN information_schema.columns AS c USING (table_schema, table_name)
    WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND t.table_name <> $1
    GROUP BY t.table_name HAVING bool_or(c.column_name = 'shop') ORDER BY t.table_name`,
    [MERCHANT],
  );
  const left = new Map(rows.map(({ parents, ...table }) => [table.name, { table, parents }]));
  const ordered: ShopTable[] = [];
  const take = (name: string): void => {
    const found = left.get(name);
    if (!found) return;
    left.delete(name);
    for (const parent of found.parents) take(parent.replaceAll('"', ""));
    ordered.push(found.table);
  };
  for (const { name } of rows) if (name !== WRITTEN_BY_TRIGGERS) take(name);
  take(WRITTEN_BY_TRIGGERS);
  return ordered;
}
