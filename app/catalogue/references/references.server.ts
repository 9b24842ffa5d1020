/**
 * The catalogue of references, per shop and environment of the service: what discovery and imports found, and which
 * variant of the shop sells what.
 */
import { z } from "zod";
import { category as categorySchema } from "#app/insurance/category.ts";
import type { Category } from "#app/insurance/category.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import type { Reference as ReferenceRow } from "#app/platform/prisma/client.ts";
import type { ReferenceProblem, Reference } from "./reference.ts";

const billing = z.enum(["monthly", "annually"]);

/** A reference and where the shop sells it. */
export interface CataloguedReference extends Reference {
  /** the shop's variant; null while it has none */
  variantId: string | null;
  /** `offered`: can be bought; `withheld`: something is wrong with it; `vanished`: the service no longer offers it */
  state: "offered" | "withheld" | "vanished";
}

/** The reference that a variant of the shop sells or sold. Null: the variant is none of ours. */
export async function findReferenceByVariant(
  shop: string,
  variantId: string,
): Promise<CataloguedReference | null> {
  const variant = await db.syncedVariant.findUnique({ where: { shop_variantId: { shop, variantId } } });
  if (!variant) return null;
  const { environment, referenceId } = variant;
  const row = await db.reference.findUnique({
    where: { shop_environment_referenceId: { shop, environment, referenceId } },
  });
  return row && catalogued(row, variantId);
}

/** A reference by its id, with the variant that sells it (or sold it last). */
export async function findReference(
  shop: string,
  environment: string,
  referenceId: string,
): Promise<CataloguedReference | null> {
  const row = await db.reference.findUnique({
    where: { shop_environment_referenceId: { shop, environment, referenceId } },
  });
  if (!row) return null;
  const variant = await db.syncedVariant.findFirst({
    where: { shop, environment, referenceId },
    orderBy: [{ onSale: "desc" }, { updatedAt: "desc" }],
  });
  return catalogued(row, variant?.variantId ?? null);
}

function catalogued(row: ReferenceRow, variantId: string | null): CataloguedReference {
  const state = row.state === "vanished" ? "vanished" : row.problem === null ? "offered" : "withheld";
  return { ...referenceFromRow(row), variantId, state };
}

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

/** A category of the service as the catalogue keeps it. */
export interface StoredCategory {
  category: Category;
  live: boolean;
  /** the products that were seen to get other offers than everybody */
  liveProducts: string[];
  vanished: boolean;
  /** the run that discovered it completely */
  runId: string | null;
  discoveredAt: Date | null;
  /** how many discoveries it has had */
  round: number;
  calls: number;
  bands: number;
  error: string | null;
}

export async function listCategories(shop: string, environment: Environment): Promise<StoredCategory[]> {
  const rows = await db.category.findMany({ where: { shop, environment }, orderBy: { categoryId: "asc" } });
  return rows.map((row) => ({
    category: categorySchema.parse({
      id: row.categoryId,
      marketing_data: row.marketing,
      legal_documents: row.legal,
    }),
    live: row.live,
    liveProducts: row.liveProducts,
    vanished: row.state === "vanished",
    runId: row.runId,
    discoveredAt: row.discoveredAt,
    round: row.round,
    calls: row.calls,
    bands: row.bands,
    error: row.error,
  }));
}

/** Keeps the categories that the service lists; the others, and their references, have vanished. */
export async function saveCategories(
  shop: string,
  environment: Environment,
  categories: readonly Category[],
): Promise<void> {
  for (const { id, marketing_data: marketing, legal_documents: legal } of categories) {
    const content = { marketing, legal, state: "offered" };
    await db.category.upsert({
      where: { shop_environment_categoryId: { shop, environment, categoryId: id } },
      create: { shop, environment, categoryId: id, ...content },
      update: content,
    });
  }
  // Categories that were imported from a file are not the service's to end.
  const imported = await db.reference.findMany({
    where: { shop, environment, source: "file", state: "offered" },
    select: { categoryId: true },
    distinct: ["categoryId"],
  });
  const listed = [...categories.map(({ id }) => id), ...imported.map(({ categoryId }) => categoryId)];
  await db.category.updateMany({
    where: { shop, environment, categoryId: { notIn: listed } },
    data: { state: "vanished" },
  });
  await db.reference.updateMany({
    where: { shop, environment, categoryId: { notIn: listed }, state: "offered", source: "service" },
    data: { state: "vanished", vanishedAt: new Date() },
  });
}

