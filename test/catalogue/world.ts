/** Actions of the catalogue's tests on the shop and the insurer, and comparisons of the two. */
import { staff } from "#app/audit/actor.ts";
import { z } from "zod";
import { compactCatalogue } from "#app/catalogue/sync/compact-catalogue.ts";
import type { CompactCatalogue } from "#app/catalogue/sync/compact-catalogue.ts";
import { categoriseProducts } from "#app/catalogue/product-categories/categorise-products.server.ts";
import { startRun } from "#app/catalogue/runs/runs.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { saveRules } from "#app/catalogue/product-categories/rules.server.ts";
import { db } from "#app/platform/db.server.ts";
import { syncCatalogue } from "#app/catalogue/sync/sync.server.ts";
import type { Product, Variant } from "#test/sandbox/shop/state.ts";
import type { FormulaStyle } from "#test/sandbox/insurance/catalogue.ts";
import { insurance, shop } from "#test/world.ts";

const never = new AbortController().signal;
const counts = z.record(z.string(), z.number());

/** One catalogue run from start to end, as the worker runs it. */
export async function sync(domain = shop.shopDomain) {
  const { id } = await startRun(domain, "catalogue", "merchant");
  await syncCatalogue({ shop: domain, runId: id }, { signal: never });
  return settled(domain, id);
}

/** Saves the rules and applies them, as the worker does. */
export async function applyRules(rules: Rule[], domain = shop.shopDomain) {
  const id = (await saveRules(domain, rules, staff("1"))) ?? "";
  await categoriseProducts({ shop: domain, runId: id }, { signal: never });
  return settled(domain, id);
}

async function settled(domain: string, runId: string) {
  const run = await findRun(domain, runId);
  if (!run) throw new Error("The run is gone");
  return { ...run, counts: counts.parse(run.counts) };
}

export const findRun = (domain: string, runId: string) =>
  db.syncRun.findFirst({ where: { shop: domain, id: runId } });

export const listRunProblems = (domain: string, runId: string) =>
  db.syncProblem.findMany({ where: { shop: domain, runId }, orderBy: { createdAt: "asc" } });

/** The insurance category of each product that has one. */
export async function categoryOfProducts(domain: string, productIds: readonly string[]) {
  const rows = await db.shopProduct.findMany({
    where: { shop: domain, productId: { in: [...productIds] }, categoryId: { not: null } },
  });
  return new Map(rows.map(({ productId, categoryId }) => [productId, categoryId]));
}

/** The app's row of a reference of the test account. */
export const findReference = (domain: string, referenceId: string) =>
  db.reference.findFirst({ where: { shop: domain, environment: "test", referenceId } });

const catalogue = z.object({
  categories: z.array(z.object({ id: z.string() })),
  references: z.array(
    z.object({
      reference_id: z.string(),
      category_id: z.string(),
      term: z.int(),
      price: z.int(),
      price_band_min: z.int(),
      price_band_max: z.int(),
      billing: z.string(),
      product_reference_ids: z.array(z.string()).nullable(),
    }),
  ),
});

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${insurance.control_url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
}

/** The insurer's stored data. */
export const service = {
  catalogue: async () => catalogue.parse(await control("GET", "/catalogue")),
  /** Changes a reference, or adds one that has all fields. */
  putReference: (id: string, fields: object) =>
    control("PUT", `/catalogue/references/${encodeURIComponent(id)}`, fields),
  deleteReference: (id: string) => control("DELETE", `/catalogue/references/${encodeURIComponent(id)}`),
  putCategory: (id: string, fields: object) =>
    control("PUT", `/catalogue/categories/${encodeURIComponent(id)}`, fields),
  deleteCategory: (id: string) => control("DELETE", `/catalogue/categories/${encodeURIComponent(id)}`),
  /** Resets to the state after the start. */
  reset: (formulas: FormulaStyle = "one") => control("POST", "/reset", { formulas }),
  /** Number of offer requests since the last clearing. */
  offerCalls: () => insurance.traffic.counts.get("offers.list") ?? 0,
};

export function planProducts(state = shop.state): Product[] {
  return [...state.products.values()].filter(({ tags }) => tags.includes("parasol-insurance"));
}

/** The handles of a product's channels. */
export function channelsOf({ publishedOn }: Product, state = shop.state): string[] {
  return [...publishedOn].map((id) => state.publications.get(id)?.appHandle ?? id);
}

/** The variant of a reference, wherever it is. */
export function variantOf(referenceId: string, state = shop.state): { product: Product; variant: Variant } {
  for (const product of planProducts(state)) {
    const variant = product.variants.find(({ sku }) => sku === referenceId);
    if (variant) return { product, variant };
  }
  throw new Error(`The shop has no variant of ${referenceId}`);
}

/** The compact catalogues that the storefront reads, by category. */
export function compactCatalogues(state = shop.state): Map<string, CompactCatalogue> {
  const found = [...state.metafields.values()].filter(({ namespace }) => namespace === "catalogue");
  const parsed = found.map(({ value }) => compactCatalogue.parse(JSON.parse(value)));
  return new Map(parsed.map((each) => [each.category, each]));
}

/** The offers on sale: reference, price and variant, from the products and from the compact catalogues. */
export function onSale(state = shop.state) {
  const products = planProducts(state)
    .filter(({ status, publishedOn }) => status === "UNLISTED" && publishedOn.size > 0)
    .flatMap(({ variants }) => variants)
    .filter(({ tracked }) => !tracked)
    .map(({ sku, price, id }) => `${sku ?? ""} ${price} ${id}`)
    .sort();
  const compact = [...compactCatalogues(state).values()]
    .flatMap(({ bands }) => bands.flatMap(({ offers }) => offers))
    .map(({ price, variant, reference }) => `${reference} ${price} ${variant}`)
    .sort();
  // The first category of a universe lists the offers of its other formulas, too.
  return { products, compact: [...new Set(compact)] };
}

/** Every mutation of the Admin API changes something: the timestamps of products and metafields show it. */
export function footprint(state = shop.state): string[] {
  return [
    ...planProducts(state).map(({ id, updatedAt }) => `${id} ${updatedAt}`),
    ...[...state.metafields.values()].map(({ id, value, updatedAt }) => `${id} ${value.length} ${updatedAt}`),
  ].sort();
}
