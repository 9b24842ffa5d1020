/** A merchant's connection to the insurer: the client with the merchant's account. */
import { type InsuranceClient, insuranceClient } from "#app/insurance/client.ts";
import { InsuranceError, Unauthorised } from "#app/insurance/errors.ts";
import { log } from "#app/platform/log.server.ts";
import { storeConnection } from "./accounts.server.ts";
import type { StoreConnection } from "./accounts.server.ts";
import { requestAccountCheck, saveConnectionState } from "./connection-state.server.ts";
import type { Environment } from "./connection.ts";
import { activeEnvironment } from "./environment.server.ts";

export interface InsuranceConnection extends StoreConnection {
  environment: Environment;
  client: InsuranceClient;
}

/** The connection in the environment in use. Null: not connected. */
export async function activeConnection(shop: string): Promise<InsuranceConnection | null> {
  return connectionIn(shop, await activeEnvironment(shop));
}

/**
 * The connection in one environment, also if it is not in use: an order stays in the environment where it began.
 * Null: not connected there.
 */
export async function connectionIn(
  shop: string,
  environment: Environment,
): Promise<InsuranceConnection | null> {
  const stored = await storeConnection(shop, environment);
  return stored && toInsuranceConnection(environment, stored);
}

export const toInsuranceConnection = (
  environment: Environment,
  stored: StoreConnection,
): InsuranceConnection => ({
  environment,
  ...stored,
  client: insuranceClient(stored.account, { log }),
});

/** The result of a call to the insurer for a page. */
export type InsurerResult<T> =
  | { state: "answered"; value: T }
  | { state: "not_connected" }
  /** `refused`: the insurer does not accept the token; `failed`: no response, or an unusable one */
  | { state: "refused" | "failed"; reason: string };

/**
 * Calls the insurer for a page. After a refusal a job checks the account; a success ends the state "refused".
 * @param environment default: the one in use
 */
export async function callInsurer<T>(
  shop: string,
  call: (connection: InsuranceConnection) => Promise<T>,
  environment?: Environment,
): Promise<InsurerResult<T>> {
  const connection = await connectionIn(shop, environment ?? (await activeEnvironment(shop)));
  if (!connection) return { state: "not_connected" };
  try {
    const value = await call(connection);
    const { environment: of, state, account } = connection;
    if (state !== "accepted") await saveConnectionState(shop, of, "accepted", account);
    return { state: "answered", value };
  } catch (error) {
    if (!(error instanceof InsuranceError)) throw error;
    if (!(error instanceof Unauthorised)) return { state: "failed", reason: error.message };
    await requestAccountCheck(shop, connection.environment);
    return { state: "refused", reason: error.message };
  }
}
