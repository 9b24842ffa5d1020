/**
 * The merchant's organisation at the service, whose sales and commissions are imported.
 */
import { createHash } from "node:crypto";
import { organisationAnalytics } from "#app/insurance/analytics.ts";
import type { OrganisationAnalytics } from "#app/insurance/analytics.ts";
import { organisationAccount } from "#app/merchants/accounts.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { log } from "#app/platform/log.server.ts";

export interface Organisation {
  /** Keeps this organisation's rows apart from another's: rows of a token that is no longer set are never shown. */
  id: string;
  analytics: OrganisationAnalytics;
}

/** Null: no organisation token is set in this environment. */
export async function organisationOf(shop: string, environment: Environment): Promise<Organisation | null> {
  const account = await organisationAccount(shop, environment);
  if (!account) return null;
  const id = createHash("sha256").update(`${account.baseUrl}\n${account.token}`).digest("hex").slice(0, 16);
  return { id, analytics: organisationAnalytics(account, { log }) };
}
