/** References per shop and environment of the insurer, and the variant of the shop that sells each. */
import { billing } from "#app/insurance/fields.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { lockStore } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import type { Reference as ReferenceRow } from "#app/platform/prisma/client.ts";
import { refusalOf, type SaleRule } from "../../../extensions/sale-rule.ts";
import type { Reference } from "./reference.ts";
import type { ReferenceProblem } from "./reference-problems.ts";

/** Converts a database row to a reference. */
export function referenceFromRow(row: ReferenceRow): Reference {
  return {
    referenceId: row.referenceId,
    contractId: row.contractId,
    categoryId: row.categoryId,
    termMonths: row.termMonths,
    termLength: row.termLength,
    priceMinor: row.priceMinor,
    currency: row.currency,
    bandMinMinor: row.bandMinMinor,
    bandMaxMinor: row.bandMaxMinor,
    billing: billing.parse(row.billing),
    title: row.title,
    productReferenceIds: row.productReferenceIds,
  };
}

export async function listReferences(
  shop: string,
  environment: Environment,
  categoryId: string,
): Promise<KnownReference[]> {
  const rows = await db.reference.findMany({ where: { shop, environment, categoryId } });
  return rows.map((row) => ({ ...referenceFromRow(row), vanished: row.state === "vanished" }));
}

/** The known references among these, whatever their category. */
export async function listReferencesById(
  shop: string,
  environment: Environment,
  referenceIds: readonly string[],
): Promise<Reference[]> {
  if (referenceIds.length === 0) return [];
  const where = { shop, environment, referenceId: { in: [...referenceIds] } };
  return (await db.reference.findMany({ where })).map(referenceFromRow);
}

export interface KnownReference extends Reference {
  vanished: boolean;
}

export interface SavedReferences {
  added: number;
  changed: number;
  vanished: number;
}

/** Each changed reference needs a statement, and several categories are saved concurrently. */
const SAVE_OPTIONS = { timeout: 30_000, maxWait: 30_000 };

/**
 * Saves the references that discovery found in a category: inserts new ones and updates the others.
 * @param complete discovery read the whole category, so a reference that it did not find has vanished. A reference
 * for single products vanishes only if a request named one of them
 * @returns null: the account sells for another store now, and nothing was saved
 */
export async function saveReferences(
  shop: string,
  { environment, storeId }: { environment: Environment; storeId: string },
  categoryId: string,
  discovered: readonly Reference[],
  complete: false | { products: readonly string[] },
): Promise<SavedReferences | null> {
  const save = async (tx: Transaction) =>
    (await lockStore(tx, shop, environment, storeId))
      ? saveDiscovered(tx, shop, environment, categoryId, discovered, complete)
      : null;
  return db.$transaction(save, SAVE_OPTIONS);
}

async function saveDiscovered(
  tx: Transaction,
  shop: string,
  environment: Environment,
  categoryId: string,
  discovered: readonly Reference[],
  complete: false | { products: readonly string[] },
): Promise<SavedReferences> {
  const categoryRows = await tx.reference.findMany({ where: { shop, environment, categoryId } });
  const categoryIds = new Set(categoryRows.map(({ referenceId }) => referenceId));
  const otherIds = discovered.map(({ referenceId }) => referenceId).filter((id) => !categoryIds.has(id));
  // A reference that moved here from another category is already stored under its id.
  const movedRows = await tx.reference.findMany({
    where: { shop, environment, referenceId: { in: otherIds } },
  });
  const { added, changed, vanishedIds } = diffReferences(
    [...categoryRows, ...movedRows],
    discovered,
    complete,
  );
  const { count: inserted } = await tx.reference.createMany({
    data: added.map((reference) => ({ ...reference, shop, environment })),
    skipDuplicates: true,
  });
  // A shopper's live offer may have inserted some of them in the meantime.
  for (const reference of inserted < added.length ? [...added, ...changed] : changed) {
    await tx.reference.update({
      where: { shop_environment_referenceId: { shop, environment, referenceId: reference.referenceId } },
      data: { ...reference, state: "offered", vanishedAt: null },
    });
  }
  await tx.reference.updateMany({
    // Another category may have taken over one of them in the meantime.
    where: { shop, environment, categoryId, referenceId: { in: vanishedIds } },
    data: { state: "vanished", vanishedAt: new Date() },
  });
  return { added: added.length, changed: changed.length, vanished: vanishedIds.length };
}

interface ReferenceChanges {
  added: Reference[];
  changed: Reference[];
  vanishedIds: string[];
}

