/** A merchant's accounts at the insurer, with their encrypted tokens. */
import type { Account } from "#app/insurance/request.ts";
import type { InsuranceAccount } from "#app/insurance/client.ts";
import { open, seal, type SealedValue } from "#app/platform/crypto.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import {
  type ConnectionState,
  type Environment,
  environment as environmentSchema,
  type PhoneNumberNeed,
} from "./connection.ts";
import { findConnection, type StoredConnection } from "./merchant.server.ts";

/** The insurer's address in each environment. */
export const baseUrls: Record<Environment, string> = {
  test: env.INSURANCE_BASE_URL_TEST,
  production: env.INSURANCE_BASE_URL_PRODUCTION,
};

/** Both environments have one address, so only the token says which one answers. */
export const haveOneAddress = () => baseUrls.test === baseUrls.production;

type TokenKind = "token" | "organisation";

const purpose = (shop: string, environment: Environment, kind: TokenKind) =>
  `connection:${shop}:${environment}:${kind}`;

/** Encrypts a token, bound to its shop, environment and kind. */
export function sealToken(shop: string, environment: Environment, kind: TokenKind, token: string): string {
  return seal(token, purpose(shop, environment, kind));
}

/** Decrypts a token sealed for the same shop, environment and kind. */
export function openToken(shop: string, environment: Environment, kind: TokenKind, sealed: string): string {
  return open(sealed, purpose(shop, environment, kind));
}

/** The tokens of all connections, for the key rotation. */
export async function* sealedTokens(): AsyncIterable<SealedValue> {
  for (const { shop, environment, sealedToken, sealedOrganisationToken } of await db.connection.findMany()) {
    const of = environmentSchema.parse(environment);
    yield {
      sealed: sealedToken,
      purpose: purpose(shop, of, "token"),
      replace: (next) =>
        db.connection.updateMany({
          where: { shop, environment, sealedToken },
          data: { sealedToken: next },
        }),
    };
    if (sealedOrganisationToken === null) continue;
    yield {
      sealed: sealedOrganisationToken,
      purpose: purpose(shop, of, "organisation"),
      replace: (next) =>
        db.connection.updateMany({
          where: { shop, environment, sealedOrganisationToken },
          data: { sealedOrganisationToken: next },
        }),
    };
  }
}

/** An account with its known properties. */
export interface StoreConnection {
  account: InsuranceAccount;
  /** whether its contracts need a phone number */
  phoneNumber: PhoneNumberNeed;
  /** the state after the insurer's last answers */
  state: ConnectionState;
}

/** Null: not connected in this environment. */
export async function storeConnection(
  shop: string,
  environment: Environment,
): Promise<StoreConnection | null> {
  const stored = await findConnection(shop, environment);
  return stored && openStoredConnection(shop, environment, stored);
}

export function openStoredConnection(
  shop: string,
  environment: Environment,
  { storeId, sealedToken, phoneNumber, state, statusWords }: StoredConnection,
): StoreConnection {
  const token = openToken(shop, environment, "token", sealedToken);
  const key = `${shop}:${environment}:${storeId}`;
  return {
    account: { baseUrl: baseUrls[environment], storeId, token, key, statusWords },
    phoneNumber,
    state,
  };
}

/** The account of the merchant's organisation, for analytics. Null: no organisation token in this environment. */
export async function organisationAccount(shop: string, environment: Environment): Promise<Account | null> {
  const row = await db.connection.findUnique({ where: { shop_environment: { shop, environment } } });
  if (!row?.sealedOrganisationToken) return null;
  return {
    baseUrl: baseUrls[environment],
    token: openToken(shop, environment, "organisation", row.sealedOrganisationToken),
    key: `${shop}:${environment}:organisation`,
  };
}
