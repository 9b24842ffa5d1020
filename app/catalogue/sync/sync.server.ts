/**
 * The catalogue run: finds all references of the insurer, updates the shop's plan products, and publishes the compact
 * catalogues. If the shop does not sell insurance now, its plan products are drafts. Each step compares before it
 * writes, so a retry of an interrupted run has less to do.
 */
import { system } from "#app/audit/actor.ts";
import { discoverCategories } from "#app/catalogue/discovery/discovery.server.ts";
import { readAllProducts } from "#app/catalogue/product-categories/categorise-products.server.ts";
import { countProducts } from "#app/catalogue/product-categories/product-store.server.ts";
import { listUniverses } from "#app/catalogue/product-categories/rules.server.ts";
import { universeOf, type Universes } from "#app/catalogue/product-categories/universe.ts";
import { listCategories } from "#app/catalogue/references/categories.server.ts";
import { executeRun, type RunReport } from "#app/catalogue/runs/execute-run.server.ts";
import { RunRefused, StoreReplaced } from "#app/catalogue/runs/run.ts";
import { hasRunSince, startRun } from "#app/catalogue/runs/runs.server.ts";
import { Unauthorised } from "#app/insurance/errors.ts";
import { requestAccountCheck } from "#app/merchants/connection-state.server.ts";
import { storeBefore } from "#app/merchants/connection.server.ts";
import { type Environment, environments } from "#app/merchants/connection.ts";
import {
  activeEnvironment,
  completeSwitch,
  environmentToSync,
  giveUpSwitch,
  readAccounts,
} from "#app/merchants/environment.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readSellingStop } from "#app/merchants/selling.server.ts";
import { db } from "#app/platform/db.server.ts";
import { fetchInstallationId, setAppMetafields } from "#app/shopify/app-data.server.ts";
import { waitForBulkMutations } from "#app/shopify/bulk.server.ts";
import { AdminRefused, joinMessages, MetafieldsRefused, NoAccess, UserErrors } from "#app/shopify/errors.ts";
import { type AdminClient, createAdminClient } from "#app/shopify/graphql.server.ts";
import { applyChanges, planCategoryChanges, recordCategory } from "./changes.server.ts";
import { type CategoryChanges, soldReferences } from "./category-changes.ts";
import {
  categoryKey,
  compactContent,
  type CompactContent,
  digestOf,
  type SoldCategory,
} from "./compact-catalogue.ts";
import { type FoundProduct, isSellable } from "./plan-product-state.ts";
import { alignPublications, NoOnlineStore } from "./publication.server.ts";
import { readCreatedVariants, readShop } from "./read-plan-products.server.ts";
import { createSyncContext, type Sale, type SyncContext } from "./sync-context.server.ts";
import { recordDeletedProduct, recordRetiredProduct } from "./synced-products.server.ts";
import type { Closed } from "../../../extensions/catalogue.ts";
import { writeBands } from "./write-bands.server.ts";
import { retirePlanProduct } from "./write-plan-product.server.ts";

