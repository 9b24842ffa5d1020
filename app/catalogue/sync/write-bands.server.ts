/**
 * Writes each plan's price band, its products' categories and its price onto its variant. The Function that checks
 * carts reads them there (extensions/functions/cart-validation). It does not check a variant without them; the next
 * sync retries. `variantUpdates` writes a changed price together with the variant's own.
 */
import { log } from "#app/platform/log.server.ts";
import { gid } from "#app/shopify/gid.ts";
import type { ParasolUpdateVariantsMutationVariables } from "#app/shopify/types/admin.generated.d.ts";
import { listUniverses } from "#app/catalogue/product-categories/rules.server.ts";
import type { AppliedCategory } from "./category-changes.ts";
import { categoryKey } from "./compact-catalogue.ts";
import type { FoundProduct } from "./plan-product-state.ts";
import { priceMetafield } from "./product-set.ts";
import type { SyncContext } from "./sync-context.server.ts";
import { recordBands } from "./synced-products.server.ts";
import { requestUpdate, requestUpdatesInBulk } from "./update-variants.server.ts";

/** Shopify's limit of a list argument. */
const VARIANTS_PER_CALL = 250;

/** The minimum cost of a bulk operation: two calls and a poll. Below it, single calls are cheaper and faster. */
const BULK_POINTS = 21;

interface VariantBand {
  variantId: string;
  /** the metafield's value */
  band: string;
  priceMinor: number;
}

interface BandsCall {
  bands: VariantBand[];
  points: number;
  variables: ParasolUpdateVariantsMutationVariables;
}

/** @param created products with new variants, read again for the variants' ids */
export async function writeBands(
  context: SyncContext,
  applied: readonly AppliedCategory[],
  created: ReadonlyMap<string, FoundProduct>,
): Promise<void> {
  const universes = await listUniverses(context.adminClient.shop);
  const calls = applied.flatMap((category) => {
    const { id } = category.stored.category;
    const quotes = [...universes].filter(([, categories]) => categories.includes(id)).map(([first]) => first);
    // The products of the category, and those with the category as a formula.
    const keys = [...new Set([id, ...quotes])].map(categoryKey);
    return callsFor(context, category, created, keys);
  });
  const refused = await writeCalls(context, calls);
  const { shop } = context.adminClient;
  if (refused.size > 0)
    log.warn({ shop, rows: refused.size }, "Failed to write price bands of plans: Shopify refused them");
  await recordBands(
    shop,
    calls.flatMap(({ bands }, index) => (refused.has(index) ? [] : bands)),
  );
}

/** @returns the indexes of the calls that Shopify refused */
async function writeCalls(context: SyncContext, calls: readonly BandsCall[]): Promise<Set<number>> {
  const points = calls.reduce((sum, call) => sum + call.points, 0);
  const variables = calls.map((call) => call.variables);
  const refused =
    points > BULK_POINTS ? await requestUpdatesInBulk(context, variables) : new Set(variables.keys());
  // The calls that the bulk operation did not write: with a stale price the plan could not be bought.
  for (const [index, call] of calls.entries()) {
    if (!refused.has(index)) continue;
    const errors = await requestUpdate(context.adminClient, call.variables, call.points);
    if (errors.length === 0) refused.delete(index);
  }
  return refused;
}

/** Shopify's published cost: 10, and per variant 0.2 plus 0.4 for each metafield. */
const pointsOf = (variants: number) => Math.ceil(10 + variants);

/** The calls that write missing values. */
function callsFor(
  { recordedVariants }: SyncContext,
  { products, references }: AppliedCategory,
  created: ReadonlyMap<string, FoundProduct>,
  keys: readonly string[],
): BandsCall[] {
  return products.flatMap(({ change, productId, existingProduct: found }) => {
    const product = created.get(productId) ?? found;
    const ids = new Map(product?.variants.map(({ sku, variantId }) => [sku, variantId]));
    const missing = change.variants.flatMap((variant): VariantBand[] => {
      const reference = references.get(variant.referenceId ?? "");
      const variantId = variant.variantId ?? ids.get(variant.sku);
      if (!reference || variantId === undefined) return [];
      const { bandMinMinor, bandMaxMinor, currency, priceMinor } = reference;
      const band = JSON.stringify([bandMinMinor, bandMaxMinor, currency, keys]);
      // A write of the whole list sets the variant's price without its metafield.
      const isPriceWritten = change.writes.variants !== "list" || variant.change === "none";
      return isPriceWritten && recordedVariants.get(variantId)?.band === band
        ? []
        : [{ variantId, band, priceMinor }];
    });
    return Array.from({ length: Math.ceil(missing.length / VARIANTS_PER_CALL) }, (_, call) => {
      const bands = missing.slice(call * VARIANTS_PER_CALL, (call + 1) * VARIANTS_PER_CALL);
      const variants = bands.map(({ variantId, band: value, priceMinor }) => ({
        id: gid("ProductVariant", variantId),
        metafields: [{ namespace: "$app", key: "band", type: "json", value }, priceMetafield(priceMinor)],
      }));
      return {
        bands,
        points: pointsOf(bands.length),
        variables: { productId: gid("Product", productId), variants },
      };
    });
  });
}
