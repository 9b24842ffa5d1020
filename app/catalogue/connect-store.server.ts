/**
 * Connecting an account at the service. If it would replace a store whose plans are on sale, the merchant has to
 * confirm first.
 */
import type { Actor } from "#app/audit/actor.ts";
import { connect, type NewConnection, storeBefore } from "#app/merchants/connection.server.ts";
import type { ConnectResult } from "#app/merchants/connection.ts";
import { environmentToSync } from "#app/merchants/environment.server.ts";
import { db } from "#app/platform/db.server.ts";
import { forgetStoresReferences } from "./references/references.server.ts";
import { startRun } from "./runs/runs.server.ts";

/** `other_store`: nothing was done; the shop sells, or sold, plans of the store in `reason`, and the merchant has to agree. */
export type ConnectStoreResult = ConnectResult | { state: "other_store"; reason: string };

/** @param agreed the merchant knows what becomes of the other store's plans */
export async function connectStore(
  shop: string,
  connection: NewConnection,
  actor: Actor,
  agreed = false,
): Promise<ConnectStoreResult> {
  const { environment } = connection;
  const before = await storeBefore(shop, connection);
  if (before !== null && !agreed && (await db.syncedVariant.count({ where: { shop, environment } })) > 0)
    return { state: "other_store", reason: before };
  const result = await connect(shop, connection, actor, (since, tx) =>
    forgetStoresReferences(shop, environment, since, tx),
  );
  // What the other store sold goes off sale, and what this one offers comes on.
  if (result.state === "accepted" && before !== null && environment === (await environmentToSync(shop)))
    await startRun(shop, "catalogue", "connection");
  return result;
}
