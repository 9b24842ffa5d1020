/**
 * Which of its accounts at the insurer a shop uses: test or production. Another one is used once the shop has
 * its catalogue (app/catalogue/connect-store.server.ts); until then the shop sells what it sold.
 */
import { type Actor, system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { Environment } from "./connection.ts";
import { accountsInUse, type AccountsInUse, lockAccounts } from "./merchant.server.ts";
import { scheduleSelling } from "./selling.server.ts";

export async function readAccounts(shop: string, tx: Transaction = db): Promise<AccountsInUse> {
  const row = await tx.merchant.findUnique({
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
export async function environmentToSync(shop: string, tx: Transaction = db): Promise<Environment> {
  const { inUse, next } = await readAccounts(shop, tx);
  return next ?? inUse;
}

/** Uses the account of this environment from now on. Orders stay in the environment in which they began. */
export async function switchEnvironment(
  shop: string,
  environment: Environment,
  actor: Actor,
): Promise<{ state: "switched" | "not_connected" }> {
  if (!(await isConnected(shop, environment))) return { state: "not_connected" };
  await db.$transaction(async (tx) => {
    const { inUse } = await lockAccounts(tx, shop);
    await activateAccount(shop, { inUse, environment }, actor, tx);
  });
  return { state: "switched" };
}

/**
 * Uses the account of this environment once the shop has its catalogue: `completeSwitch`. The account in use: a switch
 * that is under way is given up.
 * @param sync starts the run that the shop then needs
 */
export async function requestEnvironment(
  shop: string,
  environment: Environment,
  actor: Actor,
  sync: (tx: Transaction) => Promise<unknown>,
): Promise<{ state: "requested" | "in_use" | "not_connected" }> {
  if (!(await isConnected(shop, environment))) return { state: "not_connected" };
  return db.$transaction(async (tx) => {
    const { inUse } = await lockAccounts(tx, shop);
    const isInUse = environment === inUse;
    await saveNext(shop, { inUse, next: isInUse ? null : environment }, actor, tx);
    await sync(tx);
    return { state: isInUse ? ("in_use" as const) : ("requested" as const) };
  });
}

/**
 * The shop has the catalogue of the account to which it was switching: that one is in use now.
 * @returns whether it is: false where the switch was given up meanwhile
 */
export async function completeSwitch(shop: string, environment: Environment): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const { inUse, next } = await lockAccounts(tx, shop);
    if (inUse === environment) return true;
    if (next !== environment) return false;
    await activateAccount(shop, { inUse, environment }, system("catalogue_sync"), tx);
    return true;
  });
}

/**
 * @param sync starts the run that the shop then needs
 * @returns whether a switch to this account was under way, and is given up now
 */
export async function giveUpSwitch(
  shop: string,
  environment: Environment,
  actor: Actor,
  sync: (tx: Transaction) => Promise<unknown>,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const { inUse, next } = await lockAccounts(tx, shop);
    if (next !== environment) return false;
    await saveNext(shop, { inUse, next: null }, actor, tx);
    await sync(tx);
    return true;
  });
}

async function isConnected(shop: string, environment: Environment): Promise<boolean> {
  return (await db.connection.count({ where: { shop, environment } })) > 0;
}

/** This account is the one in use from now on, and no switch is under way. */
const fromNowOn = (environment: Environment) => ({
  environment,
  environmentSince: new Date(),
  nextEnvironment: null,
});

async function activateAccount(
  shop: string,
  accounts: { inUse: Environment; environment: Environment },
  actor: Actor,
  tx: Transaction,
): Promise<void> {
  await tx.merchant.updateMany({ where: { shop }, data: fromNowOn(accounts.environment) });
  await scheduleSelling(shop, tx);
  await recordEnvironment(shop, "environment_used", accounts, actor, tx);
}

/** @param accounts `next`: the account to switch to; null: the switch is given up */
async function saveNext(
  shop: string,
  { inUse, next }: Pick<AccountsInUse, "inUse" | "next">,
  actor: Actor,
  tx: Transaction,
): Promise<void> {
  await tx.merchant.updateMany({ where: { shop }, data: { nextEnvironment: next } });
  const action = next === null ? "switch_given_up" : "switch_requested";
  await recordEnvironment(shop, action, { inUse, environment: next ?? inUse }, actor, tx);
}

async function recordEnvironment(
  shop: string,
  action: "environment_used" | "switch_requested" | "switch_given_up",
  { inUse, environment }: { inUse: Environment; environment: Environment },
  actor: Actor,
  tx: Transaction,
): Promise<void> {
  const entry = { action, subject: environment, before: { environment: inUse }, after: { environment } };
  await recordAudit({ shop, actor, ...entry }, tx);
}

/**
 * The account that is connected first is the one in use. A shop that had real insurance does not get the test account by
 * connecting it: a person confirms that.
 */
export async function activateFirstConnected(
  shop: string,
  environment: Environment,
  tx: Transaction,
): Promise<void> {
  const others = await tx.connection.count({ where: { shop, environment: { not: environment } } });
  if (others > 0) return;
  const wasLive = await tx.connectedStore.count({ where: { shop, environment: "production" } });
  if (environment === "test" && wasLive > 0) return;
  await tx.merchant.updateMany({
    where: { shop, environment: { not: environment } },
    data: fromNowOn(environment),
  });
}

/** An account that was disconnected is not switched to. */
export async function forgetSwitchTo(shop: string, environment: Environment, tx: Transaction): Promise<void> {
  await tx.merchant.updateMany({
    where: { shop, nextEnvironment: environment },
    data: { nextEnvironment: null },
  });
}
