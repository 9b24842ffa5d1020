/**
 * Connects a merchant's accounts at the insurer: one for the test, one for the production environment. An account is
 * saved only after the insurer has accepted its token.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { organisationAnalytics } from "#app/insurance/analytics.ts";
import { type InsuranceAccount, insuranceClient } from "#app/insurance/client.ts";
import { InsuranceError, NotFound, Unauthorised } from "#app/insurance/errors.ts";
import type { Account } from "#app/insurance/request.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { baseUrls, openToken, sealToken, storeConnection } from "./accounts.server.ts";
import { saveConnectionState } from "./connection-state.server.ts";
import {
  type CheckResult,
  type ConnectionState,
  connectionState,
  type ConnectionView,
  type ConnectResult,
  type Environment,
  environment as environmentSchema,
  phoneNumberNeed,
  type PhoneNumberNeed,
} from "./connection.ts";
import { activateFirstConnected, forgetSwitchTo } from "./environment.server.ts";
import { scheduleSelling } from "./selling.server.ts";

/** Checks an account with `GET categories`, the cheapest endpoint. */
export async function checkStoreAccount(account: InsuranceAccount): Promise<CheckResult> {
  return checkResultOf(() => insuranceClient(account, { log }).categories.list());
}

async function checkResultOf(call: () => Promise<unknown>): Promise<CheckResult> {
  try {
    await call();
    return { state: "accepted" };
  } catch (error) {
    if (error instanceof Unauthorised) return { state: "refused", reason: error.message };
    if (error instanceof NotFound) return { state: "unknown_store", reason: error.message };
    if (error instanceof InsuranceError)
      return { state: "unreachable", reason: error.message, hasResponded: error.status !== null };
    throw error;
  }
}

export interface NewConnection {
  environment: Environment;
  storeId: string;
  /** null keeps the saved token */
  token: string | null;
  /** null keeps the saved token */
  organisationToken: string | null;
}

/**
 * Saves the account if the insurer accepts it in a real call.
 * @param mayGoLive a first production account is used at once; else it waits for Go live
 * @param leaveStore runs in the transaction if this store replaces another one from now (`since`) on
 */
export async function connect(
  shop: string,
  { environment, storeId, token: newToken, organisationToken }: NewConnection,
  actor: Actor,
  mayGoLive: boolean,
  leaveStore: (since: Date, tx: Transaction) => Promise<void>,
): Promise<ConnectResult> {
  const key = { shop_environment: { shop, environment } };
  const existing = await db.connection.findUnique({ where: key });
  const token = newToken ?? (existing && openToken(shop, environment, "token", existing.sealedToken));
  if (token === null) return { state: "token_needed" };
  const baseUrl = baseUrls[environment];
  const other = environment === "test" ? "production" : "test";
  if ((await storeConnection(shop, other))?.account.token === token) return { state: "other_environment" };
  const scope = `${shop}:${environment}`;
  const result = await checkStoreAccount({ baseUrl, storeId, token, key: `${scope}:check` });
  if (result.state === "refused" && baseUrls[other] !== baseUrl) {
    const elsewhere = { baseUrl: baseUrls[other], storeId, token, key: `${scope}:check-other` };
    if ((await checkStoreAccount(elsewhere)).state === "accepted") return { state: "other_environment" };
  }
  if (result.state !== "accepted") return result;
  const organisation =
    organisationToken === null
      ? null
      : await checkOrganisation({
          baseUrl,
          token: organisationToken,
          key: `${scope}:organisation:check`,
        });
  const savedOrganisationToken = organisation?.state === "organisation_refused" ? null : organisationToken;
  const now = new Date();
  const row = {
    storeId,
    sealedToken: sealToken(shop, environment, "token", token),
    tokenSetAt: newToken === null && existing ? existing.tokenSetAt : now,
    checkedAt: now,
    state: "accepted" satisfies ConnectionState,
    // The requirements of another store are unknown yet, and so is its point of sale.
    ...(existing?.storeId === storeId
      ? {}
      : { phoneNumber: "optional" satisfies PhoneNumberNeed, statusWords: {}, pointsOfSale: [] }),
    ...(savedOrganisationToken === null
      ? {}
      : {
          sealedOrganisationToken: sealToken(shop, environment, "organisation", savedOrganisationToken),
          organisationTokenSetAt: now,
        }),
  };
  await db.$transaction(async (tx) => {
    await tx.connection.upsert({ where: key, create: { shop, environment, ...row }, update: row });
    const since = await noteStore(tx, shop, { environment, storeId });
    if (since !== null) await leaveStore(since, tx);
    if (environment === "test" || mayGoLive) await activateFirstConnected(shop, environment, tx);
    await scheduleSelling(shop, tx);
    const before = { storeId: existing?.storeId ?? null };
    // The log records that there is a new token, never the token.
    const after = {
      storeId,
      newToken: newToken !== null,
      newOrganisationToken: savedOrganisationToken !== null,
    };
    await recordAudit({ shop, actor, action: "connected", subject: environment, before, after }, tx);
  });
  return organisation ?? result;
}

