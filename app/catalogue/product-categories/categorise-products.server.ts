/** Applies the category rules: to all products of the shop in a run, or to a few products at once. */
import { executeRun, type RunReport } from "#app/catalogue/runs/execute-run.server.ts";
import { RunRefused } from "#app/catalogue/runs/run.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { ShopProduct } from "#app/platform/prisma/client.ts";
import { AdminRefused, NoAccess } from "#app/shopify/errors.ts";
import { type AdminClient, createAdminClient } from "#app/shopify/graphql.server.ts";
import { writeCategoryKeys, writeCategoryKeysNow } from "./category-metafields.server.ts";
import { readProducts } from "./product-query.server.ts";
import { type Decided, type MetafieldWrite, saveDecisions } from "./product-store.server.ts";
import { listOverrides, listRules, productPages } from "./rules.server.ts";
import { decideCategory, type Rule } from "./rules.ts";

/** The job: reads all products, applies the rules, writes what differs. */
export async function categoriseProducts(
  { shop, runId }: { shop: string; runId: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  await executeRun(shop, runId, signal, async (report) => {
    const adminClient = createAdminClient(shop, { signal });
    try {
      await report.phase("read", await countShopProducts(adminClient));
      await readAllProducts(adminClient, report, signal);
      await applyRules(adminClient, report, signal);
    } catch (error) {
      if (error instanceof NoAccess) throw new RunRefused("no_access", error.message);
      if (error instanceof AdminRefused) throw new RunRefused("platform_refused", error.message);
      throw error;
    } finally {
      report.recordCost({ adminCalls: adminClient.cost.requests, points: adminClient.cost.points });
    }
  });
}

async function countShopProducts(adminClient: AdminClient): Promise<number> {
  const data = await adminClient.request(
    `#graphql
    query ParasolProductsCount { productsCount(limit: null) { count } }`,
    {},
  );
  return data.productsCount?.count ?? 0;
}

/** Also what a catalogue run does first in a shop whose products are not known yet. */
export async function readAllProducts(
  adminClient: AdminClient,
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  const merchant = await findMerchant(adminClient.shop);
  const currency = merchant?.currency ?? "";
  const read = await readProducts(adminClient, currency, (done) => report.advance(done), signal);
  report.count("products", read);
}

async function applyRules(adminClient: AdminClient, report: RunReport, signal: AbortSignal): Promise<void> {
  const { shop } = adminClient;
  const rules = await listRules(shop);
  const overrides = await listOverrides(shop);
  const writes: MetafieldWrite[] = [];
  for await (const page of productPages(shop)) {
    const { decided, writes: ofPage } = findChanges(page, rules, overrides);
    writes.push(...ofPage);
    await saveDecisions(shop, decided);
    report.count("decided", decided.length);
  }
  await report.phase("write", writes.length);
  await writeCategoryKeys(adminClient, writes, report, signal);
}

/**
 * Decides these products now, as far as they are known.
 * @returns what the platform said of those whose category it refused, by product
 * @throws AdminRefused, AdminUnavailable, NoAccess
 */
export async function categoriseKnown(
  adminClient: AdminClient,
  productIds: string[],
  rules: readonly Rule[],
): Promise<Map<string, string>> {
  const { shop } = adminClient;
  const rows = await db.shopProduct.findMany({ where: { shop, productId: { in: productIds } } });
  const overrides = await listOverrides(shop, productIds);
  const { decided, writes } = findChanges(rows, rules, overrides);
  await saveDecisions(shop, decided);
  return writeCategoryKeysNow(adminClient, writes);
}

/** What the rules decide otherwise than is saved, and what products' metafields do not say yet. */
function findChanges(
  rows: readonly ShopProduct[],
  rules: readonly Rule[],
  overrides: ReadonlyMap<string, string | null>,
): { decided: Decided[]; writes: MetafieldWrite[] } {
  const decided: Decided[] = [];
  const writes: MetafieldWrite[] = [];
  for (const row of rows) {
    const { productId } = row;
    const decision = decideCategory(row, rules, overrides);
    const key = decision.categoryId === null ? null : categoryKey(decision.categoryId);
    if (decision.categoryId !== row.categoryId || decision.decidedBy !== row.decidedBy) {
      decided.push({ productId, ...decision });
    }
    if (key !== row.writtenKey) writes.push({ productId, key });
  }
  return { decided, writes };
}
