/**
 * A merchant's accounts at the insurance service: one for the test, one for the production environment. Saved only
 * after the service has accepted the token; the token never leaves the server and is encrypted at rest.
 */
import { organisationAnalytics } from "#app/insurance/analytics.server.ts";
import type { OrganisationAccount } from "#app/insurance/analytics.server.ts";
import { insuranceClient } from "#app/insurance/client.server.ts";
import type { InsuranceAccount, InsuranceClient } from "#app/insurance/client.server.ts";
import { InsuranceError, NotFound, Unauthorised } from "#app/insurance/errors.ts";
import { open, seal } from "#app/platform/crypto.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { recordActivity } from "./activity.server.ts";
import { connectionState, environment } from "./connection.ts";
import type {
  CheckResult,
  ConnectionState,
  ConnectionView,
  ConnectResult,
  Environment,
} from "./connection.ts";

const baseUrls: Record<Environment, string> = {
  test: env.INSURANCE_BASE_URL_TEST,
  production: env.INSURANCE_BASE_URL_PRODUCTION,
};

const purpose = (shop: string, where: string, what: "token" | "organisation") =>
  `connection:${shop}:${where}:${what}`;

/** Asks the service with this account; `GET categories` costs it least. */
async function check(account: InsuranceAccount): Promise<CheckResult> {
  return answerTo(() => insuranceClient(account, { log }).categories.list());
}

async function answerTo(call: () => Promise<unknown>): Promise<CheckResult> {
  try {
    await call();
    return { state: "accepted" };
  } catch (error) {
    if (error instanceof Unauthorised) return { state: "refused", reason: error.message };
    if (error instanceof NotFound) return { state: "unknown_store", reason: error.message };
    if (error instanceof InsuranceError) return { state: "unreachable", reason: error.message };
    throw error;
  }
}

export interface NewConnection {
  environment: Environment;
  storeId: string;
  /** null keeps the token that is already there */
  token: string | null;
  /** null keeps what is there */
  organisationToken: string | null;
}

/** Checks the account with a real call and saves it only if the service accepts it. */
export async function connect(shop: string, given: NewConnection): Promise<ConnectResult> {
  const where = given.environment;
  const key = { shop_environment: { shop, environment: where } };
  const existing = await db.connection.findUnique({ where: key });
  const token = given.token ?? (existing && open(existing.sealedToken, purpose(shop, where, "token")));
  if (token === null) return { state: "token_needed" };
  const baseUrl = baseUrls[where];
  const scope = `${shop}:${where}`;
  const result = await check({ baseUrl, storeId: given.storeId, token, key: `${scope}:check` });
  if (result.state !== "accepted") return result;
  const { organisationToken } = given;
  if (organisationToken !== null) {
    const organisation = { baseUrl, token: organisationToken, key: `${scope}:organisation:check` };
    const answer = await answerTo(() =>
      organisationAnalytics(organisation, { log }).salesPage({ perPage: 1 }, 1),
    );
    if (answer.state !== "accepted") return { state: "organisation_refused", reason: answer.reason };
  }
  const now = new Date();
  const row = {
    storeId: given.storeId,
    sealedToken: seal(token, purpose(shop, where, "token")),
    tokenSetAt: given.token === null && existing ? existing.tokenSetAt : now,
    checkedAt: now,
    state: "accepted" satisfies ConnectionState,
    ...(organisationToken === null
      ? {}
      : {
          sealedOrganisationToken: seal(organisationToken, purpose(shop, where, "organisation")),
          organisationTokenSetAt: now,
        }),
  };
  await db.connection.upsert({ where: key, create: { shop, environment: where, ...row }, update: row });
  await useIfOnly(shop, where);
  await recordActivity(shop, "connected", where);
  return result;
}

/** The first account that is connected is the one in use. */
async function useIfOnly(shop: string, where: Environment): Promise<void> {
  const others = await db.connection.count({ where: { shop, environment: { not: where } } });
  if (others === 0) await db.merchant.updateMany({ where: { shop }, data: { environment: where } });
}

/** Forgets the organisation's token. */
export async function removeOrganisationToken(shop: string, where: Environment): Promise<void> {
  const { count } = await db.connection.updateMany({
    where: { shop, environment: where },
    data: { sealedOrganisationToken: null, organisationTokenSetAt: null },
  });
  if (count > 0) await recordActivity(shop, "organisation_removed", where);
}

/** Forgets an account and its tokens. */
export async function disconnect(shop: string, where: Environment): Promise<void> {
  const { count } = await db.connection.deleteMany({ where: { shop, environment: where } });
  if (count > 0) await recordActivity(shop, "disconnected", where);
}

export async function listConnections(shop: string): Promise<ConnectionView[]> {
  const rows = await db.connection.findMany({ where: { shop } });
  return rows.map((row) => ({
    environment: environment.parse(row.environment),
    storeId: row.storeId,
    tokenSetAt: row.tokenSetAt,
    organisationTokenSetAt: row.organisationTokenSetAt,
    checkedAt: row.checkedAt,
    state: connectionState.parse(row.state),
  }));
}

