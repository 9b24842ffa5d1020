/**
 * The catalogue run: asks the service for all references, brings the shop in line with them, and publishes the compact
 * catalogues. Each step compares before it acts, so a run that was cut off goes on where it stopped when it is taken
 * up again: what is done shows no difference any more.
 */
import pLimit from "p-limit";
import { InsuranceError, RateLimited, Unauthorised, Unavailable } from "#app/insurance/errors.ts";
import { saveConnectionState } from "#app/merchants/connection-state.server.ts";
import { activeConnection } from "#app/merchants/insurance-connection.server.ts";
import type { InsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { discoverCategory } from "#app/catalogue/discovery/discovery.server.ts";
import { NoOnlineStore } from "./plan-products.server.ts";
import { readAllProducts } from "#app/catalogue/product-categories/product-categories.server.ts";
import {
  countProducts,
  listPricedVariants,
  findPricedVariants,
} from "#app/catalogue/product-categories/products.server.ts";
import {
  listCategories,
  listReferences,
  saveCategories,
  saveDiscovery,
  saveDiscoveryError,
  saveReferences,
} from "#app/catalogue/references/references.server.ts";
import type { StoredCategory } from "#app/catalogue/references/references.server.ts";
import { executeRun, RunRefused } from "#app/catalogue/runs/runs.server.ts";
import type { RunReport } from "#app/catalogue/runs/runs.server.ts";
import { writeCatalogue } from "./write.server.ts";
import { AdminRefused, NoAccess } from "#app/shopify/errors.ts";

/** So many categories are asked about at the same time. */
const AT_ONCE = 4;

/** The job. */
export async function syncCatalogue(
  { shop, runId }: { shop: string; runId: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  await executeRun(shop, runId, signal, async (report) => {
    const access = await activeConnection(shop);
    if (!access) throw new RunRefused("not_connected", "The shop is not connected to the insurance service");
    const adminClient = createAdminClient(shop, { signal });
    const spent = { serviceCalls: 0 };
    try {
      if ((await countProducts(shop)) === 0) {
        await report.phase("products", 0);
        await readAllProducts(adminClient, report, signal);
      }
      await discover(shop, access, report, spent, signal);
      await writeCatalogue(adminClient, await terms(shop, access), report, signal);
    } catch (error) {
      if (error instanceof Unauthorised) {
        await saveConnectionState(shop, access.environment, "refused");
        throw new RunRefused("token_refused", error.message);
      }
      if (error instanceof NoAccess) throw new RunRefused("no_access", error.message);
      if (error instanceof AdminRefused || error instanceof NoOnlineStore) {
        throw new RunRefused("platform_refused", error.message);
      }
      throw error;
    } finally {
      report.spent({ ...spent, adminCalls: adminClient.cost.requests, points: adminClient.cost.points });
    }
  });
}

async function terms(shop: string, access: InsuranceConnection) {
  const merchant = await findMerchant(shop);
  if (!merchant || merchant.currency === "")
    throw new RunRefused("no_access", "The shop's currency is not known");
  return { environment: access.environment, currency: merchant.currency };
}

/** Reads every category of the service; one that cannot be read keeps what is known of it. */
async function discover(
  shop: string,
  { environment, client }: InsuranceConnection,
  report: RunReport,
  spent: { serviceCalls: number },
  signal: AbortSignal,
): Promise<void> {
  const listed = await client.categories.list();
  spent.serviceCalls += 1;
  await saveCategories(shop, environment, listed);
  const offered = new Set(listed.map(({ id }) => id));
  const categories = (await listCategories(shop, environment)).filter(({ category }) =>
    offered.has(category.id),
  );
  await report.phase("discover", categories.length);
  const outages: InsuranceError[] = [];

  const one = async (stored: StoredCategory): Promise<void> => {
    const categoryId = stored.category.id;
    // Done already, before the run was cut off.
    if (stored.runId === report.run.id) return report.advance();
    const known = await listReferences(shop, environment, categoryId);
    const ownOfferVariants = await findPricedVariants(shop, stored.liveProducts);
    try {
      const found = await discoverCategory(
        client,
        categoryId,
        {
          variants: await listPricedVariants(shop, categoryId),
          ownOfferVariants,
          known: known.filter(
            ({ vanished, productReferenceIds }) => !vanished && productReferenceIds.length === 0,
          ),
          round: stored.round,
          thorough: report.run.reason !== "schedule",
        },
        signal,
      );
      spent.serviceCalls += found.calls;
      // What was seen to differ stays so until the very product is asked about again.
      const unasked = ownOfferVariants
        .map(({ variantId }) => variantId)
        .filter((id) => !found.products.includes(id));
      const liveProducts = [...unasked, ...found.differing];
      const saved = await saveReferences(shop, environment, categoryId, found.references, {
        source: "service",
        complete: found,
      });
      await saveDiscovery(shop, environment, categoryId, {
        runId: report.run.id,
        calls: found.calls,
        bands: found.bands,
        live: liveProducts.length > 0,
        liveProducts,
      });
      report.count("references_added", saved.added);
      report.count("references_changed", saved.changed);
      report.count("references_vanished", saved.vanished);
      if (found.references.length === 0) await report.problems([{ categoryId, problem: "empty_category" }]);
    } catch (error) {
      if (!(error instanceof InsuranceError) || error instanceof Unauthorised) throw error;
      if (error instanceof Unavailable || error instanceof RateLimited) outages.push(error);
      await saveDiscoveryError(shop, environment, categoryId, error.message);
      await report.problems([{ categoryId, problem: "not_read", detail: error.message }]);
    }
    report.spent(spent);
    await report.advance();
  };

  const limit = pLimit(AT_ONCE);
  const results = await Promise.allSettled(categories.map((stored) => limit(one, stored)));
  for (const result of results) if (result.status === "rejected") throw result.reason;
  // Nothing could be read at all: the service is down, the run is worth another attempt.
  const [outage] = outages;
  if (outage && outages.length === categories.length) throw outage;
}