/** Adds the categories of a file. One that is known keeps its texts, unless it has no legal documents yet. */
export async function addImportedCategories(
  shop: string,
  environment: Environment,
  categories: readonly Category[],
): Promise<void> {
  const known = new Map(
    (await listCategories(shop, environment)).map((stored) => [stored.category.id, stored]),
  );
  for (const { id, marketing_data: marketing, legal_documents: legal } of categories) {
    const before = known.get(id);
    const content = { marketing, legal, state: "offered" };
    if (!before) await db.category.create({ data: { shop, environment, categoryId: id, ...content } });
    else {
      const keepsTexts = before.category.legal_documents.cg_url !== "" || legal.cg_url === "";
      await db.category.updateMany({
        where: { shop, environment, categoryId: id },
        data: keepsTexts ? { state: "offered" } : content,
      });
    }
  }
}

export async function listReferences(
  shop: string,
  environment: Environment,
  categoryId: string,
): Promise<(Reference & { vanished: boolean })[]> {
  const rows = await db.reference.findMany({ where: { shop, environment, categoryId } });
  return rows.map((row) => ({ ...referenceFromRow(row), vanished: row.state === "vanished" }));
}

export interface SavedReferences {
  added: number;
  changed: number;
  vanished: number;
}

/**
 * Keeps what was found of a category: new references are added, others brought up to date.
 * @param complete the category was read to its end, so what was not found has vanished: imported references stay, and
 *   those for single products unless one of their products was asked about
 */
export async function saveReferences(
  shop: string,
  environment: Environment,
  categoryId: string,
  found: readonly Reference[],
  { source, complete }: { source: "service" | "file"; complete: false | { products: readonly string[] } },
): Promise<SavedReferences> {
  const rows = await db.reference.findMany({ where: { shop, environment, categoryId } });
  const known = new Map(rows.map((row) => [row.referenceId, row]));
  const fresh = found.filter(({ referenceId }) => !known.has(referenceId));
  // A reference that moved to this category from another one is known under its id.
  const moved = await db.reference.findMany({
    where: { shop, environment, referenceId: { in: fresh.map(({ referenceId }) => referenceId) } },
  });
  for (const row of moved) known.set(row.referenceId, row);
  const added = found.filter(({ referenceId }) => !known.has(referenceId));
  await db.reference.createMany({
    data: added.map((reference) => ({ ...reference, shop, environment, source })),
  });
  let changed = 0;
  for (const each of found) {
    const row = known.get(each.referenceId);
    const reference = row ? withProductsOf(row, each) : each;
    if (!row || (isSameReference(reference, row) && row.state === "offered" && row.source === source))
      continue;
    changed += 1;
    await db.reference.update({
      where: { shop_environment_referenceId: { shop, environment, referenceId: reference.referenceId } },
      data: { ...reference, source, state: "offered", vanishedAt: null },
    });
  }
  const seen = new Set(found.map(({ referenceId }) => referenceId));
  const gone = complete
    ? rows.filter(
        ({ state, source: from, referenceId, productReferenceIds: own }) =>
          state === "offered" &&
          from === "service" &&
          !seen.has(referenceId) &&
          (own.length === 0 || own.some((product) => complete.products.includes(product))),
      )
    : [];
  await db.reference.updateMany({
    where: { shop, environment, referenceId: { in: gone.map(({ referenceId }) => referenceId) } },
    data: { state: "vanished", vanishedAt: new Date() },
  });
  return { added: added.length, changed, vanished: gone.length };
}

/** A reference for single products is offered to more of them over time; one that is for all stays so. */
function withProductsOf(row: { productReferenceIds: string[] }, reference: Reference): Reference {
  const { productReferenceIds: now } = reference;
  const before = row.productReferenceIds;
  const both = now.length === 0 || before.length === 0 ? [] : [...new Set([...before, ...now])];
  return { ...reference, productReferenceIds: both };
}

/** Whether nothing that is sold or shown differs. */
export function isSameReference(a: Reference, b: Omit<Reference, "billing"> & { billing: string }): boolean {
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

/** Notes that a category was read to its end, at what cost. */
export async function saveDiscovery(
  shop: string,
  environment: Environment,
  categoryId: string,
  facts: { runId: string; calls: number; bands: number; live: boolean; liveProducts: string[] },
): Promise<void> {
  await db.category.updateMany({
    where: { shop, environment, categoryId },
    data: { ...facts, round: { increment: 1 }, discoveredAt: new Date(), error: null },
  });
}

export async function saveDiscoveryError(
  shop: string,
  environment: Environment,
  categoryId: string,
  error: string,
): Promise<void> {
  await db.category.updateMany({ where: { shop, environment, categoryId }, data: { error } });
}

/** Writes what is wrong with a category's references, and that the others are right. */
export async function saveReferenceProblems(
  shop: string,
  environment: Environment,
  categoryId: string,
  problems: ReadonlyMap<string, ReferenceProblem>,
): Promise<void> {
  const rows = await db.reference.findMany({
    where: { shop, environment, categoryId },
    select: { referenceId: true, problem: true, problemDetail: true },
  });
  const cured: string[] = [];
  for (const row of rows) {
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
}
