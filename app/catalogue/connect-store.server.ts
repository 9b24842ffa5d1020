/**
 * Connecting an account at the insurer, and switching to the other one. An account that would replace a store whose plans
 * are on sale has to be confirmed. The other account's catalogue is synced first; until then the shop sells the old one's.
 */
import type { Actor } from "#app/audit/actor.ts";
import { connect, type NewConnection, storeBefore } from "#app/merchants/connection.server.ts";
import type { ConnectResult, Environment } from "#app/merchants/connection.ts";
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

/** `switching`: a run syncs the account's catalogue, and uses the account when the shop has it. */
export type SwitchState = "switched" | "switching" | "not_connected";

/**
 * Uses the account of this environment. Where the shop has no plan products yet, that is at once. The account in use: a
 * switch that is under way is given up.
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
 * Stays with the account in use, where the switch to this environment is not complete yet. One that is complete is not
 * undone: a stop that comes too late would take a live shop back.
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
