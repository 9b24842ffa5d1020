/** Import of references from a file: first a preview of what it would do, then, once confirmed, the import. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readSaleRule } from "#app/merchants/settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { LineError, ParsedFile } from "./import.ts";
import { formulaKeyOf } from "./formula.ts";
import {
  BandIndex,
  findReferenceProblems,
  isLink,
  type Reference,
  type ReferenceProblem,
} from "./reference.ts";
import { addImportedCategories, listCategories } from "./categories.server.ts";
import {
  isOfferedByService,
  isSameReference,
  listReferences,
  referenceFromRow,
  saveImportedReferences,
} from "./references.server.ts";
import { startRun } from "#app/catalogue/runs/runs.server.ts";

export interface ImportPreview {
  /** references that are new, that differ from what is known, and that are the same */
  added: Reference[];
  changed: { before: Reference; after: Reference }[];
  unchanged: number;
  errors: LineError[];
  /** references that would not be sold, or not be taken from the file, by id */
  problems: Record<string, ReferenceProblem>;
}

/** References that are compared at once; others are served in between. */
const SLICE = 2_000;

/** What the file (import.ts) would change. Nothing is written. */
export async function previewImport(
  shop: string,
  environment: Environment,
  { references, categories, errors }: ParsedFile,
): Promise<ImportPreview> {
  const preview: ImportPreview = { added: [], changed: [], unchanged: 0, errors, problems: {} };
  for (let from = 0; from < references.length; from += SLICE) {
    const slice = references.slice(from, from + SLICE);
    const rows = await db.reference.findMany({
      where: { shop, environment, referenceId: { in: slice.map(({ referenceId }) => referenceId) } },
    });
    const known = new Map(rows.map((row) => [row.referenceId, row]));
    for (const reference of slice) {
      const row = known.get(reference.referenceId);
      if (!row) preview.added.push(reference);
      else if (isSameReference(reference, row) && row.state === "offered") preview.unchanged += 1;
      else if (isOfferedByService(row)) {
        preview.problems[reference.referenceId] = { problem: "service_differs", detail: "" };
      } else preview.changed.push({ before: referenceFromRow(row), after: reference });
    }
  }
  const currency = (await findMerchant(shop))?.currency ?? "";
  const rule = await readSaleRule(shop);
  const stored = new Map(
    (await listCategories(shop, environment)).map(({ category }) => [category.id, category]),
  );
  const byCategory = Map.groupBy(references, ({ categoryId }) => categoryId);
  for (const category of categories) {
    const { conditionsUrl: conditions, ipidUrl: ipid } = category.legal;
    const { legal: before } = stored.get(category.id) ?? {
      legal: category.legal,
    };
    const hasDocuments =
      (isLink(conditions) && isLink(ipid)) || (isLink(before.conditionsUrl) && isLink(before.ipidUrl));
    const own = byCategory.get(category.id) ?? [];
    const others = (await listReferences(shop, environment, category.id)).filter(
      ({ vanished, isConfirmed }) => isConfirmed && !vanished,
    );
    const imported = new Set(own.map(({ referenceId }) => referenceId));
    const all = [...own, ...others.filter(({ referenceId }) => !imported.has(referenceId))];
    const index = new BandIndex(others, formulaKeyOf(all));
    const problems = findReferenceProblems(own, { currency, rule, hasDocuments });
    for (const reference of own) {
      const id = reference.referenceId;
      const overlap = index.findOverlap(reference);
      const found: ReferenceProblem | undefined =
        problems.get(id) ??
        (overlap && overlap.referenceId !== id
          ? { problem: "overlap", detail: overlap.referenceId }
          : undefined);
      if (found) preview.problems[id] ??= found;
    }
  }
  return preview;
}

/** Keeps the file's readable references and brings them into the shop. @returns the run's id */
export async function importReferences(
  shop: string,
  environment: Environment,
  { references, categories }: ParsedFile,
  actor: Actor,
): Promise<{ imported: number; runId: string }> {
  const after = { references: references.length, categories: categories.length };
  // First, because it is written in many transactions: one that was cut off was begun by somebody, too.
  await recordAudit({ shop, actor, action: "references_imported", subject: environment, after });
  await addImportedCategories(shop, environment, categories);
  const byCategory = Map.groupBy(references, ({ categoryId }) => categoryId);
  let imported = 0;
  for (const { id } of categories) {
    imported += await saveImportedReferences(shop, environment, byCategory.get(id) ?? []);
  }
  const run = await startRun(shop, "catalogue", "import");
  return { imported, runId: run.id };
}

// Takes back what a file brought. What the service offers itself stays: only its mark goes.

/** How many references of this environment files brought. */
export async function countImported(shop: string, environment: Environment): Promise<number> {
  return db.reference.count({ where: { shop, environment, importedAt: { not: null } } });
}

/**
 * Retires imported references; a run takes them off sale.
 * @param referenceId null: all of them
 * @returns how many there were
 */
export async function retireImported(
  shop: string,
  environment: Environment,
  referenceId: string | null,
  actor: Actor,
): Promise<number> {
  const where = {
    shop,
    environment,
    importedAt: { not: null },
    ...(referenceId === null ? {} : { referenceId }),
  };
  return db.$transaction(async (tx) => {
    await tx.reference.updateMany({
      where: { ...where, source: "file" },
      data: { state: "vanished", vanishedAt: new Date() },
    });
    const { count } = await tx.reference.updateMany({ where, data: { importedAt: null } });
    if (count === 0) return 0;
    const after = { references: count, ...(referenceId === null ? {} : { reference: referenceId }) };
    const entry = { action: "references_retired", subject: environment, after } as const;
    await recordAudit({ shop, actor, ...entry }, tx);
    await startRun(shop, "catalogue", "import", { transaction: tx });
    return count;
  });
}

// An import's preview as a page can show it: numbers, and the first of each kind.

/** A file may hold tens of thousands of lines. */
const SHOWN = 50;

export interface ImportView {
  added: number;
  changed: number;
  unchanged: number;
  errors: number;
  firstErrors: LineError[];
  /** references that would be held back */
  withheld: number;
  firstWithheld: { referenceId: string; problem: string; detail: string }[];
  /** what would be new or different, by reference */
  firstReferences: {
    referenceId: string;
    categoryId: string;
    termMonths: number;
    bandMinMinor: number;
    bandMaxMinor: number;
    currency: string;
    priceMinor: number;
    /** null: it is new */
    priceBefore: number | null;
  }[];
}

export function importView({ added, changed, unchanged, errors, problems }: ImportPreview): ImportView {
  const withheld = Object.entries(problems).map(([referenceId, { problem, detail }]) => ({
    referenceId,
    problem,
    detail,
  }));
  return {
    added: added.length,
    changed: changed.length,
    unchanged,
    errors: errors.length,
    firstErrors: errors.slice(0, SHOWN),
    withheld: withheld.length,
    firstWithheld: withheld.slice(0, SHOWN),
    firstReferences: [
      ...changed.map(({ before, after }) => ({ ...referenceRow(after), priceBefore: before.priceMinor })),
      ...added.map((reference) => ({ ...referenceRow(reference), priceBefore: null })),
    ].slice(0, SHOWN),
  };
}

function referenceRow(reference: ImportPreview["added"][number]) {
  const { referenceId, categoryId, termMonths, bandMinMinor, bandMaxMinor, currency, priceMinor } = reference;
  return { referenceId, categoryId, termMonths, bandMinMinor, bandMaxMinor, currency, priceMinor };
}
