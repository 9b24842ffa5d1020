/**
 * Applies the category rules to all products of the shop in a run, or to a few products at once. Writes each
 * product's category into its metafield (`$app:insurance_category`) for the theme.
 */
import { z } from "zod";
import { executeRun, type RunReport } from "#app/catalogue/runs/execute-run.server.ts";
import { RunRefused } from "#app/catalogue/runs/run.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { ShopProduct } from "#app/platform/prisma/client.ts";
import { runBulkMutation } from "#app/shopify/bulk.server.ts";
import { AdminRefused, joinMessages, NoAccess, type UserError, UserErrors } from "#app/shopify/errors.ts";
import { gid } from "#app/shopify/gid.ts";
import { type AdminClient, createAdminClient } from "#app/shopify/graphql.server.ts";
import { readProducts } from "./product-query.server.ts";
import {
  type Decided,
  type MetafieldWrite,
  recordWrittenKeys,
  saveDecisions,
} from "./product-store.server.ts";
import { listOverrides, listRules, productPages } from "./rules.server.ts";
import { decideCategory, type Rule } from "./rules.ts";

/** The job: reads all products, applies the rules, and writes the differences. */
export async function categoriseProducts(
  { shop, runId }: { shop: string; runId: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  await executeRun(shop, runId, async (report) => {
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

/** A catalogue run also starts with this if the shop's products are unknown. */
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
  await writeLaterDecisions(adminClient, writes, report);
}

/** The bulk write may have overwritten decisions of webhooks that came during the run: this writes them again. */
async function writeLaterDecisions(
  adminClient: AdminClient,
  sent: readonly MetafieldWrite[],
  report: RunReport,
): Promise<void> {
  if (sent.length < IN_BULK_FROM) return;
  const sentKeys = new Map(sent.map(({ productId, key }) => [productId, key]));
  for await (const page of productPages(adminClient.shop)) {
    const later = page.flatMap(({ productId, categoryId, writtenKey }): MetafieldWrite[] => {
      const key = keyOrNull(categoryId);
      const wasSent = sentKeys.get(productId);
      return wasSent !== undefined && wasSent !== key && writtenKey !== key ? [{ productId, key }] : [];
    });
    const refused = await writeCategoryKeysNow(adminClient, later);
    await report.problems(
      [...refused].map(([productId, detail]) => ({ productId, problem: "not_written", detail })),
    );
  }
}

/**
 * Decides these products now, if they are known, by the saved rules: a run may still be applying new ones.
 * @returns Shopify's message for each product whose category it refused
 * @throws AdminRefused, AdminUnavailable, NoAccess
 */
export async function categoriseKnown(
  adminClient: AdminClient,
  productIds: string[],
): Promise<Map<string, string>> {
  const { shop } = adminClient;
  const rules = await listRules(shop);
  const rows = await db.shopProduct.findMany({ where: { shop, productId: { in: productIds } } });
  const overrides = await listOverrides(shop, productIds);
  const { decided, writes } = findChanges(rows, rules, overrides);
  await saveDecisions(shop, decided);
  return writeCategoryKeysNow(adminClient, writes);
}

const keyOrNull = (categoryId: string | null) => (categoryId === null ? null : categoryKey(categoryId));

/** Finds the products whose saved decision or metafield differs from the result of the rules. */
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
    const key = keyOrNull(decision.categoryId);
    if (decision.categoryId !== row.categoryId || decision.decidedBy !== row.decidedBy) {
      decided.push({ productId, ...decision });
    }
    if (key !== row.writtenKey) writes.push({ productId, key });
  }
  return { decided, writes };
}

/** Shopify's limit of metafields in one call. */
const PER_CALL = 25;

/**
 * Above this number of products a bulk operation is faster: it costs 20 points, one call for 25 products costs 110.
 */
const IN_BULK_FROM = 500;

const SET = `#graphql
mutation ParasolSetCategories($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) { userErrors { field message code } }
}`;

const DELETE = `#graphql
mutation ParasolDeleteCategories($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) { userErrors { field message } }
}`;

const userErrors = z.object({ userErrors: z.array(z.object({ message: z.string() })) });

/** If a line fails as a whole, the mutation's field or all data is null, and the group's result is unknown. */
const bulkResult = z.object({
  data: z
    .union([
      z.object({ metafieldsSet: userErrors }).transform(({ metafieldsSet }) => metafieldsSet.userErrors),
      z
        .object({ metafieldsDelete: userErrors })
        .transform(({ metafieldsDelete }) => metafieldsDelete.userErrors),
    ])
    .nullish()
    .catch(null),
  __lineNumber: z.number().int(),
});

/** The products of one call. Shopify writes all of a group or none. */
interface Group {
  writes: readonly MetafieldWrite[];
  variables: object;
  /** @throws UserErrors */
  send: (adminClient: AdminClient) => Promise<unknown>;
}

/** Products with a metafield to set, or with a metafield to delete. */
interface GroupedMutation {
  mutation: string;
  writes: readonly MetafieldWrite[];
  groups: Group[];
}

function groupWrites(writes: readonly MetafieldWrite[]): GroupedMutation[] {
  const set = writes.filter(({ key }) => key !== null);
  const deleted = writes.filter(({ key }) => key === null);
  return [
    {
      mutation: SET,
      writes: set,
      groups: toGroups(set, metafieldInput, (client, r) => client.mutate(SET, r)),
    },
    {
      mutation: DELETE,
      writes: deleted,
      groups: toGroups(deleted, metafieldIdentifier, (client, r) => client.mutate(DELETE, r)),
    },
  ];
}

function toGroups<Input>(
  writes: readonly MetafieldWrite[],
  toInput: (write: MetafieldWrite) => Input,
  mutate: (
    adminClient: AdminClient,
    request: { variables: { metafields: Input[] }; requestedCost: number },
  ) => Promise<unknown>,
): Group[] {
  const groups: Group[] = [];
  for (let from = 0; from < writes.length; from += PER_CALL) {
    const group = writes.slice(from, from + PER_CALL);
    const variables = { metafields: group.map(toInput) };
    const requestedCost = 10 + group.length * 4;
    groups.push({ writes: group, variables, send: (client) => mutate(client, { variables, requestedCost }) });
  }
  return groups;
}

/** @returns Shopify's errors */
async function writeGroup(adminClient: AdminClient, group: Group): Promise<readonly UserError[]> {
  try {
    await group.send(adminClient);
    return [];
  } catch (error) {
    if (error instanceof UserErrors) return error.errors;
    throw error;
  }
}

/** Sets or deletes the metafields of these products, and reports refused products as problems. */
export async function writeCategoryKeys(
  adminClient: AdminClient,
  writes: readonly MetafieldWrite[],
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  const { shop } = adminClient;
  for (const { mutation, writes: grouped, groups } of groupWrites(writes)) {
    if (grouped.length >= IN_BULK_FROM) {
      const variables = groups.map((group) => group.variables);
      const results = runBulkMutation(adminClient, mutation, variables, bulkResult, signal);
      for await (const { data, __lineNumber } of results) {
        await recordOutcome(shop, groups[__lineNumber]?.writes ?? [], data ?? null, report);
      }
    } else {
      for (const group of groups)
        await recordOutcome(shop, group.writes, await writeGroup(adminClient, group), report);
    }
  }
}

/**
 * Sets or deletes the metafields of a few products now.
 * @returns Shopify's message for each product that it refused
 */
export async function writeCategoryKeysNow(
  adminClient: AdminClient,
  writes: readonly MetafieldWrite[],
): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  for (const group of groupWrites(writes).flatMap(({ groups }) => groups)) {
    const errors = await writeGroup(adminClient, group);
    if (errors.length === 0) await recordWrittenKeys(adminClient.shop, group.writes);
    else for (const { productId } of group.writes) refused.set(productId, joinMessages(errors));
  }
  // Retry each product separately: one refused product makes Shopify refuse the whole group.
  if (writes.length > 1) {
    for (const each of writes.filter(({ productId }) => refused.has(productId))) {
      refused.delete(each.productId);
      for (const [id, message] of await writeCategoryKeysNow(adminClient, [each])) refused.set(id, message);
    }
  }
  return refused;
}

/** @param errors Shopify's errors for the whole group; null: the result is unknown */
async function recordOutcome(
  shop: string,
  group: readonly MetafieldWrite[],
  errors: readonly UserError[] | null,
  report: RunReport,
): Promise<void> {
  const isWritten = errors?.length === 0;
  if (isWritten) await recordWrittenKeys(shop, group);
  else {
    const detail = errors === null ? "" : joinMessages(errors);
    await report.problems(group.map(({ productId }) => ({ productId, problem: "not_written", detail })));
  }
  report.count(isWritten ? "written" : "problems", group.length);
  await report.advance(group.length);
}

function metafieldIdentifier({ productId }: MetafieldWrite) {
  return { ownerId: gid("Product", productId), namespace: "$app", key: "insurance_category" };
}

function metafieldInput(write: MetafieldWrite) {
  return { ...metafieldIdentifier(write), type: "single_line_text_field", value: write.key ?? "" };
}
