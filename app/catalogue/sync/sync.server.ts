/**
 * The catalogue run: finds all references of the service, brings the shop in line with them, and publishes the compact
 * catalogues; where the shop sells nothing now, its plan products are drafts. Each step compares before it acts, so a run that was cut off finds less to do when it is delivered again.
 */
import { Unauthorised } from "#app/insurance/errors.ts";
import { requestAccountCheck } from "#app/merchants/connection-state.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { activeEnvironment, environmentToSync, giveUpSwitch } from "#app/merchants/environment.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readSellingStop } from "#app/merchants/selling.server.ts";
import { AdminRefused, NoAccess } from "#app/shopify/errors.ts";
import { type AdminClient, createAdminClient } from "#app/shopify/graphql.server.ts";
import { discoverCategories } from "#app/catalogue/discovery/discover-categories.server.ts";
import { readAllProducts } from "#app/catalogue/product-categories/categorise-products.server.ts";
import { countProducts } from "#app/catalogue/product-categories/product-store.server.ts";
import { executeRun, type RunReport } from "#app/catalogue/runs/execute-run.server.ts";
import { RunRefused } from "#app/catalogue/runs/run.ts";
import { hasRunSince, startRun } from "#app/catalogue/runs/runs.server.ts";
import { NoOnlineStore } from "./publication.server.ts";
import { writeCatalogue } from "./write-catalogue.server.ts";

/** The job. */
export async function syncCatalogue(
  { shop, runId }: { shop: string; runId: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  let synced: Environment | undefined;
  const work = async (report: RunReport): Promise<void> => {
    const environment = await environmentToSync(shop);
    synced = environment;
    await report.environment(environment);
    const stop = await readSellingStop(shop, environment);
    // Plans go off sale without the service, which may be what cannot be used.
    const isWithdrawal = report.run.reason === "selling" && stop !== null;
    const access = isWithdrawal ? null : await connectionIn(shop, environment);
    if (!access && !isWithdrawal)
      throw new RunRefused("not_connected", "The shop is not connected to the insurance service");
    const adminClient = createAdminClient(shop, { signal });
    try {
      if (access) {
        if ((await countProducts(shop)) === 0) await readProductsFirst(adminClient, report, signal);
        await discoverCategories(shop, access, report, signal);
      }
      const sale = { environment, currency: await readCurrency(shop), isSelling: stop === null };
      await writeCatalogue(adminClient, sale, report, signal);
    } catch (error) {
      if (error instanceof Unauthorised) {
        await requestAccountCheck(shop, environment);
        throw new RunRefused("token_refused", error.message);
      }
      if (error instanceof NoAccess) throw new RunRefused("no_access", error.message);
      if (error instanceof AdminRefused || error instanceof NoOnlineStore) {
        throw new RunRefused("platform_refused", error.message);
      }
      throw error;
    } finally {
      report.recordCost({ adminCalls: adminClient.cost.requests, points: adminClient.cost.points });
    }
  };
  await executeRun(shop, runId, signal, work, async () => {
    if (synced !== undefined) await returnToAccountInUse(shop, synced);
  });
}

/** A switch whose catalogue could not be synced is given up: prices of the account in use must not grow old meanwhile. */
async function returnToAccountInUse(shop: string, synced: Environment): Promise<void> {
  const isGivenUp = await giveUpSwitch(shop, synced);
  if (isGivenUp || (await activeEnvironment(shop)) !== synced)
    await startRun(shop, "catalogue", "connection");
}

/**
 * The products of a shop where they are not known yet. A run that reads them as well may apply its rules while the
 * collections are being read here, so the rules are applied again.
 */
async function readProductsFirst(
  adminClient: AdminClient,
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  const { shop } = adminClient;
  const began = new Date();
  await report.phase("products", 0);
  await readAllProducts(adminClient, report, signal);
  if (await hasRunSince(shop, "products", began)) await startRun(shop, "products", "rules");
}

async function readCurrency(shop: string): Promise<string> {
  const merchant = await findMerchant(shop);
  if (!merchant || merchant.currency === "") {
    throw new RunRefused("no_access", "The shop's currency is not known");
  }
  return merchant.currency;
}
