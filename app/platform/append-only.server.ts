import type { Transaction } from "./db.server.ts";

/**
 * Lets this transaction delete one shop's rows of the append-only tables (the audit log, the history of units): for
 * erasure and retention only. The database's triggers refuse every other change of them.
 */
export async function allowErasure(tx: Transaction, shop: string): Promise<void> {
  await tx.$queryRaw`SELECT set_config('parasol.erased_shop', ${shop}, true)`;
}
