/** Brings the shop in line with the catalogue: plan products, then the compact catalogues that name their variants. */
import type { Environment } from "#app/merchants/connection.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import { compactContent } from "./compact-content.ts";
import type { CompactContent, SoldReference } from "./compact-content.ts";
import { diffPlanProduct, hasWrites, isSellable, withoutReferences } from "./difference.ts";
import type { FoundProduct, ProductChange, LastWritten } from "./difference.ts";
import {
  hasPlanProducts,
  findOnlineStorePublication,
  readPlanProduct,
  readPlanProducts,
  retirePlanProduct,
  writePlanProduct,
} from "./plan-products.server.ts";
import type { ShopLocale } from "./plan-products.server.ts";
import { handleOf, wantedProducts } from "./plan-products.ts";
import type { WantedProduct } from "./plan-products.ts";
import { publishCatalogues } from "./publish.server.ts";
import {
  recordDeletedProduct,
  recordManualEdits,
  listRecordedProducts,
  listRecordedVariants,
  recordProduct,
  recordRetiredProduct,
  recordVariants,
} from "./synced-products.server.ts";
import type { RecordedProduct, RecordedVariant } from "./synced-products.server.ts";
import { isLink, findReferenceProblems } from "#app/catalogue/references/reference.ts";
import type { ReferenceProblem, Reference } from "#app/catalogue/references/reference.ts";
import {
  listCategories,
  listReferences,
  saveReferenceProblems,
} from "#app/catalogue/references/references.server.ts";
import type { StoredCategory } from "#app/catalogue/references/references.server.ts";
import type { RunReport } from "#app/catalogue/runs/runs.server.ts";
import { readCatalogueSettings } from "#app/catalogue/settings.server.ts";
import type { CatalogueSettings } from "#app/catalogue/settings.server.ts";

/** Everything that the steps of one write share. */
interface Write {
  adminClient: AdminClient;
  environment: Environment;
  settings: CatalogueSettings;
  terms: ShopLocale;
  publicationId: string;
  report: RunReport;
  signal: AbortSignal;
  products: RecordedProduct[];
  variants: ReadonlyMap<string, RecordedVariant>;
}

interface CategoryPlan {
  stored: StoredCategory;
  references: Map<string, Reference>;
  problems: Map<string, ReferenceProblem>;
  wanted: { product: WantedProduct; found: FoundProduct | null }[];
}

/** A plan product as it stands after the write. */
interface Done {
  change: ProductChange;
  productId: string;
  found: FoundProduct | null;
}

export async function writeCatalogue(
  adminClient: AdminClient,
  { environment, currency }: { environment: Environment; currency: string },
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  const { shop } = adminClient;
  await report.phase("read", 1);
  const publicationId = await findOnlineStorePublication(adminClient);
  const settings = await readCatalogueSettings(shop);
  const write: Write = {
    adminClient,
    environment,
    settings,
    terms: { currency, language: settings.language },
    publicationId,
    report,
    signal,
    products: await listRecordedProducts(shop),
    variants: await listRecordedVariants(shop),
  };
  const found = await readShop(write);
  await report.advance();

  const plans: CategoryPlan[] = [];
  for (const stored of await listCategories(shop, environment))
    plans.push(await planCategory(write, stored, found));

  await report.phase(
    "write",
    plans.reduce((sum, { wanted }) => sum + wanted.length, 0),
  );
  const contents: CompactContent[] = [];
  const done = new Map<CategoryPlan, Done[]>();
  for (const plan of plans) done.set(plan, await writeCategory(write, plan));
  const fresh = await readCreated(write, [...done.values()].flat());

  await report.phase("publish", plans.length);
  for (const plan of plans) {
    const sold = await settleCategory(write, plan, done.get(plan) ?? [], fresh);
    contents.push(compactContent(plan.stored.category, sold, { currency, live: plan.stored.live }));
  }
  const published = await publishCatalogues(adminClient, contents);
  report.count("catalogues_written", published.written);
  await retireOthers(write);
  await report.advance(plans.length);
}

