/** Claims, read from the insurer. */
import { LRUCache } from "lru-cache";
import type { Claim } from "#app/insurance/claims.ts";
import type { Listed } from "#app/insurance/list.ts";
import { callInsurer, connectionIn } from "#app/merchants/insurance-connection.server.ts";
import type { InsuranceConnection, InsurerResult } from "#app/merchants/insurance-connection.server.ts";
import { z } from "zod";
import { insuranceClient } from "#app/insurance/client.ts";
import { InsuranceError } from "#app/insurance/errors.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { claimsOn, contractClaim } from "./claims.ts";
import type { ContractClaim } from "./claims.ts";
import { storeClaims } from "./stored-claims.server.ts";

/** The insurer returns all claims at once: paging through the list must not fetch them again for each page. */
const claimsCache = new LRUCache<string, Listed<Claim>, InsuranceConnection>({
  // Of memory, in bytes: two for each character. A list that is larger is fetched for every page.
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: (claims) => 2 * JSON.stringify(claims).length,
  ttl: 60_000,
  fetchMethod: (_key, _stale, { context }) => context.client.claims.listReadable(),
});

/** All claims of the shop's store, at most a minute old. */
export async function readClaims(shop: string): Promise<InsurerResult<Listed<Claim>>> {
  return callInsurer(shop, async (connection) => {
    const key = JSON.stringify([shop, connection.environment, connection.account.storeId]);
    // An answer from the cache says nothing about an account that the insurer does not accept now.
    const forceRefresh = connection.state !== "accepted";
    const listed = await claimsCache.fetch(key, { context: connection, forceRefresh });
    return listed ?? { items: [], unreadable: null };
  });
}

// The claims on a customer's contracts: queried from the insurer per contract and cached, so that the page shows the
// last known claims while the insurer is down.

export interface KnownClaims {
  claims: ContractClaim[];
  /** when the insurer said so */
  readAt: Date;
  /** false: the insurer did not respond */
  isCurrent: boolean;
}

/** The insurer is not queried again within this time, however often the page is opened. */
const FRESH_MS = 60_000;
/** Contracts that one page view queries; the others show their cached claims. */
const MOST_ASKED = 40;
/**
 * A customer waits, and as many of them as like may look: their look-ups have limits of their own, and what fails
 * keeps no plan from being created.
 */
const limits = {
  timeoutMs: 2_500,
  attempts: 1,
  concurrency: 8,
  waiting: 80,
  breaker: { failures: 4, openMs: 10_000 },
};

export interface AskedContract {
  contractId: string;
  /** of a store that is not connected any more: its claims cannot be queried */
  isSoldByPreviousStore: boolean;
}

/** By contract; one of which nothing was ever known is missing. */
export async function readContractClaims(
  shop: string,
  environment: Environment,
  contracts: readonly AskedContract[],
): Promise<Map<string, KnownClaims>> {
  const rows = await db.contractClaims.findMany({
    where: { shop, environment, contractId: { in: contracts.map(({ contractId }) => contractId) } },
  });
  const freshSince = Date.now() - FRESH_MS;
  const known = new Map(
    rows.map(({ contractId, claims, readAt }): [string, KnownClaims] => [
      contractId,
      { claims: z.array(contractClaim).parse(claims), readAt, isCurrent: readAt.getTime() > freshSince },
    ]),
  );
  const due = contracts
    .filter(
      ({ contractId, isSoldByPreviousStore }) =>
        !isSoldByPreviousStore && known.get(contractId)?.isCurrent !== true,
    )
    .map(({ contractId }) => contractId);
  const queriedIds = [...new Set(due)].slice(0, MOST_ASKED);
  for (const [contractId, claims] of await askFor(shop, environment, queriedIds))
    known.set(contractId, { claims, readAt: new Date(), isCurrent: true });
  return known;
}

/** What the insurer answers now, by contract; without those for which it does not. */
async function askFor(
  shop: string,
  environment: Environment,
  contractIds: readonly string[],
): Promise<Map<string, ContractClaim[]>> {
  const connection = contractIds.length === 0 ? null : await connectionIn(shop, environment);
  if (!connection) return new Map();
  const { account } = connection;
  const client = insuranceClient({ ...account, key: `${account.key}:customers` }, { log, ...limits });
  const answers = await Promise.all(
    contractIds.map(async (contractId): Promise<[string, ContractClaim[]][]> => {
      try {
        const { items } = await client.claims.listReadable({ planId: contractId });
        return [[contractId, claimsOn(contractId, items)]];
      } catch (error) {
        if (!(error instanceof InsuranceError)) throw error;
        log.warn({ err: error, shop }, "Failed to query a contract's claims; its page shows the cached ones");
        return [];
      }
    }),
  );
  const answered = new Map(answers.flat());
  await storeClaims(shop, environment, answered);
  return answered;
}
