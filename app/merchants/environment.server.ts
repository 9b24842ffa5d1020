/** Which of its accounts at the insurance service a shop uses: test or production. */
import { db } from "#app/platform/db.server.ts";
import { recordActivity } from "./activity.server.ts";
import { environment as environmentSchema } from "./connection.ts";
import type { Environment } from "./connection.ts";

export async function activeEnvironment(shop: string): Promise<Environment> {
  const merchant = await db.merchant.findUnique({ where: { shop }, select: { environment: true } });
  return environmentSchema.parse(merchant?.environment ?? "test");
}

/** Uses the account of this environment from now on. Orders stay in the environment in which they began. */
export async function switchEnvironment(
  shop: string,
  environment: Environment,
): Promise<{ state: "switched" | "not_connected" }> {
  if ((await db.connection.count({ where: { shop, environment } })) === 0) return { state: "not_connected" };
  await db.merchant.updateMany({ where: { shop }, data: { environment } });
  await recordActivity(shop, "environment_used", environment);
  return { state: "switched" };
}

/** The account that is connected first is the one in use. */
export async function activateFirstConnected(shop: string, environment: Environment): Promise<void> {
  const others = await db.connection.count({ where: { shop, environment: { not: environment } } });
  if (others === 0) await db.merchant.updateMany({ where: { shop }, data: { environment } });
}