/** What the shop has. A product of ours that the search does not show is looked for by its id before it counts as gone. */
async function readShop(write: Write): Promise<Map<string, FoundProduct>> {
  const { adminClient, publicationId, terms, signal, products } = write;
  // Before the first run there is nothing to read, unless our record of it was lost.
  const found =
    products.length > 0 || (await hasPlanProducts(adminClient))
      ? await readPlanProducts(adminClient, publicationId, terms, signal)
      : new Map<string, FoundProduct>();
  for (const { productId } of products) {
    if (found.has(productId)) continue;
    const product = await readPlanProduct(adminClient, publicationId, productId, terms);
    if (product) found.set(productId, product);
    else await recordDeletedProduct(adminClient.shop, productId);
  }
  return found;
}

/** What a category's products should be, beside what they are. */
async function planCategory(
  { adminClient, environment, settings, terms, products }: Write,
  stored: StoredCategory,
  found: ReadonlyMap<string, FoundProduct>,
): Promise<CategoryPlan> {
  const { category } = stored;
  const all = await listReferences(adminClient.shop, environment, category.id);
  const offered = all.filter(({ vanished }) => !vanished);
  const { cg_url: conditions, ipid_url: ipid } = category.legal_documents;
  const problems = findReferenceProblems(offered, {
    currency: terms.currency,
    hasDocuments: isLink(conditions) && isLink(ipid),
  });
  const own = new Map<number, FoundProduct>();
  for (const product of found.values()) {
    const part = partOf(product, category.id, environment, products);
    if (part !== null) own.set(part, product);
  }
  const parts = new Map(
    [...own].flatMap(([part, { variants }]) => variants.map(({ sku }) => [sku, part] as const)),
  );
  const members = all
    .map((reference) => ({
      ...reference,
      onSale: !reference.vanished && !problems.has(reference.referenceId),
    }))
    .filter(({ onSale, referenceId }) => onSale || parts.has(referenceId));
  const wanted = wantedProducts(category, members, parts, { environment, ...settings });
  return {
    stored,
    references: new Map(all.map((reference) => [reference.referenceId, reference])),
    problems,
    wanted: wanted.map((product) => ({ product, found: own.get(product.part) ?? null })),
  };
}

/** Which part of the category a product of the shop is: by our record, or by its handle where a record was lost. */
function partOf(
  { productId, handle }: FoundProduct,
  categoryId: string,
  environment: Environment,
  products: readonly RecordedProduct[],
): number | null {
  const recorded = products.find((each) => each.productId === productId);
  if (recorded) {
    return recorded.categoryId === categoryId && recorded.environment === environment ? recorded.part : null;
  }
  const first = handleOf(categoryId, environment, 1);
  if (handle === first) return 1;
  const part = Number(handle.startsWith(`${first}-`) ? handle.slice(first.length + 1) : "");
  return Number.isInteger(part) && part > 1 ? part : null;
}

async function writeCategory(write: Write, plan: CategoryPlan): Promise<Done[]> {
  const done: Done[] = [];
  for (const { product, found } of plan.wanted) {
    write.signal.throwIfAborted();
    const result = await writeProduct(write, plan, product, found);
    if (result) done.push(result);
    write.report.spent({
      adminCalls: write.adminClient.cost.requests,
      points: write.adminClient.cost.points,
    });
    await write.report.advance();
  }
  return done;
}

/** Where the platform refuses single references, the others are written without them. Null: the product is not there. */
async function writeProduct(
  write: Write,
  { problems }: CategoryPlan,
  product: WantedProduct,
  found: FoundProduct | null,
): Promise<Done | null> {
  const { adminClient, publicationId, terms, signal, report, settings, environment } = write;
  let change = diffPlanProduct(product, found, lastWritten(write, found), settings.onManualEdit);
  if (!hasWrites(change)) {
    await record(write, change.productId, change);
    return change.productId === null ? null : { change, productId: change.productId, found };
  }
  for (;;) {
    const result = await writePlanProduct(adminClient, publicationId, change, terms, signal);
    if (result.ok) {
      report.count("products_written");
      for (const { change: kind } of change.variants) if (kind !== "none") report.count(`variants_${kind}`);
      await recordProduct(adminClient.shop, environment, result.productId, change);
      await record(write, result.productId, change);
      return { change, productId: result.productId, found };
    }
    const refused =
      result.references.size > 0
        ? result.references
        : new Map(product.variants.map((variant) => [variant.referenceId, result.message]));
    for (const [referenceId, detail] of refused)
      problems.set(referenceId, { problem: "not_written", detail });
    const rest = withoutReferences(change, new Set(refused.keys()), found);
    if (result.references.size === 0 || rest.variants.length === 0) {
      return found ? { change: { ...rest, fields: found }, productId: found.productId, found } : null;
    }
    change = rest;
  }
}