/** @param rows the stored references of the category, and those that move into it */
function diffReferences(
  rows: readonly ReferenceRow[],
  discovered: readonly Reference[],
  complete: false | { products: readonly string[] },
): ReferenceChanges {
  const rowsById = new Map(rows.map((row) => [row.referenceId, row]));
  const changed = discovered.flatMap((each) => {
    const row = rowsById.get(each.referenceId);
    if (!row) return [];
    const reference = withProductsOf(row, each);
    return isSameReference(reference, row) && row.state === "offered" ? [] : [reference];
  });
  const discoveredIds = new Set(discovered.map(({ referenceId }) => referenceId));
  const vanished = complete
    ? rows.filter(
        ({ state, referenceId, productReferenceIds }) =>
          state === "offered" &&
          !discoveredIds.has(referenceId) &&
          (productReferenceIds.length === 0 ||
            productReferenceIds.some((product) => complete.products.includes(product))),
      )
    : [];
  return {
    added: discovered.filter(({ referenceId }) => !rowsById.has(referenceId)),
    changed,
    vanishedIds: vanished.map(({ referenceId }) => referenceId),
  };
}

/** Another store is connected: the previous store's references are not on offer until the new store offers them. */
export async function forgetStoresReferences(
  shop: string,
  environment: Environment,
  since: Date,
  tx: Transaction,
): Promise<void> {
  await tx.reference.updateMany({
    where: { shop, environment, state: "offered" },
    data: { state: "vanished", vanishedAt: since },
  });
}

/** A reference for single products gets more products over time. A reference for all products stays so. */
function withProductsOf(row: { productReferenceIds: string[] }, reference: Reference): Reference {
  const isForAll = reference.productReferenceIds.length === 0 || row.productReferenceIds.length === 0;
  const products = new Set([...row.productReferenceIds, ...reference.productReferenceIds]);
  return { ...reference, productReferenceIds: isForAll ? [] : [...products] };
}

/** Whether all fields that are sold or shown are equal. */
function isSameReference(a: Reference, b: Omit<Reference, "billing"> & { billing: string }): boolean {
  return (
    a.contractId === b.contractId &&
    a.categoryId === b.categoryId &&
    a.termMonths === b.termMonths &&
    a.termLength === b.termLength &&
    a.priceMinor === b.priceMinor &&
    a.currency === b.currency &&
    a.bandMinMinor === b.bandMinMinor &&
    a.bandMaxMinor === b.bandMaxMinor &&
    a.billing === b.billing &&
    a.title === b.title &&
    a.productReferenceIds.join() === b.productReferenceIds.join()
  );
}

/** Saves the problems of a category's references, clears solved problems, and saves the formula names. */
export async function saveReferenceStates(
  shop: string,
  environment: Environment,
  categoryId: string,
  {
    problems,
    formulas,
  }: { problems: ReadonlyMap<string, ReferenceProblem>; formulas: ReadonlyMap<string, string> },
): Promise<void> {
  const rows = await db.reference.findMany({
    where: { shop, environment, categoryId },
    select: { referenceId: true, formula: true, problem: true, problemDetail: true },
  });
  const solved: string[] = [];
  const renamed = new Map<string | null, string[]>();
  for (const row of rows) {
    const formula = formulas.get(row.referenceId) ?? null;
    if (formula !== row.formula) renamed.set(formula, [...(renamed.get(formula) ?? []), row.referenceId]);
    const problem = problems.get(row.referenceId);
    if (!problem && row.problem !== null) solved.push(row.referenceId);
    if (!problem || (problem.problem === row.problem && problem.detail === row.problemDetail)) continue;
    await db.reference.update({
      where: { shop_environment_referenceId: { shop, environment, referenceId: row.referenceId } },
      data: { problem: problem.problem, problemDetail: problem.detail },
    });
  }
  await db.reference.updateMany({
    where: { shop, environment, referenceId: { in: solved } },
    data: { problem: null, problemDetail: null },
  });
  for (const [formula, ids] of renamed) {
    await db.reference.updateMany({
      where: { shop, environment, referenceId: { in: ids } },
      data: { formula },
    });
  }
}

/** Whether the sale rule has changed its decision on any reference since the last sync. */
export async function isSaleRuleOutOfStep(
  shop: string,
  environment: Environment,
  rule: SaleRule,
): Promise<boolean> {
  const rows = await db.reference.findMany({
    where: {
      shop,
      environment,
      state: "offered",
      OR: [{ problem: null }, { problem: { in: ["yearly_premium", "monthly"] } }],
    },
  });
  return rows.some(
    (row) => (refusalOf(rule, { cover: referenceFromRow(row) }) !== null) !== (row.problem !== null),
  );
}
