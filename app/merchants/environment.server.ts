/**
 * Which of its accounts at the insurance service a shop uses: test or production. Another one is used once the shop has
 * its catalogue (app/catalogue/switch-account.server.ts); until then the shop sells what it sold.
 */
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { environment as environmentSchema } from "./connection.ts";
import type { Environment } from "./connection.ts";

export const accountsInUse = z.object({
  inUse: environmentSchema,
  /** since when; orders before may have bought the other account's plans */
  since: z.coerce.date(),
  /** the account to which the shop is switching: its catalogue is synced first */
  next: environmentSchema.nullable(),
});
export type AccountsInUse = z.infer<typeof accountsInUse>;

/** `accountsInUse` as part of another statement: null where the shop is not known. */
export const accountsInUseSql = (shop: string): Prisma.Sql => Prisma.sql`
  (SELECT jsonb_build_object('inUse', environment, 'since', "environmentSince", 'next', "nextEnvironment")
   FROM "Merchant" WHERE shop = ${shop})`;

export async function readAccounts(shop: string): Promise<AccountsInUse> {
  const row = await db.merchant.findUnique({
    where: { shop },
    select: { environment: true, environmentSince: true, nextEnvironment: true },
  });
  if (!row) return { inUse: "test", since: new Date(0), next: null };
  const { environment: inUse, environmentSince: since, nextEnvironment: next } = row;
  return accountsInUse.parse({ inUse, since, next });
}

export async function activeEnvironment(shop: string): Promise<Environment> {
  return (await readAccounts(shop)).inUse;
}

/** The account whose catalogue the shop is to have. */
export async function environmentToSync(shop: string): Promise<Environment> {
  const { inUse, next } = await readAccounts(shop);
  return next ?? inUse;
}

/** Uses the account of this environment from now on. Orders stay in the environment in which they began. */
export async function switchEnvironment(
  shop: string,
  environment: Environment,
  actor: Actor,
): Promise<{ state: "switched" | "not_connected" }> {
  const now = { environment, environmentSince: new Date(), nextEnvironment: null };
  const changed = await change(shop, environment, now, actor);
  return { state: changed ? "switched" : "not_connected" };
}

/** Uses the account of this environment once the shop has its catalogue: `completeSwitch`. */
export async function requestEnvironment(
  shop: string,
  environment: Environment,
  actor: Actor,
): Promise<{ state: "requested" | "not_connected" }> {
  const { inUse } = await readAccounts(shop);
  const next = { nextEnvironment: environment === inUse ? null : environment };
  return { state: (await change(shop, environment, next, actor)) ? "requested" : "not_connected" };
}

async function change(
  shop: string,
  environment: Environment,
  data: Prisma.MerchantUpdateManyMutationInput,
  actor: Actor,
): Promise<boolean> {
  if ((await db.connection.count({ where: { shop, environment } })) === 0) return false;
  const before = { environment: await activeEnvironment(shop) };
  await db.$transaction(async (transaction) => {
    await transaction.merchant.updateMany({ where: { shop }, data });
    const entry = {
      action: "environment_used",
      subject: environment,
      before,
      after: { environment },
    } as const;
    await recordAudit({ shop, actor, ...entry }, transaction);
  });
  return true;
}

/** The shop has the catalogue of the account to which it was switching: that one is in use now. */
export async function completeSwitch(shop: string, environment: Environment): Promise<void> {
  await db.merchant.updateMany({
    where: { shop, nextEnvironment: environment },
    data: { environment, environmentSince: new Date(), nextEnvironment: null },
  });
}

/** The account that is connected first is the one in use. */
export async function activateFirstConnected(
  shop: string,
  environment: Environment,
  transaction: Transaction,
): Promise<void> {
  const others = await transaction.connection.count({ where: { shop, environment: { not: environment } } });
  if (others > 0) return;
  await transaction.merchant.updateMany({
    where: { shop, environment: { not: environment } },
    data: { environment, environmentSince: new Date(), nextEnvironment: null },
  });
}

/** An account that was disconnected is not switched to. */
export async function forgetSwitchTo(
  shop: string,
  environment: Environment,
  transaction: Transaction,
): Promise<void> {
  await transaction.merchant.updateMany({
    where: { shop, nextEnvironment: environment },
    data: { nextEnvironment: null },
  });
}
