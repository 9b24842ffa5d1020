/**
 * Builds the variables of `productSet` from a change, with its cost and the number of variants that it may create.
 */
import { toDecimalText } from "#app/platform/money.ts";
import { gid } from "#app/shopify/gid.ts";
import type {
  ParasolSetPlanProductMutationVariables,
  ParasolUpdateVariantsMutationVariables,
} from "#app/shopify/types/admin.generated.d.ts";
import type { ProductSetInput, ProductVariantsBulkInput } from "#app/shopify/types/admin.types.d.ts";
import type { ProductChange, VariantEntry } from "./difference.ts";

/** Above this number of variants Shopify may exceed the timeout of a call. */
const SYNCHRONOUS_UP_TO = 500;

/** Shopify's published cost per variant, in every mutation. */
const POINTS_PER_VARIANT = 0.2;

/** A list in the input replaces the existing list, so it contains all variants or is missing. */
export function productSetVariables(
  change: ProductChange,
  currency: string,
): ParasolSetPlanProductMutationVariables {
  const { writes, productId } = change;
  return {
    identifier: productId === null ? { handle: change.handle } : { id: gid("Product", productId) },
    input: {
      ...(productId === null ? textsInput(change) : {}),
      ...(writes.product ? { status: change.state.status, tags: change.tags } : {}),
      ...(writes.variants === "list" ? variantsInput(change, currency) : {}),
    },
    synchronous: writes.variants !== "list" || change.variants.length <= SYNCHRONOUS_UP_TO,
  };
}

/** Shopify's published cost of productSet: 10, 0.2 per variant, 1.9 per file. */
export function productSetPoints({ writes, variants, productId }: ProductChange): number {
  return Math.ceil(
    10 +
      (writes.variants === "list" ? variants.length * POINTS_PER_VARIANT : 0) +
      (productId === null ? 1.9 : 0),
  );
}

/** Services > Professional Services > Finance & Insurance, of Shopify's product taxonomy. */
const INSURANCE_CATEGORY = "gid://shopify/TaxonomyCategory/se-7-2";

function textsInput({
  handle,
  texts: { title, descriptionHtml, productType, vendor, image },
}: ProductChange): Partial<ProductSetInput> {
  return {
    handle,
    title,
    descriptionHtml,
    productType,
    ...(vendor === "" ? {} : { vendor }),
    category: INSURANCE_CATEGORY,
    files: [{ originalSource: image, contentType: "IMAGE", alt: title }],
  };
}

function variantsInput(
  { variants, optionName, formulaOptionName }: ProductChange,
  currency: string,
): Partial<ProductSetInput> {
  const options: [string, (variant: VariantEntry) => string][] = [[optionName, ({ name }) => name]];
  if (formulaOptionName !== null) options.push([formulaOptionName, ({ formula }) => formula ?? ""]);
  return {
    productOptions: options.map(([name, valueOf]) => ({
      name,
      values: [...new Set(variants.map(valueOf))].map((value) => ({ name: value })),
    })),
    variants: variants.map((variant) => ({
      ...(variant.variantId === null ? {} : { id: gid("ProductVariant", variant.variantId) }),
      optionValues: options.map(([name, valueOf]) => ({ optionName: name, name: valueOf(variant) })),
      ...(variant.change === "none" || variant.referenceId === null ? {} : valuesInput(variant, currency)),
    })),
  };
}

/** No shipping. Only retired variants track inventory: with a stock of zero they cannot be bought. */
function valuesInput(
  variant: VariantEntry,
  currency: string,
): Pick<ProductVariantsBulkInput, "price" | "taxable" | "inventoryPolicy" | "inventoryItem"> {
  return {
    price: toDecimalText(variant.priceMinor, currency),
    taxable: variant.taxable,
    inventoryPolicy: "DENY",
    inventoryItem: {
      sku: variant.sku,
      tracked: variant.tracked,
      requiresShipping: variant.requiresShipping,
    },
  };
}

/** Shopify's limit of a list argument. */
const VARIANTS_PER_UPDATE = 250;

/** One call of `productVariantsBulkUpdate`. */
export interface VariantUpdate {
  variables: ParasolUpdateVariantsMutationVariables;
  /** the variants' entries, in the order of `variables.variants` */
  entries: VariantEntry[];
}

/** The updates for the variants with new values. Empty if the whole list is written, or if nothing differs. */
export function variantUpdates(
  { productId, variants, writes }: ProductChange,
  currency: string,
): VariantUpdate[] {
  if (writes.variants !== "values" || productId === null) return [];
  const changed = variants.filter(({ change }) => change !== "none");
  const updates: VariantUpdate[] = [];
  for (let from = 0; from < changed.length; from += VARIANTS_PER_UPDATE) {
    const entries = changed.slice(from, from + VARIANTS_PER_UPDATE);
    updates.push({
      entries,
      variables: {
        productId: gid("Product", productId),
        variants: entries.flatMap((entry) =>
          entry.variantId === null
            ? []
            : [
                {
                  id: gid("ProductVariant", entry.variantId),
                  ...valuesInput(entry, currency),
                  // Written in the same call as the price, so that the checkout never compares it with a stale price.
                  metafields: [priceMetafield(entry.priceMinor)],
                },
              ],
        ),
      },
    });
  }
  return updates;
}

/** The plan's price in a metafield that the cart validation Function reads. */
export function priceMetafield(priceMinor: number) {
  return { namespace: "$app", key: "price", type: "json", value: String(priceMinor) };
}

/** A variant and one metafield: 0.2 and 0.4. */
const POINTS_PER_UPDATE = 0.6;

/** Shopify's published cost of productVariantsBulkUpdate: 10, plus the cost of the variants. */
export function variantUpdatePoints({ entries }: VariantUpdate): number {
  return Math.ceil(10 + entries.length * POINTS_PER_UPDATE);
}

const PER_DAY = 1_000;

/** The minimum number of variants for another attempt today. */
const LEAST = 10;

/**
 * The number of variants that a sync may still create. With more than 50,000 variants, Shopify lets all apps of a
 * shop create 1,000 a day. Shopify does not report the remaining number, and refuses a larger call as a whole. So the
 * sync first tries all variants, and then fewer each time.
 */
export class VariantAllowance {
  #left = Infinity;

  get left(): number {
    return this.#left;
  }

  /** Shopify created this number of variants. */
  spend(variants: number): void {
    this.#left -= variants;
  }

  /** Shopify refused to create this number in one call. */
  refuse(variants: number): void {
    const next = variants > PER_DAY ? PER_DAY : Math.floor(variants / 2);
    this.#left = next < LEAST ? 0 : next;
  }
}
