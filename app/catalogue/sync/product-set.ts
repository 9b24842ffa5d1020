/** A change of a plan product as the variables of `productSet`, and what that call costs. */
import { toDecimalText } from "#app/platform/money.ts";
import { gid } from "#app/shopify/gid.ts";
import { optionNames } from "./plan-product-texts.ts";
import type { Language } from "./plan-product-texts.ts";
import type { ProductChange, VariantEntry } from "./difference.ts";

export interface ProductSetVariables {
  identifier: { id: string } | { handle: string };
  input: Record<string, unknown>;
  synchronous: boolean;
}

/** Above so many variants the platform may take longer than a call may last. */
const SYNCHRONOUS_UP_TO = 500;

/** Lists that are given replace what was there, so the variants are all given or not at all. */
export function productSetVariables(
  change: ProductChange,
  currency: string,
  language: Language,
): ProductSetVariables {
  const { writes, fields, productId } = change;
  return {
    identifier: productId === null ? { handle: change.handle } : { id: gid("Product", productId) },
    input: {
      ...(productId === null ? { handle: change.handle } : {}),
      ...(writes.product
        ? {
            title: fields.title,
            descriptionHtml: fields.descriptionHtml,
            productType: fields.productType,
            status: fields.status,
            tags: change.tags,
          }
        : {}),
      ...(writes.image
        ? { files: [{ originalSource: change.image, contentType: "IMAGE", alt: fields.title }] }
        : {}),
      ...(writes.variants ? variantsInput(change.variants, currency, language) : {}),
    },
    synchronous: change.variants.length <= SYNCHRONOUS_UP_TO,
  };
}

/** Shopify’s published cost of productSet: 10, 0.2 per variant, 1.9 per file. */
export function productSetPoints({ writes, variants }: ProductChange): number {
  return Math.ceil(10 + (writes.variants ? variants.length * 0.2 : 0) + (writes.image ? 1.9 : 0));
}

function variantsInput(variants: readonly VariantEntry[], currency: string, language: Language): object {
  const names = optionNames[language];
  const option = (name: string, values: string[]) => ({
    name,
    values: [...new Set(values)].map((value) => ({ name: value })),
  });
  return {
    productOptions: [
      option(
        names.duration,
        variants.map(({ duration }) => duration),
      ),
      option(
        names.band,
        variants.map(({ band }) => band),
      ),
    ],
    variants: variants.map((variant) => ({
      ...(variant.variantId === null ? {} : { id: gid("ProductVariant", variant.variantId) }),
      optionValues: [
        { optionName: names.duration, name: variant.duration },
        { optionName: names.band, name: variant.band },
      ],
      ...(variant.change === "none" ? {} : variantInput(variant, currency)),
    })),
  };
}

/** No shipping; no inventory, except for what is withdrawn: a counted stock of none cannot be bought. */
function variantInput(variant: VariantEntry, currency: string): object {
  return {
    sku: variant.sku,
    price: toDecimalText(variant.priceMinor, currency),
    taxable: variant.taxable,
    inventoryPolicy: "DENY",
    inventoryItem: { tracked: variant.tracked, requiresShipping: variant.requiresShipping },
  };
}
