/** References per shop and environment of the insurer, and the variant of the shop that sells each. */
import { billing } from "#app/insurance/fields.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { lockStore } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import type { Reference as ReferenceRow } from "#app/platform/prisma/client.ts";
import { refusalOf, type SaleRule } from "../../../extensions/sale-rule.ts";
import type { Reference, ReferenceProblem } from "./reference.ts";

/** A row as the reference that it holds. */
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

/** Those of these references that are known, whatever their category. */
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

/** Each reference of a category that has changed is a statement, and several categories are saved concurrently. */
const SAVE_OPTIONS = { timeout: 30_000, maxWait: 30_000 };

/**
 * Keeps what was found of a category: new references are added, others brought up to date.
 * @param complete the category was read to its end, so what was not found has vanished; a reference for single products
 *   only if one of them was named
 * @returns null: the account sells for another store by now, and nothing was saved
 */
export async function saveReferences(
  shop: string,
  { environment, storeId }: { environment: Environment; storeId: string },
  categoryId: string,
  found: readonly Reference[],
  complete: false | { products: readonly string[] },
): Promise<SavedReferences | null> {
  const save = async (tx: Transaction) =>
    (await lockStore(tx, shop, environment, storeId))
      ? saveFound(tx, shop, environment, categoryId, found, complete)
      : null;
  return db.$transaction(save, SAVE_OPTIONS);
}

async function saveFound(
  tx: Transaction,
  shop: string,
  environment: Environment,
  categoryId: string,
  found: readonly Reference[],
  complete: false | { products: readonly string[] },
): Promise<SavedReferences> {
  const rows = await tx.reference.findMany({ where: { shop, environment, categoryId } });
  const known = new Map(rows.map((row) => [row.referenceId, row]));
  const fresh = found.filter(({ referenceId }) => !known.has(referenceId));
  // A reference that moved to this category from another one is known under its id.
  const moved = await tx.reference.findMany({
    where: { shop, environment, referenceId: { in: fresh.map(({ referenceId }) => referenceId) } },
  });
  for (const row of moved) known.set(row.referenceId, row);
  const added = found.filter(({ referenceId }) => !known.has(referenceId));
  const { count: created } = await tx.reference.createMany({
    data: added.map((reference) => ({ ...reference, shop, environment })),
    skipDuplicates: true,
  });
  const confirm = (reference: Reference) =>
    tx.reference.update({
      where: { shop_environment_referenceId: { shop, environment, referenceId: reference.referenceId } },
      data: { ...reference, state: "offered", vanishedAt: null },
    });
  // A shopper's live offer brought some meanwhile.
  if (created < added.length) for (const reference of added) await confirm(reference);
  let changed = 0;
  for (const each of found) {
    const row = known.get(each.referenceId);
    const reference = row ? withProductsOf(row, each) : each;
    if (!row || (isSameReference(reference, row) && row.state === "offered")) continue;
    changed += 1;
    await confirm(reference);
  }
  const seen = new Set(found.map(({ referenceId }) => referenceId));
  const gone = complete
    ? rows.filter(
        ({ state, referenceId, productReferenceIds: own }) =>
          state === "offered" &&
          !seen.has(referenceId) &&
          (own.length === 0 || own.some((product) => complete.products.includes(product))),
      )
    : [];
  await tx.reference.updateMany({
    // Another category may have taken one over meanwhile.
    where: { shop, environment, categoryId, referenceId: { in: gone.map(({ referenceId }) => referenceId) } },
    data: { state: "vanished", vanishedAt: new Date() },
  });
  return { added: added.length, changed, vanished: gone.length };
}

/** Another store is connected: what the one before offered is not on offer until this one says so. */
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

/** A reference for single products is offered to more of them over time; one that is for all stays so. */
function withProductsOf(row: { productReferenceIds: string[] }, reference: Reference): Reference {
  const { productReferenceIds: now } = reference;
  const before = row.productReferenceIds;
  const both = now.length === 0 || before.length === 0 ? [] : [...new Set([...before, ...now])];
  return { ...reference, productReferenceIds: both };
}

/** Whether nothing that is sold or shown differs. */
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

/** Writes what is wrong with a category's references, that the others are right, and the names of their formulas. */
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
  const cured: string[] = [];
  const renamed = new Map<string | null, string[]>();
  for (const row of rows) {
    const formula = formulas.get(row.referenceId) ?? null;
    if (formula !== row.formula) renamed.set(formula, [...(renamed.get(formula) ?? []), row.referenceId]);
    const now = problems.get(row.referenceId);
    if (!now && row.problem !== null) cured.push(row.referenceId);
    if (!now || (now.problem === row.problem && now.detail === row.problemDetail)) continue;
    await db.reference.update({
      where: { shop_environment_referenceId: { shop, environment, referenceId: row.referenceId } },
      data: { problem: now.problem, problemDetail: now.detail },
    });
  }
  await db.reference.updateMany({
    where: { shop, environment, referenceId: { in: cured } },
    data: { problem: null, problemDetail: null },
  });
  for (const [formula, ids] of renamed) {
    await db.reference.updateMany({
      where: { shop, environment, referenceId: { in: ids } },
      data: { formula },
    });
  }
}

/** Whether the last sync sold, or withheld, a reference that the rule of sale says otherwise of by now. */
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
