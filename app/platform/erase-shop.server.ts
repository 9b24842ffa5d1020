/**
 * Erases all data of a shop. Every table with a shop's data has a `shop` column (a rule of the schema), so tables that
 * are added later are included.
 */
import { z } from "zod";
import { allowErasure } from "./append-only.server.ts";
import { db } from "./db.server.ts";

const tables = z.array(z.object({ name: z.string().regex(/^[A-Za-z]+$/) }));

/** Years of rows go in one transaction. */
const OPTIONS = { timeout: 240_000 };

/** @returns the number of deleted rows by table */
export async function eraseShop(shop: string): Promise<Record<string, number>> {
  return db.$transaction(async (transaction) => {
    await allowErasure(transaction, shop);
    const rows = await transaction.$queryRaw`
      SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'shop' ORDER BY table_name`;
    const deleted: Record<string, number> = {};
    for (const { name } of tables.parse(rows)) {
      const count = await transaction.$executeRawUnsafe(`DELETE FROM "${name}" WHERE shop = $1`, shop);
      if (count > 0) deleted[name] = count;
    }
    return deleted;
  }, OPTIONS);
}
