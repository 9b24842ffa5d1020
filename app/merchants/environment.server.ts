/** Which of its accounts at the insurance service a shop uses: test or production. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
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
  actor: Actor,
): Promise<{ state: "switched" | "not_connected" }> {
  if ((await db.connection.count({ where: { shop, environment } })) === 0) return { state: "not_connected" };
  const before = { environment: await activeEnvironment(shop) };
  await db.$transaction(async (transaction) => {
    await transaction.merchant.updateMany({ where: { shop }, data: { environment } });
    const entry = {
      action: "environment_used",
      subject: environment,
      before,
      after: { environment },
    } as const;
    await recordAudit({ shop, actor, ...entry }, transaction);
  });
  return { state: "switched" };
}

/** The account that is connected first is the one in use. */
export async function activateFirstConnected(
  shop: string,
  environment: Environment,
  transaction: Transaction,
): Promise<void> {
  const others = await transaction.connection.count({ where: { shop, environment: { not: environment } } });
  if (others === 0) await transaction.merchant.updateMany({ where: { shop }, data: { environment } });
}
