/** Switching to the other account: its catalogue is synced first, and until then the shop sells the old one's. */
import type { Actor } from "#app/audit/actor.ts";
import type { Environment } from "#app/merchants/connection.ts";
import {
  activeEnvironment,
  giveUpSwitch,
  readAccounts,
  requestEnvironment,
  switchEnvironment,
} from "#app/merchants/environment.server.ts";
import { db } from "#app/platform/db.server.ts";
import { startRun } from "./runs/runs.server.ts";

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
  const { state } = await requestEnvironment(shop, environment, actor);
  if (state === "not_connected") return { state };
  await startRun(shop, "catalogue", "connection");
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
  if (await giveUpSwitch(shop, environment, actor)) {
    await startRun(shop, "catalogue", "connection");
    return { state: "stopped" };
  }
  return { state: (await activeEnvironment(shop)) === environment ? "already_live" : "stopped" };
}
