/**
 * Which store of the insurance service a shop's plans are sold for, in each environment. It is known while the account is
 * disconnected, too: a merchant who connects another store then must not get the previous store's contracts.
 */
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { Environment } from "./connection.ts";

interface Store {
  environment: Environment;
  storeId: string;
}

/** The id of the store that this one would take the place of. Null: there is no other. */
export async function storeBefore(shop: string, { environment, storeId }: Store): Promise<string | null> {
  const known = await db.connectedStore.findUnique({ where: { shop_environment: { shop, environment } } });
  return known && known.storeId !== storeId ? known.storeId : null;
}

/** @returns since when another store is connected, where that is now; null: it is the first one, or the same */
export async function noteStore(
  shop: string,
  { environment, storeId }: Store,
  tx: Transaction,
): Promise<Date | null> {
  const since = new Date();
  await tx.connectedStore.createMany({ data: { shop, environment, storeId }, skipDuplicates: true });
  const { count } = await tx.connectedStore.updateMany({
    where: { shop, environment, NOT: { storeId } },
    data: { storeId, since },
  });
  return count === 0 ? null : since;
}

/** A condition of a statement: the order `o` was bought before the store that is connected took another's place. */
export const isOfStoreBefore = Prisma.sql`EXISTS (
  SELECT FROM "ConnectedStore" AS s
  WHERE s.shop = o.shop AND s.environment = o.environment AND s.since >= o."purchasedAt")`;
