/**
 * Applies the category rules to the shop's products and writes each product's category into its metafield
 * (`$app:insurance_category`), where the theme reads it.
 */
import { z } from "zod";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { toMinorUnits } from "#app/platform/money.ts";
import { runBulkMutation } from "#app/shopify/bulk.server.ts";
import { gid } from "#app/shopify/gid.ts";
import { createAdminClient, joinMessages, operationName, userErrors } from "#app/shopify/graphql.server.ts";
import type { ProductPayload } from "#app/shopify/payloads/products.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { factsOf, fetchProduct, deleteProduct, readProducts, saveProduct } from "./products.server.ts";
import { listOverrides, listRules, productPages } from "./rules.server.ts";
import { decideCategory } from "./rules.ts";
import type { Rule } from "./rules.ts";
import { executeRun, RunRefused } from "#app/catalogue/runs/runs.server.ts";
import type { RunReport } from "#app/catalogue/runs/runs.server.ts";
import { PLAN_TAG } from "#app/catalogue/sync/plan-products.ts";
import { AdminRefused, NoAccess } from "#app/shopify/errors.ts";

/** The job: reads all products, applies the rules, writes what differs. */
export async function categoriseProducts(
  { shop, runId }: { shop: string; runId: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  await executeRun(shop, runId, signal, async (report) => {
    const adminClient = createAdminClient(shop, { signal });
    try {
      await report.phase("read", await expectedProducts(adminClient));
      await readAllProducts(adminClient, report, signal);
      await applyRules(adminClient, report, signal);
    } catch (error) {
      if (error instanceof NoAccess) throw new RunRefused("no_access", error.message);
      if (error instanceof AdminRefused) throw new RunRefused("platform_refused", error.message);
      throw error;
    } finally {
      report.spent({ adminCalls: adminClient.cost.requests, points: adminClient.cost.points });
    }
  });
}

const productsCount = z.object({ productsCount: z.object({ count: z.number().int() }).nullable() });

async function expectedProducts(adminClient: AdminClient): Promise<number> {
  const answer = await adminClient.request({
    query: `#graphql
    query ParasolProductsCount { productsCount(limit: null) { count } }`,
    schema: productsCount,
  });
  return answer.productsCount?.count ?? 0;
}

/** Also what a catalogue run does first in a shop whose products are not known yet. */
export async function readAllProducts(
  adminClient: AdminClient,
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  const merchant = await findMerchant(adminClient.shop);
  const currency = merchant?.currency ?? "";
  const read = await readProducts(
    adminClient,
    { currency, runId: report.run.id },
    (done) => report.advance(done),
    signal,
  );
  report.count("products", read);
}

/** What one product should have in its metafield, and does not. */
interface MetafieldWrite {
  productId: string;
  /** null: none */
  key: string | null;
}

async function applyRules(adminClient: AdminClient, report: RunReport, signal: AbortSignal): Promise<void> {
  const { shop } = adminClient;
  const rules = await listRules(shop);
  const overrides = await listOverrides(shop);
  const writes: MetafieldWrite[] = [];
  for await (const page of productPages(shop)) {
    const decided: { productId: string; categoryId: string | null; decidedBy: string | null }[] = [];
    for (const row of page) {
      const decision = decideCategory(factsOf(row), rules, overrides);
      const key = decision.categoryId === null ? null : categoryKey(decision.categoryId);
      if (decision.categoryId !== row.categoryId || decision.decidedBy !== row.decidedBy) {
        decided.push({ productId: row.productId, ...decision });
      }
      if (key !== row.writtenKey) writes.push({ productId: row.productId, key });
    }
    await saveDecisions(shop, decided);
    report.count("decided", decided.length);
  }
  await report.phase("write", writes.length);
  await writeCategoryKeys(adminClient, writes, report, signal);
}

async function saveDecisions(
  shop: string,
  decided: readonly { productId: string; categoryId: string | null; decidedBy: string | null }[],
): Promise<void> {
  if (decided.length === 0) return;
  await db.$executeRaw`
    UPDATE "ShopProduct" p SET "categoryId" = r."categoryId", "decidedBy" = r."decidedBy"
    FROM jsonb_to_recordset(${JSON.stringify(decided)}::jsonb)
      AS r("productId" text, "categoryId" text, "decidedBy" text)
    WHERE p.shop = ${shop} AND p."productId" = r."productId"`;
}

/** The platform takes so many metafields in one call. */
const PER_CALL = 25;
/** Above so many products a bulk operation is quicker: it costs 20 points, a call for 25 products 110. */
const IN_BULK_FROM = 500;

const SET = `mutation ParasolSetCategories($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) { userErrors { field message code } }
}`;
const DELETE = `mutation ParasolDeleteCategories($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) { userErrors { field message } }
}`;
const setAnswer = z.object({ metafieldsSet: z.object({ userErrors }) });
const deleteAnswer = z.object({ metafieldsDelete: z.object({ userErrors }) });
const outcome = z.union([
  setAnswer.transform(({ metafieldsSet }) => metafieldsSet.userErrors),
  deleteAnswer.transform(({ metafieldsDelete }) => metafieldsDelete.userErrors),
]);
const bulkOutcome = z.object({ data: outcome.nullish(), __lineNumber: z.number().int() });

function identifier({ productId }: MetafieldWrite) {
  return { ownerId: gid("Product", productId), namespace: "$app", key: "insurance_category" };
}

async function writeCategoryKeys(
  adminClient: AdminClient,
  writes: readonly MetafieldWrite[],
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  for (const { mutation, own, input } of [
    { mutation: SET, own: writes.filter(({ key }) => key !== null), input: setInput },
    { mutation: DELETE, own: writes.filter(({ key }) => key === null), input: identifier },
  ]) {
    const groups: MetafieldWrite[][] = [];
    for (let from = 0; from < own.length; from += PER_CALL) groups.push(own.slice(from, from + PER_CALL));
    const variables = groups.map((group) => ({ metafields: group.map(input) }));
    const settle = async (index: number, errors: z.infer<typeof userErrors> | null): Promise<void> => {
      const group = groups[index] ?? [];
      if (errors?.length === 0) await recordWrittenKeys(adminClient.shop, group);
      else {
        const detail = errors?.map(({ message }) => message).join("; ") ?? "";
        await report.problems(group.map(({ productId }) => ({ productId, problem: "not_written", detail })));
      }
      report.count(errors?.length === 0 ? "written" : "problems", group.length);
      await report.advance(group.length);
    };
    if (own.length >= IN_BULK_FROM) {
      for await (const { data, __lineNumber } of runBulkMutation(
        adminClient,
        mutation,
        variables,
        bulkOutcome,
        signal,
      )) {
        await settle(__lineNumber, data ?? null);
      }
      continue;
    }
    for (const [index, group] of variables.entries()) {
      const requestedCost = 10 + group.metafields.length * 4;
      await settle(
        index,
        await adminClient.request({ query: mutation, variables: group, schema: outcome, requestedCost }),
      );
    }
  }
}

function setInput(write: MetafieldWrite) {
  return { ...identifier(write), type: "single_line_text_field", value: write.key ?? "" };
}

async function recordWrittenKeys(shop: string, writes: readonly MetafieldWrite[]): Promise<void> {
  await db.$executeRaw`
    UPDATE "ShopProduct" p SET "writtenKey" = r.key
    FROM jsonb_to_recordset(${JSON.stringify(writes)}::jsonb) AS r("productId" text, key text)
    WHERE p.shop = ${shop} AND p."productId" = r."productId"`;
}

/**
 * Follows `products/create` and `products/update`: the product is read anew and its category decided. Reading, because
 * an event does not tell collections, may be older than the last one, and leaves out variants of large products. An
 * event that says nothing new about what the rules look at (most are about stock) costs no call.
 * @returns false where it is one of our own plan products
 */
export async function handleProductWebhook(shop: string, payload: ProductPayload): Promise<boolean> {
  if (payload.tags.includes(PLAN_TAG)) {
    await deleteProduct(shop, payload.id);
    return false;
  }
  const rules = await listRules(shop);
  const merchant = await findMerchant(shop);
  const currency = merchant?.currency ?? "";
  const looksAtCollections = rules.some(({ conditions }) =>
    conditions.some(({ field }) => field === "collection"),
  );
  if (!looksAtCollections && (await isUnchanged(shop, payload, currency))) return true;
  const adminClient = createAdminClient(shop);
  const read = await fetchProduct(adminClient, payload.id, currency);
  if (!read) await deleteProduct(shop, payload.id);
  else {
    await saveProduct(shop, read);
    await categoriseProduct(adminClient, payload.id, rules);
  }
  return true;
}

async function isUnchanged(shop: string, payload: ProductPayload, currency: string): Promise<boolean> {
  const row = await db.shopProduct.findUnique({ where: { shop_productId: { shop, productId: payload.id } } });
  const known = await db.shopVariant.findMany({ where: { shop, productId: payload.id } });
  const prices = new Map(known.map(({ variantId, priceMinor }) => [variantId, priceMinor]));
  const { variants } = payload;
  return (
    row !== null &&
    row.title === payload.title &&
    row.handle === payload.handle &&
    row.status === payload.status &&
    row.productType === payload.productType &&
    row.vendor === payload.vendor &&
    row.tags.toSorted().join() === payload.tags.toSorted().join() &&
    variants.length === known.length &&
    variants.every((variant) => prices.get(variant.id) === toMinorUnits(variant.price, currency))
  );
}

/** Decides one known product now. @throws AdminRefused, AdminUnavailable, NoAccess */
export async function categoriseProduct(
  adminClient: AdminClient,
  productId: string,
  rules: readonly Rule[],
): Promise<void> {
  const { shop } = adminClient;
  const row = await db.shopProduct.findUnique({ where: { shop_productId: { shop, productId } } });
  if (!row) return;
  const decision = decideCategory(factsOf(row), rules, await listOverrides(shop));
  await saveDecisions(shop, [{ productId, ...decision }]);
  const key = decision.categoryId === null ? null : categoryKey(decision.categoryId);
  if (key === row.writtenKey) return;
  const write = { productId, key };
  const errors = await adminClient.request({
    query: key === null ? DELETE : SET,
    variables: { metafields: [key === null ? identifier(write) : setInput(write)] },
    schema: outcome,
    requestedCost: 14,
  });
  if (errors.length > 0) {
    const operation = operationName(key === null ? DELETE : SET);
    throw new AdminRefused(joinMessages(errors), { shop, operation, requestId: null });
  }
  await recordWrittenKeys(shop, [write]);
}