/** Calls the service with the saved account and remembers what it answered. Null: there is no account. */
export async function recheck(shop: string, where: Environment): Promise<CheckResult | null> {
  const account = await accountOf(shop, where);
  if (!account) return null;
  const result = await check({ ...account, key: `${account.key}:check` });
  await rememberState(shop, where, result.state === "unknown_store" ? "refused" : result.state);
  return result;
}

/** Notes what the service answered to a call made elsewhere, such as a token that it no longer takes. */
export async function rememberState(shop: string, where: Environment, state: ConnectionState): Promise<void> {
  const checkedAt = new Date();
  const { count } = await db.connection.updateMany({
    where: { shop, environment: where, state: { not: state } },
    data: { state, checkedAt },
  });
  if (count === 0) {
    await db.connection.updateMany({ where: { shop, environment: where }, data: { checkedAt } });
  } else if (state === "refused") {
    await recordActivity(shop, "token_refused", where);
  }
}

/** What every page must say of the service: it refuses the token in use, or did not answer. Null: nothing. */
export async function serviceNotice(merchant: {
  shop: string;
  environment: string;
}): Promise<{ state: "refused" | "unreachable"; environment: Environment } | null> {
  const where = environment.parse(merchant.environment);
  const key = { shop_environment: { shop: merchant.shop, environment: where } };
  const row = await db.connection.findUnique({ where: key, select: { state: true } });
  const state = connectionState.parse(row?.state ?? "accepted");
  return state === "accepted" ? null : { state, environment: where };
}

/** Which environment of the service the shop uses now. */
export async function activeEnvironment(shop: string): Promise<Environment> {
  const merchant = await db.merchant.findUnique({ where: { shop }, select: { environment: true } });
  return environment.parse(merchant?.environment ?? "test");
}

/** Uses the other account from now on. What was begun in one environment is ended there (`serviceIn`). */
export async function switchEnvironment(
  shop: string,
  to: Environment,
): Promise<{ state: "switched" | "not_connected" }> {
  if ((await db.connection.count({ where: { shop, environment: to } })) === 0)
    return { state: "not_connected" };
  await db.merchant.updateMany({ where: { shop }, data: { environment: to } });
  await recordActivity(shop, "environment_used", to);
  return { state: "switched" };
}

/** A merchant's way to the service: the client, and which environment it speaks to. */
export interface ServiceAccess {
  environment: Environment;
  account: InsuranceAccount;
  client: InsuranceClient;
}

/** The service as the shop is connected to it now. Null: not connected. */
export async function serviceFor(shop: string): Promise<ServiceAccess | null> {
  return serviceIn(shop, await activeEnvironment(shop));
}

/** What came of asking the service for something to show. */
export type Asked<T> =
  | { state: "answered"; value: T }
  | { state: "not_connected" }
  /** `refused`: the token is no longer taken; `failed`: no answer, or none that can be used */
  | { state: "refused" | "failed"; reason: string };

/**
 * Asks the service for a page, and remembers whether it takes the token.
 * @param where the environment to ask in; the one in use where it is left out
 */
export async function askService<T>(
  shop: string,
  ask: (access: ServiceAccess) => Promise<T>,
  where?: Environment,
): Promise<Asked<T>> {
  const access = await (where === undefined ? serviceFor(shop) : serviceIn(shop, where));
  if (!access) return { state: "not_connected" };
  try {
    return { state: "answered", value: await ask(access) };
  } catch (error) {
    if (!(error instanceof InsuranceError)) throw error;
    if (!(error instanceof Unauthorised)) return { state: "failed", reason: error.message };
    await rememberState(shop, access.environment, "refused");
    return { state: "refused", reason: error.message };
  }
}

/** The service in one environment: what was begun in an environment is ended there, whatever is active now. */
export async function serviceIn(shop: string, where: Environment): Promise<ServiceAccess | null> {
  const account = await accountOf(shop, where);
  return account && { environment: where, account, client: insuranceClient(account, { log }) };
}

/** What the organisation's analytics need. Null: no organisation token is set in this environment. */
export async function organisationAccess(
  shop: string,
  where: Environment,
): Promise<OrganisationAccount | null> {
  const row = await db.connection.findUnique({ where: { shop_environment: { shop, environment: where } } });
  if (!row?.sealedOrganisationToken) return null;
  return {
    baseUrl: baseUrls[where],
    token: open(row.sealedOrganisationToken, purpose(shop, where, "organisation")),
    key: `${shop}:${where}:organisation`,
  };
}

async function accountOf(shop: string, where: Environment): Promise<InsuranceAccount | null> {
  const row = await db.connection.findUnique({ where: { shop_environment: { shop, environment: where } } });
  if (!row) return null;
  return {
    baseUrl: baseUrls[where],
    storeId: row.storeId,
    token: open(row.sealedToken, purpose(shop, where, "token")),
    key: `${shop}:${where}`,
  };
}
