/**
 * Erases all data of a shop. Every table with a shop's data has a `shop` column (a rule of the schema), so tables that
 * are added later are included.
 */
import { z } from "zod";
import { allowErasure } from "./append-only.server.ts";
import { db } from "./db.server.ts";
import { inSmallSteps } from "./small-steps.server.ts";

const tables = z.array(z.object({ name: z.string().regex(/^[A-Za-z]+$/) }));

/** The row that says that a shop is to be erased: it goes last, so that an erasure that was interrupted is resumed. */
const LAST_TABLE = "Merchant";

/**
 * Deletes a shop's rows a few at a time, each in a transaction of its own.
 * @returns the number of deleted rows by table
 * @throws the signal's reason, between two of them; what is left is deleted the next time
 */
export async function eraseShop(shop: string, signal?: AbortSignal): Promise<Record<string, number>> {
  const rows = await db.$queryRaw`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'shop' ORDER BY table_name`;
  const names = tables.parse(rows).map(({ name }) => name);
  const others = names.filter((name) => name !== LAST_TABLE);
  const deleted: Record<string, number> = {};
  // Once more at the end: until the merchant's row is gone, webhooks of the shop are stored.
  for (const name of [...others, LAST_TABLE, ...others]) {
    const count = await inSmallSteps((size) => deleteSome(shop, name, size), signal);
    if (count > 0) deleted[name] = (deleted[name] ?? 0) + count;
  }
  return deleted;
}

async function deleteSome(shop: string, table: string, size: number): Promise<number> {
  return db.$transaction(async (transaction) => {
    await allowErasure(transaction, shop);
    return transaction.$executeRawUnsafe(
      `DELETE FROM "${table}" WHERE shop = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM "${table}" WHERE shop = $1 LIMIT $2))`,
      shop,
      size,
    );
  }, OPTIONS);
}

/** Rows of other tables go with some. */
const OPTIONS = { timeout: 30_000 };