function lastWritten({ products, variants }: Write, found: FoundProduct | null): LastWritten {
  const product = products.find(({ productId }) => productId === found?.productId);
  return {
    product: product?.written ?? null,
    variants: new Map(
      found?.variants.flatMap(({ variantId }) => {
        const recorded = variants.get(variantId);
        return recorded ? [[variantId, recorded.written] as const] : [];
      }),
    ),
  };
}

/** A product that stands as wanted may still be unknown to our record, and a merchant's edit may have been kept. */
async function record(
  { adminClient, environment, report, products }: Write,
  productId: string | null,
  change: ProductChange,
): Promise<void> {
  if (productId === null) return;
  if (!products.some((each) => each.productId === productId)) {
    await recordProduct(adminClient.shop, environment, productId, change);
  }
  const noted = await recordManualEdits(adminClient.shop, report.run.id, productId, change.edits);
  report.count("edits", noted);
}

/** The platform does not tell the ids of variants that it made: one bulk read finds them all. */
async function readCreated(
  { adminClient, publicationId, terms, signal }: Write,
  done: readonly Done[],
): Promise<Map<string, FoundProduct>> {
  const created = done.filter(({ change }) => change.variants.some(({ variantId }) => variantId === null));
  if (created.length === 0) return new Map();
  const fresh = await readPlanProducts(adminClient, publicationId, terms, signal);
  for (const { change, productId } of created) {
    const skus = new Set(fresh.get(productId)?.variants.map(({ sku }) => sku));
    // The search index lags behind the writes at times.
    if (change.variants.every(({ sku }) => skus.has(sku))) continue;
    const product = await readPlanProduct(adminClient, publicationId, productId, terms);
    if (product) fresh.set(productId, product);
  }
  return fresh;
}

/** Records the category's variants and problems. @returns what the shop sells of it */
async function settleCategory(
  write: Write,
  { stored, references, problems }: CategoryPlan,
  done: readonly Done[],
  fresh: ReadonlyMap<string, FoundProduct>,
): Promise<SoldReference[]> {
  const { adminClient, environment, report, variants } = write;
  const categoryId = stored.category.id;
  const sold: SoldReference[] = [];
  for (const { change, productId, found } of done) {
    const product = fresh.get(productId) ?? found;
    if (!product) continue;
    const sellable = isSellable(change.fields);
    await recordVariants(adminClient.shop, environment, product, change.variants, sellable, variants);
    const ids = new Map(product.variants.map(({ sku, variantId }) => [sku, variantId]));
    for (const entry of change.variants) {
      const reference = references.get(entry.referenceId ?? "");
      const variantId = entry.variantId ?? ids.get(entry.sku);
      if (!reference || variantId === undefined || entry.tracked || !sellable) continue;
      sold.push({ ...reference, variantId, shopPriceMinor: entry.priceMinor });
    }
  }
  await saveReferenceProblems(adminClient.shop, environment, categoryId, problems);
  await report.problems(
    [...problems].map(([referenceId, problem]) => ({ categoryId, referenceId, ...problem })),
  );
  report.count("problems", problems.size);
  return sold;
}

/** The products of the other environment are taken from sale: a shopper must never buy a test contract. */
async function retireOthers({ adminClient, environment, report, products }: Write): Promise<void> {
  for (const product of products) {
    if (product.environment === environment || product.written.status === "DRAFT") continue;
    await retirePlanProduct(adminClient, product.productId);
    await recordRetiredProduct(adminClient.shop, product);
    report.count("products_retired");
  }
}