export async function syncCatalogue(
  { shop, runId }: { shop: string; runId: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  let synced: Environment | undefined;
  let sold: Sale | undefined;
  /** Selling was paused or resumed, or the account disconnected, during the run: another run follows. */
  const followChangedSale = async (): Promise<void> => {
    if (!sold) return;
    const isSelling = (await readSellingStop(shop, sold.environment)) === null;
    if (isSelling !== sold.isSelling) await startRun(shop, "catalogue", "selling");
  };
  const work = async (report: RunReport): Promise<void> => {
    const environment = await environmentToSync(shop);
    synced = environment;
    await report.environment(environment);
    const stop = await readSellingStop(shop, environment);
    // Ending the sale does not need the insurer, whose account may be the reason for the stop.
    const retiresAll = report.run.reason === "selling" && stop !== null;
    const access = retiresAll ? null : await connectionIn(shop, environment);
    if (!access && !retiresAll)
      throw new RunRefused("not_connected", "The shop is not connected to the insurer");
    const adminClient = createAdminClient(shop, { signal });
    try {
      if (access) {
        if ((await countProducts(shop)) === 0) await readProductsFirst(adminClient, report, signal);
        await discoverCategories(shop, access, report, signal);
      }
      const storeId = access?.account.storeId ?? null;
      sold = { environment, storeId, currency: await readCurrency(shop), isSelling: stop === null };
      await writeCatalogue(adminClient, sold, report, signal);
      await followChangedSale();
      // What was no longer offered has left the shop. But a run that read nothing is no success.
      if (access && (await db.reference.count({ where: { shop, environment, state: "offered" } })) === 0)
        throw new RunRefused("nothing_read", "The insurer's categories hold no offer that could be read");
    } catch (error) {
      if (error instanceof StoreReplaced) {
        await startRun(shop, "catalogue", "connection");
        return;
      }
      if (error instanceof Unauthorised) {
        await requestAccountCheck(shop, environment);
        throw new RunRefused("token_refused", error.message);
      }
      if (error instanceof NoAccess) throw new RunRefused("no_access", error.message);
      if (error instanceof NoOnlineStore) throw new RunRefused("no_online_store", error.message);
      if (error instanceof AdminRefused || error instanceof MetafieldsRefused)
        throw new RunRefused("platform_refused", error.message);
      throw error;
    } finally {
      report.recordCost({ adminCalls: adminClient.cost.requests, points: adminClient.cost.points });
    }
  };
  await executeRun(shop, runId, work, async () => {
    if (synced !== undefined) await returnToAccountInUse(shop, synced);
    await followChangedSale();
  });
}

/**
 * Cancels a switch whose catalogue could not be synced. Otherwise the prices of the account in use would become
 * stale.
 */
async function returnToAccountInUse(shop: string, synced: Environment): Promise<void> {
  const isGivenUp = await giveUpSwitch(shop, synced, system("catalogue_sync"), (transaction) =>
    startRun(shop, "catalogue", "connection", { transaction }),
  );
  if (!isGivenUp && (await activeEnvironment(shop)) !== synced)
    await startRun(shop, "catalogue", "connection");
}

/**
 * Reads the shop's products if they are unknown. A concurrent run for products may apply its rules before the
 * collections are saved here, so this applies the rules again.
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

export async function writeCatalogue(
  adminClient: AdminClient,
  sale: Sale,
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  await report.phase("read", 1);
  const { currency } = sale;
  const context = await createSyncContext(adminClient, sale, report, signal);
  const inShop = await readFoundProducts(context);
  const changes: CategoryChanges[] = [];
  for (const stored of await listCategories(adminClient.shop, sale.environment)) {
    changes.push(await planCategoryChanges(context, stored, inShop));
  }

  await report.phase(
    "write",
    changes.reduce((sum, { products }) => sum + products.length, 0),
  );
  const applied = await applyChanges(context, changes);
  const created = await readCreatedVariants(
    context,
    applied.flatMap(({ products }) => products),
  );

  const closed = new Map<string, Closed>();
  const alignment = { ...context, chosenChannels: context.settings.channels };
  for (const { stored, products } of applied) {
    const found = products.flatMap((each) => created.get(each.productId) ?? each.existingProduct ?? []);
    const { id } = stored.category;
    closed.set(id, await alignPublications(alignment, id, found));
  }

  await report.phase("publish", applied.length);
  for (const category of applied) await recordCategory(context, category, created);
  const contents = compactContents(
    applied.map((each) => ({
      ...each.stored,
      sold: soldReferences(each, created),
      closed: closed.get(each.stored.category.id),
    })),
    await listUniverses(adminClient.shop),
    currency,
  );
  // Before the storefront offers them, because the checkout refuses a plan without this metafield.
  await writeBands(context, applied, created);
  if (await publish(context, contents)) await retireOtherEnvironments(context, inShop);
  await report.advance(applied.length);
}

/** One content for each category. The first category of a universe includes the offers of the others. */
function compactContents(
  sold: readonly (SoldCategory & { live: boolean; closed: Closed | undefined })[],
  universes: Universes,
  currency: string,
): CompactContent[] {
  const byId = new Map(sold.map((each) => [each.category.id, each]));
  return sold.map(({ category, sold: own, live, closed }) => {
    const [, ...ids] = universeOf(universes, category.id);
    const others = ids.flatMap((id) => byId.get(id) ?? []);
    return compactContent(category, own, {
      currency,
      live: live || others.some((other) => other.live),
      others,
      closed: [closed, ...others.map((other) => other.closed)].filter((each) => each !== undefined),
    });
  });
}

/**
 * Publishes all categories at once: shoppers see the change here, also if the run switches the account.
 * @returns false if the shop has changed its account or store in the meantime: nothing was published
 * @throws RunRefused if the new account offers nothing
 */
async function publish(
  { adminClient, environment, storeId, isSelling, locale: { currency }, report }: SyncContext,
  contents: readonly CompactContent[],
): Promise<boolean> {
  const { shop } = adminClient;
  const { inUse, next } = await readAccounts(shop);
  const isReplaced = storeId !== null && (await storeBefore(shop, { environment, storeId })) !== null;
  if ((next ?? inUse) !== environment || isReplaced) {
    // The shop already contains its products: the next run unpublishes them.
    await startRun(shop, "catalogue", "connection");
    return false;
  }
  if (
    environment !== inUse &&
    isSelling &&
    contents.every(({ live, bands }) => !live && bands.length === 0)
  ) {
    throw new RunRefused("nothing_to_sell", "The account to which the shop is switching offers nothing");
  }
  const others = environments.filter((each) => each !== environment);
  const names = new Set(contents.map(({ category }) => category));
  const elsewhere = (await Promise.all(others.map((other) => listCategories(shop, other)))).flat();
  const ended = elsewhere
    .filter(({ category }) => !names.has(category.id))
    .map(({ category }) => compactContent(category, [], { currency, live: false }));
  const written = await publishCatalogues(adminClient, contents, ended, report);
  report.count("catalogues_written", written);
  if (await completeSwitch(shop, environment)) return true;
  // The switch was cancelled during publication: the next run restores the catalogue of the account in use.
  await startRun(shop, "catalogue", "connection");
  return false;
}

/** The shop's current plan products of both environments, by id. */
async function readFoundProducts(context: SyncContext): Promise<Map<string, FoundProduct>> {
  const { adminClient, report, recordedVariants, signal } = context;
  // An earlier interrupted sync may have left a bulk operation that still writes.
  if (recordedVariants.size > 0) await waitForBulkMutations(adminClient, signal);
  const { found, deleted } = await readShop(context);
  for (const productId of deleted) await recordDeletedProduct(adminClient.shop, productId);
  await report.advance();
  return found;
}

/**
 * Unpublishes the products of the other environment, also those that the merchant published again: a shopper must
 * never buy a test contract.
 * @throws UserErrors after the others are off sale, if Shopify refuses one
 */
async function retireOtherEnvironments(
  context: SyncContext,
  inShop: ReadonlyMap<string, FoundProduct>,
): Promise<void> {
  const { adminClient, environment, report, recordedProducts } = context;
  let refusal: UserErrors | undefined;
  for (const product of recordedProducts) {
    const shopProduct = inShop.get(product.productId);
    if (product.environment === environment || !shopProduct) continue;
    if (product.status === "DRAFT" && !isSellable(shopProduct)) continue;
    try {
      await retirePlanProduct(adminClient, product.productId);
    } catch (error) {
      if (!(error instanceof UserErrors)) throw error;
      const detail = joinMessages(error.errors);
      await report.problems([{ productId: product.productId, problem: "not_retired", detail }]);
      refusal ??= error;
      continue;
    }
    await recordRetiredProduct(adminClient.shop, product);
    report.count("products_retired");
  }
  if (refusal) throw refusal;
}

/** Shopify's limit of metafields in one atomic call. */
const PER_CALL = 25;

/**
 * Writes the compact catalogues into app-data metafields. Changed categories share one version and one atomic call
 * (25 categories per call), so a storefront never sees half of a category. Unchanged ones are not written.
 * @param ended categories that are no longer sold: written if the shop has a catalogue of them
 * @returns the number of catalogues written
 * @throws MetafieldsRefused after the others are written, if Shopify refuses one
 */
async function publishCatalogues(
  adminClient: AdminClient,
  contents: readonly CompactContent[],
  ended: readonly CompactContent[],
  report: RunReport,
): Promise<number> {
  const { shop } = adminClient;
  const installationId = await fetchInstallationId(adminClient);
  const rows = await db.publishedCatalogue.findMany({ where: { shop } });
  const publishedByKey = new Map(rows.map((row) => [row.key, row]));
  const version = Math.max(0, ...rows.map((row) => row.version)) + 1;
  const changed = [...contents, ...ended.filter(({ category }) => publishedByKey.has(categoryKey(category)))]
    .map((content) => ({ key: categoryKey(content.category), digest: digestOf(content), content }))
    .filter(({ key, digest }) => {
      const row = publishedByKey.get(key);
      return row?.digest !== digest || row.installationId !== installationId;
    })
    .map(({ key, digest, content }) => ({
      categoryId: content.category,
      key,
      digest,
      value: JSON.stringify({ v: version, ...content }),
    }));
  const groups = Array.from({ length: Math.ceil(changed.length / PER_CALL) }, (_, index) =>
    changed.slice(index * PER_CALL, (index + 1) * PER_CALL),
  );
  let refusal: MetafieldsRefused | undefined;
  // A refused group is written again one by one, at the end of the list.
  for (const group of groups) {
    try {
      await setAppMetafields(
        adminClient,
        installationId,
        group.map(({ key, value }) => ({ namespace: "catalogue", key, type: "json", value })),
      );
    } catch (error) {
      if (!(error instanceof MetafieldsRefused)) throw error;
      const [only, second] = group;
      if (second) groups.push(...group.map((each) => [each]));
      else if (only) {
        const { categoryId } = only;
        await report.problems([{ categoryId, problem: "not_written", detail: error.message }]);
        refusal = error;
      }
      continue;
    }
    for (const { key, digest, value } of group) {
      const row = { digest, version, bytes: Buffer.byteLength(value), installationId };
      await db.publishedCatalogue.upsert({
        where: { shop_key: { shop, key } },
        create: { shop, key, ...row },
        update: row,
      });
    }
  }
  if (refusal) throw refusal;
  return changed.length;
}
