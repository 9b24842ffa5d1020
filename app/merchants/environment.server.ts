/**
 * Selects the account of a shop at the insurer: test or production. A switch completes after the shop has the
 * account's catalogue (app/catalogue/connect-store.server.ts). Until then the shop sells the previous one.
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

/** The account whose catalogue a sync writes. */
export async function environmentToSync(shop: string, tx: Transaction = db): Promise<Environment> {
  const { inUse, next } = await readAccounts(shop, tx);
  return next ?? inUse;
}

/** Switches to the account of this environment now. Orders stay in the environment where they began. */
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
 * Requests a switch to the account of this environment, which `completeSwitch` ends after the sync. For the account
 * in use it cancels a pending switch.
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
 * Completes a switch after the shop has the account's catalogue.
 * @returns whether the account is in use now; false if the switch was cancelled in the meantime
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
 * Cancels a pending switch to this account.
 * @param sync starts the run that the shop then needs
 * @returns whether such a switch was pending
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

/** The columns for using this account from now on, without a pending switch. */
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

/** @param accounts `next`: the account to switch to; null: the switch is cancelled */
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
 * Uses the first connected account. A shop that has sold real insurance does not switch to a newly connected test
 * account; a person has to confirm that.
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

/** Cancels a switch to an account that was disconnected. */
export async function forgetSwitchTo(shop: string, environment: Environment, tx: Transaction): Promise<void> {
  await tx.merchant.updateMany({
    where: { shop, nextEnvironment: environment },
    data: { nextEnvironment: null },
  });
}
