/**
 * Connects an account at the insurer, and switches to the other one. Replacing a store whose plans are on sale needs
 * the merchant's confirmation. The shop sells the previous catalogue until a run has synced the new one.
 */
import type { Actor } from "#app/audit/actor.ts";
import { connect, type NewConnection, storeBefore } from "#app/merchants/connection.server.ts";
import { type ConnectResult, type Environment, isStoreConnected } from "#app/merchants/connection.ts";
import {
  activeEnvironment,
  environmentToSync,
  giveUpSwitch,
  readAccounts,
  requestEnvironment,
  switchEnvironment,
} from "#app/merchants/environment.server.ts";
import { db } from "#app/platform/db.server.ts";
import { forgetStoresReferences } from "./references/references.server.ts";
import { startRun } from "./runs/runs.server.ts";

/**
 * `other_store`: nothing was saved. The shop sells, or sold, plans of the store in `reason`, and the merchant has to
 * agree.
 */
export type ConnectStoreResult = ConnectResult | { state: "other_store"; reason: string };

/**
 * @param agreed the merchant knows what happens to the other store's plans
 * @param mayGoLive a first production account is used at once; else it waits for Go live
 */
export async function connectStore(
  shop: string,
  connection: NewConnection,
  actor: Actor,
  { agreed = false, mayGoLive = false }: { agreed?: boolean; mayGoLive?: boolean } = {},
): Promise<ConnectStoreResult> {
  const { environment } = connection;
  const previousStoreId = await storeBefore(shop, connection);
  if (
    previousStoreId !== null &&
    !agreed &&
    (await db.syncedVariant.count({ where: { shop, environment } })) > 0
  )
    return { state: "other_store", reason: previousStoreId };
  const result = await connect(shop, connection, actor, mayGoLive, (since, tx) =>
    forgetStoresReferences(shop, environment, since, tx),
  );
  // The run unpublishes the previous store's plans and publishes those of the new store.
  if (isStoreConnected(result) && previousStoreId !== null && environment === (await environmentToSync(shop)))
    await startRun(shop, "catalogue", "connection");
  return result;
}

/** `switching`: a run syncs the account's catalogue, and then the shop uses the account. */
export type SwitchState = "switched" | "switching" | "not_connected";

/**
 * Switches to the account of this environment: at once if the shop has no plan products yet. Switching to the account
 * in use cancels a pending switch.
 */
export async function switchAccount(
  shop: string,
  environment: Environment,
  actor: Actor,
): Promise<{ state: SwitchState }> {
  const { inUse } = await readAccounts(shop);
  const plans = await db.syncedVariant.count({ where: { shop, environment: inUse } });
  if (plans === 0) return switchEnvironment(shop, environment, actor);
  const { state } = await requestEnvironment(shop, environment, actor, (transaction) =>
    startRun(shop, "catalogue", "connection", { transaction }),
  );
  if (state === "not_connected") return { state };
  return { state: state === "in_use" ? "switched" : "switching" };
}

/**
 * Cancels a pending switch to this environment. A completed switch stays: a late request must not switch a live shop
 * back.
 */
export async function stopSwitch(
  shop: string,
  environment: Environment,
  actor: Actor,
): Promise<{ state: "stopped" | "already_live" }> {
  const isGivenUp = await giveUpSwitch(shop, environment, actor, (transaction) =>
    startRun(shop, "catalogue", "connection", { transaction }),
  );
  if (isGivenUp) return { state: "stopped" };
  return { state: (await activeEnvironment(shop)) === environment ? "already_live" : "stopped" };
}