/** Null: the insurer accepts the organisation's token. A failing analytics endpoint says nothing about the token. */
async function checkOrganisation(account: Account): Promise<ConnectResult | null> {
  const result = await checkResultOf(() => organisationAnalytics(account, { log }).verifyToken());
  if (result.state === "accepted") return null;
  const state = result.state === "refused" ? "organisation_refused" : "organisation_unchecked";
  return { state, reason: result.reason };
}

/** Saves the URL of the merchant's account at the insurer; tasks and orders link to it. */
export async function saveAccountAddress(
  shop: string,
  accountUrl: string | null,
  actor: Actor,
): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.merchant.updateMany({ where: { shop }, data: { accountUrl } });
    await recordAudit({ shop, actor, action: "account_address_saved" }, tx);
  });
}

/** Deletes the organisation's token. */
export async function removeOrganisationToken(
  shop: string,
  environment: Environment,
  actor: Actor,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.connection.updateMany({
      where: { shop, environment, sealedOrganisationToken: { not: null } },
      data: { sealedOrganisationToken: null, organisationTokenSetAt: null },
    });
    if (count === 0) return;
    await recordAudit({ shop, actor, action: "organisation_removed", subject: environment }, tx);
  });
}

/** Deletes an account and its tokens. */
export async function disconnect(shop: string, environment: Environment, actor: Actor): Promise<void> {
  await db.$transaction(async (tx) => {
    const where = { shop, environment };
    const account = await tx.connection.findUnique({ where: { shop_environment: where } });
    if (account === null) return;
    await tx.connection.deleteMany({ where });
    await forgetSwitchTo(shop, environment, tx);
    await scheduleSelling(shop, tx, { delayed: true });
    const before = { storeId: account.storeId };
    await recordAudit({ shop, actor, action: "disconnected", subject: environment, before }, tx);
  });
}

export async function listConnections(shop: string): Promise<ConnectionView[]> {
  const rows = await db.connection.findMany({ where: { shop } });
  return rows.map((row) => ({
    environment: environmentSchema.parse(row.environment),
    storeId: row.storeId,
    tokenSetAt: row.tokenSetAt,
    organisationTokenSetAt: row.organisationTokenSetAt,
    checkedAt: row.checkedAt,
    state: connectionState.parse(row.state),
    phoneNumber: phoneNumberNeed.parse(row.phoneNumber),
  }));
}

/** Checks the saved account and saves the result. Null: there is no account. */
export async function checkConnection(shop: string, environment: Environment): Promise<CheckResult | null> {
  const stored = await storeConnection(shop, environment);
  if (!stored) return null;
  const { account } = stored;
  const result = await checkStoreAccount({ ...account, key: `${account.key}:check` });
  const state = result.state === "unknown_store" ? "refused" : result.state;
  await saveConnectionState(shop, environment, state, account);
  return result;
}

// The store of a shop's plans in each environment. It stays known while the account is disconnected: a merchant who
// connects another store must not get the previous store's contracts.

interface Store {
  environment: Environment;
  storeId: string;
}

/** The id of the store that this one would replace. Null: there is no other. */
export async function storeBefore(shop: string, { environment, storeId }: Store): Promise<string | null> {
  const connectedStore = await db.connectedStore.findUnique({
    where: { shop_environment: { shop, environment } },
  });
  return connectedStore && connectedStore.storeId !== storeId ? connectedStore.storeId : null;
}

/**
 * @returns the time of the replacement if this call replaces another store; null: it is the first or the same store
 */
async function noteStore(
  tx: Transaction,
  shop: string,
  { environment, storeId }: Store,
): Promise<Date | null> {
  const since = new Date();
  await tx.connectedStore.createMany({ data: { shop, environment, storeId }, skipDuplicates: true });
  const { count } = await tx.connectedStore.updateMany({
    where: { shop, environment, NOT: { storeId } },
    data: { storeId, since },
  });
  return count === 0 ? null : since;
}
