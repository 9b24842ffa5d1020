/** Runs discovery for every category that the service offers, and saves what it finds. */
import pLimit from "p-limit";
import { InsuranceError, RateLimited, Unauthorised, Unavailable } from "#app/insurance/errors.ts";
import type { InsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import {
  findPricedVariants,
  listPricedVariants,
} from "#app/catalogue/product-categories/product-store.server.ts";
import {
  listCategories,
  saveCategories,
  saveDiscovery,
  saveDiscoveryError,
  type StoredCategory,
} from "#app/catalogue/references/categories.server.ts";
import { listReferences, saveReferences } from "#app/catalogue/references/references.server.ts";
import type { RunReport } from "#app/catalogue/runs/execute-run.server.ts";
import { discoverCategory, type DiscoveryInput, type DiscoveryResult } from "./discovery.server.ts";

/** Limit of categories that are searched concurrently. */
const CONCURRENCY = 4;

interface CategoriesDiscovery {
  shop: string;
  access: InsuranceConnection;
  report: RunReport;
  signal: AbortSignal;
  /** requests sent to the service */
  cost: { serviceCalls: number };
}

/** A category that cannot be read keeps what is known of it. @throws InsuranceError where no category could be read */
export async function discoverCategories(
  shop: string,
  access: InsuranceConnection,
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  const { environment, client } = access;
  const discovery: CategoriesDiscovery = { shop, access, report, signal, cost: { serviceCalls: 0 } };
  const listed = await client.categories.list();
  discovery.cost.serviceCalls += 1;
  report.recordCost(discovery.cost);
  await saveCategories(shop, environment, listed);
  const offered = new Set(listed.map(({ id }) => id));
  const stored = await listCategories(shop, environment);
  const categories = stored.filter(({ category }) => offered.has(category.id));
  await report.phase("discover", categories.length);

  const limit = pLimit(CONCURRENCY);
  const results = await Promise.allSettled(
    categories.map((category) => limit(discoverAndSave, discovery, category)),
  );
  const outages: InsuranceError[] = [];
  for (const result of results) {
    if (result.status === "rejected") throw result.reason;
    if (result.value !== null) outages.push(result.value);
  }
  // Nothing could be read at all: the service is down, the run is worth another attempt.
  const [outage] = outages;
  if (outage && outages.length === categories.length) throw outage;
}

/** @returns the error where the service was not available, null otherwise */
async function discoverAndSave(
  discovery: CategoriesDiscovery,
  stored: StoredCategory,
): Promise<InsuranceError | null> {
  const { shop, access, report, signal, cost } = discovery;
  const categoryId = stored.category.id;
  let outage: InsuranceError | null = null;
  // Done already, before the run was cut off.
  if (stored.runId !== report.run.id) {
    try {
      const input = await readDiscoveryInput(discovery, stored);
      const found = await discoverCategory(access.client, categoryId, input, signal);
      cost.serviceCalls += found.calls;
      await saveFound(discovery, categoryId, input, found);
    } catch (error) {
      if (!(error instanceof InsuranceError) || error instanceof Unauthorised) throw error;
      if (error instanceof Unavailable || error instanceof RateLimited) outage = error;
      await saveDiscoveryError(shop, access.environment, categoryId, error.message);
      await report.problems([{ categoryId, problem: "not_read", detail: error.message }]);
    }
    report.recordCost(cost);
  }
  await report.advance();
  return outage;
}

async function readDiscoveryInput(
  { shop, access, report }: CategoriesDiscovery,
  { category, liveProducts, round }: StoredCategory,
): Promise<DiscoveryInput> {
  const references = await listReferences(shop, access.environment, category.id);
  const general = references.filter(
    ({ vanished, productReferenceIds }) => !vanished && productReferenceIds.length === 0,
  );
  const known = general.filter(({ isConfirmed }) => isConfirmed);
  const imported = general.filter(({ isConfirmed }) => !isConfirmed);
  const ownOfferVariants = await findPricedVariants(shop, liveProducts);
  const variants = await listPricedVariants(shop, category.id);
  return { variants, ownOfferVariants, known, imported, round, thorough: report.run.reason !== "schedule" };
}

async function saveFound(
  { shop, access: { environment }, report }: CategoriesDiscovery,
  categoryId: string,
  { ownOfferVariants }: DiscoveryInput,
  found: DiscoveryResult,
): Promise<void> {
  const { references } = found;
  // A product that was seen to get other offers stays live until that very product is checked again.
  const unchecked = ownOfferVariants
    .map(({ variantId }) => variantId)
    .filter((id) => !found.products.includes(id));
  const liveProducts = [...unchecked, ...found.differing];
  const saved = await saveReferences(shop, environment, categoryId, references, found);
  await saveDiscovery(shop, environment, categoryId, {
    runId: report.run.id,
    live: liveProducts.length > 0,
    liveProducts,
  });
  report.count("references_added", saved.added);
  report.count("references_changed", saved.changed);
  report.count("references_vanished", saved.vanished);
  if (references.length === 0) await report.problems([{ categoryId, problem: "empty_category" }]);
}
