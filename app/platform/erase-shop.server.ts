/**
 * Erases all data of a shop. Every table with a shop's data has a `shop` column (a rule of the schema), so new tables
 * are included.
 */
import { z } from "zod";
import { db, inSmallSteps, type Transaction } from "./db.server.ts";

/**
 * Lets this transaction delete one shop's rows of the append-only tables (the audit log, the books of orders). Only
 * erasure and retention may call it; the database's triggers refuse all other changes.
 */
export async function allowErasure(tx: Transaction, shop: string): Promise<void> {
  await tx.$queryRaw`SELECT set_config('parasol.erased_shop', ${shop}, true)`;
}

const tables = z.array(z.object({ name: z.string().regex(/^[A-Za-z]+$/) }));
const shops = z.array(z.object({ shop: z.string() }));

/** The row that records the pending erasure. It is deleted last, so that an interrupted erasure resumes. */
const LAST_TABLE = "Merchant";
/** A shop with a session is not erased: a new session belongs to a new installation. */
const SESSIONS = "Session";
/** Deleted only together with their orders: an order without its items would be insured a second time. */
const WITH_ORDERS = new Set([
  "InsuredItem",
  "OrderQuote",
  "OrderLine",
  "OrderEvent",
  "PremiumMovement",
  "WaitingOrder",
]);

/** Some deletions cascade to other tables. */
const OPTIONS = { timeout: 30_000 };

/**
 * Deletes a shop's rows. Large tables are first reduced to some thousand rows in several short transactions; a last
 * transaction deletes the rest of all tables. Each transaction locks the merchant's row, so a new installation waits
 * for it and then ends the erasure. It keeps complete orders and all small tables (settings, accounts).
 * @returns the number of deleted rows by table; null if the shop is not due for erasure by `now`, or no longer
 * @throws the signal's reason, between two transactions; the next call deletes the rest
 */
export async function eraseShop(
  shop: string,
  now: Date,
  signal?: AbortSignal,
): Promise<Record<string, number> | null> {
  const names = await shopTables();
  const deleted: Record<string, number> = {};
  /** Deletes if the erasure is still due. @returns the number of rows; null if it is not due */
  const deleteLocked = (deleteRows: (tx: Transaction) => Promise<Record<string, number>>) =>
    db.$transaction(async (tx) => {
      if (!(await lockForErasure(tx, shop, now))) return null;
      const counts = await deleteRows(tx);
      for (const [name, count] of Object.entries(counts))
        if (count > 0) deleted[name] = (deleted[name] ?? 0) + count;
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    }, OPTIONS);

  signal?.throwIfAborted();
  for (const name of names.filter((each) => !WITH_ORDERS.has(each))) {
    const step = async (size: number) =>
      // If the erasure is no longer due, this and all further calls delete nothing.
      (await deleteLocked(async (tx) => ({
        [name]: await deleteBeyond(tx, shop, name, size),
      }))) ?? 0;
    await inSmallSteps(step, signal);
  }
  signal?.throwIfAborted();
  const lastCount = await deleteLocked((tx) => deleteAll(tx, shop, [...names, LAST_TABLE]));
  return lastCount === null ? null : deleted;
}

/** Deletes the shop's rows of these tables. @returns their number by table */
async function deleteAll(
  tx: Transaction,
  shop: string,
  names: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names)
    counts[name] = await tx.$executeRawUnsafe(`DELETE FROM "${name}" WHERE shop = $1`, shop);
  return counts;
}

/** Finds shops with rows but without a merchant and a session: a webhook or a job wrote them during the erasure. */
export async function findLeftovers(): Promise<string[]> {
  const leftovers = new Set<string>();
  for (const name of await shopTables()) {
    // Skips from one shop to the next in each table's index instead of reading every row.
    const rows = await db.$queryRawUnsafe(`
      WITH RECURSIVE each AS (
        SELECT min(shop) AS shop FROM "${name}"
        UNION ALL
        SELECT (SELECT min(shop) FROM "${name}" WHERE shop > each.shop) FROM each WHERE each.shop IS NOT NULL
      )
      SELECT shop FROM each WHERE shop IS NOT NULL
        AND NOT EXISTS (SELECT FROM "${LAST_TABLE}" AS m WHERE m.shop = each.shop)
        AND NOT EXISTS (SELECT FROM "${SESSIONS}" AS s WHERE s.shop = each.shop)`);
    for (const { shop } of shops.parse(rows)) leftovers.add(shop);
  }
  return [...leftovers].toSorted();
}

/** All tables with a shop's data except the merchant's and the sessions. */
async function shopTables(): Promise<string[]> {
  const rows = await db.$queryRaw`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'shop' AND table_name NOT IN (${LAST_TABLE}, ${SESSIONS})
    ORDER BY table_name`;
  return tables.parse(rows).map(({ name }) => name);
}

/** Whether the erasure is still due; this does not change until the transaction ends. */
async function lockForErasure(tx: Transaction, shop: string, now: Date): Promise<boolean> {
  await allowErasure(tx, shop);
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT m.shop FROM "Merchant" AS m WHERE m.shop = ${shop} AND m."eraseAt" <= ${now}
      AND NOT EXISTS (SELECT FROM "Session" AS s WHERE s.shop = m.shop)
    FOR UPDATE OF m`;
  return locked.length > 0;
}

/** Deletes a limited number of the rows that exceed a table's limit. */
async function deleteBeyond(tx: Transaction, shop: string, table: string, size: number): Promise<number> {
  const some = `DELETE FROM "${table}" WHERE shop = $1
    AND ctid = ANY (ARRAY(SELECT ctid FROM "${table}" WHERE shop = $1 LIMIT $2 OFFSET $2))`;
  if (table !== "Order") return tx.$executeRawUnsafe(some, shop, size);
  // A foreign key deletes an order's other rows with it; its book has no foreign key.
  const rows = await tx.$queryRawUnsafe(
    `WITH gone AS (${some} RETURNING "orderId"), book AS (
      DELETE FROM "OrderEvent" WHERE shop = $1 AND "orderId" IN (SELECT "orderId" FROM gone))
    SELECT count(*)::int AS gone FROM gone`,
    shop,
    size,
  );
  return z.tuple([z.object({ gone: z.number() })]).parse(rows)[0].gone;
}
