/** One cell's database, as whoever moves a shop has it: a session of its own, with locks and timeouts of its own. */
import pg from "pg";
import { z } from "zod";
import { AppError } from "#app/platform/app-error.ts";
import { fences } from "#app/platform/fence.server.ts";
import type { Fence } from "#app/platform/fence.server.ts";

/** The move cannot begin, or go on; nothing was changed by the step that says so. */
export class CannotMoveError extends AppError {
  override name = "CannotMoveError";
}

export type Query = <T extends z.ZodType>(
  schema: T,
  sql: string,
  values?: readonly unknown[],
) => Promise<z.infer<T>[]>;

export interface CellDatabase {
  query: Query;
  /** A transaction that may write the shop's rows whatever its fence, and delete those that are only ever added to. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export const noRows = z.unknown();
const locked = z.object({ locked: z.boolean() });

/**
 * @param url without PgBouncer in between: the session holds a lock, so that nobody else moves the shop meanwhile
 * @throws CannotMoveError where somebody does
 */
export async function openCell(url: string, shop: string): Promise<CellDatabase> {
  const client = new pg.Client({ connectionString: url, application_name: "parasol-move-shop" });
  await client.connect();
  const query: Query = async (schema, sql, values = []) =>
    z.array(schema).parse((await client.query(sql, [...values])).rows);
  // Moments are compared as texts.
  await query(noRows, "SET TIME ZONE 'UTC'");
  const [lock] = await query(locked, "SELECT pg_try_advisory_lock(hashtextextended($1, 54)) AS locked", [
    shop,
  ]);
  if (!lock?.locked) {
    await client.end();
    throw new CannotMoveError(`${shop} is being moved by another process, or both cells have this database`);
  }
  return {
    query,
    async transaction(work) {
      await client.query("BEGIN");
      try {
        await client.query(
          "SELECT set_config('parasol.moved_shop', $1, true), set_config('parasol.erased_shop', $1, true)",
          [shop],
        );
        const result = await work(query);
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch(() => undefined);
        throw error;
      }
    },
    close: () => client.end(),
  };
}

const fenceRow = z.object({ fence: z.enum(fences).nullable() });

/** `here`: served; `unknown`: there is no such merchant. */
export type FenceState = Fence | "here" | "unknown";

export async function readFenceState({ query }: CellDatabase, shop: string): Promise<FenceState> {
  const [row] = await query(fenceRow, `SELECT fence FROM "Merchant" WHERE shop = $1`, [shop]);
  return row ? (row.fence ?? "here") : "unknown";
}
