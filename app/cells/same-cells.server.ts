/** Whether a shop's rows of one cell can be read in another. */
import { z } from "zod";
import { canOpenDataKey } from "#app/merchants/data-key.server.ts";
import { CannotMoveError } from "./cell-database.server.ts";
import type { CellDatabase } from "./cell-database.server.ts";
import type { Cells } from "./copy-rows.server.ts";

const version = z.object({ version: z.string() });
const keyRow = z.object({ shop: z.string(), dataKeyId: z.string(), sealedDataKey: z.string() });
const count = z.object({ count: z.int() });

/** What a cell was measured for (docs/decisions/0054-cells.md). */
const MOST_SHOPS = 2_000;

/** @throws CannotMoveError */
export async function requireSameCells({ source, target }: Cells): Promise<void> {
  const versions = await Promise.all([source, target].map(versionOf));
  if (versions[0] !== versions[1])
    throw new CannotMoveError(
      "The cells run different versions: upgrade both, and run npm run migrate in both",
    );
  for (const cell of [source, target])
    if (!(await opensKeys(cell)))
      throw new CannotMoveError(
        "ENCRYPTION_KEYS do not open what a cell has sealed: both need the same keys",
      );
  const [shops] = await target.query(
    count,
    `SELECT count(*)::int AS count FROM "Merchant" WHERE fence IS NULL`,
  );
  if ((shops?.count ?? 0) >= MOST_SHOPS)
    throw new CannotMoveError(`The other cell has ${MOST_SHOPS} shops already`);
}

async function versionOf({ query }: CellDatabase): Promise<string | undefined> {
  const [row] = await query(
    version,
    `SELECT (SELECT string_agg(migration_name || checksum, ' ' ORDER BY migration_name) FROM _prisma_migrations)
      || ' ' || (SELECT max(version) FROM pgboss.version) AS version`,
  );
  return row?.version;
}

async function opensKeys({ query }: CellDatabase): Promise<boolean> {
  const [row] = await query(
    keyRow,
    `SELECT shop, "dataKeyId", "sealedDataKey" FROM "Merchant" WHERE "sealedDataKey" IS NOT NULL ORDER BY "updatedAt" DESC LIMIT 1`,
  );
  return row === undefined || canOpenDataKey(row);
}
