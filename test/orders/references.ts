/** The insurer's references in a shop, as the catalogue's sync leaves them, for tests that begin at a paid order. */
import { z } from "zod";
import { CONSENT, INSURED_VARIANT, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import type { NewOrderLine } from "#test/sandbox/shop/orders.ts";
import { putProduct } from "#test/sandbox/shop/products.ts";
import type { Address, Product, ShopState } from "#test/sandbox/shop/state.ts";

const references = z.object({
  references: z.array(
    z.object({
      reference_id: z.string(),
      category_id: z.string(),
      title: z.string(),
      term: z.int(),
      price: z.int(),
      currency_code: z.string(),
      price_band_min: z.int(),
      price_band_max: z.int(),
      billing: z.string(),
    }),
  ),
});
export type SoldReference = z.infer<typeof references>["references"][number] & { variantId: string };

/** The id of the product whose variants are the plans. */
const PLANS = "98000";
const INSURED_TYPE = "Smartphone";

export const customer: Address = {
  first_name: "Ana",
  last_name: "Blanc",
  company: null,
  address1: "3 rue des Lilas",
  address2: null,
  zip: "75020",
  city: "Paris",
  country_code: "FR",
  phone: "06 12 34 56 78",
};

/**
 * Puts the insurer's references into the shop, as the variants of one product.
 * @param storeId whose references; the insurer's first store's where missing
 */
export async function sellReferences(
  state: ShopState,
  controlUrl: string,
  storeId?: string,
): Promise<SoldReference[]> {
  const answer = await fetch(`${controlUrl}/catalogue${storeId === undefined ? "" : `?store_id=${storeId}`}`);
  const sold = references
    .parse(await answer.json())
    .references.map((reference, index) => ({ ...reference, variantId: `99000${index}` }));
  const now = new Date().toISOString();
  const [like] = state.products.values();
  if (!like) throw new Error("The demo shop is empty");
  const product: Product = {
    ...structuredClone(like),
    id: PLANS,
    handle: "assurance",
    title: "Assurance",
    descriptionHtml: "",
    vendor: "Parasol",
    productType: "Assurance",
    tags: [],
    status: "UNLISTED",
    options: [],
    images: [],
    publishedOn: new Set(),
    createdAt: now,
    updatedAt: now,
    variants: sold.map(({ variantId, reference_id, title, price }, index) => ({
      id: variantId,
      inventoryItemId: `97000${index}`,
      title,
      optionValues: [],
      sku: reference_id,
      price,
      compareAtPrice: null,
      taxable: false,
      requiresShipping: false,
      tracked: false,
      inventoryPolicy: "CONTINUE",
      inventoryQuantity: 0,
      position: index + 1,
    })),
  };
  putProduct(state, product);
  return sold;
}

/** The rows that the catalogue keeps of all this. */
export function catalogueRows(shop: string, state: ShopState, sold: SoldReference[]) {
  const categoryId =
    sold.find(({ category_id }) => category_id.startsWith(INSURED_TYPE))?.category_id ?? null;
  const insured = [...state.products.values()].filter(({ productType }) => productType === INSURED_TYPE);
  return {
    references: sold.map((reference) => ({
      shop,
      environment: "test",
      referenceId: reference.reference_id,
      categoryId: reference.category_id,
      termMonths: reference.term,
      termLength: `${reference.term} mois`,
      priceMinor: reference.price,
      currency: reference.currency_code,
      bandMinMinor: reference.price_band_min,
      bandMaxMinor: reference.price_band_max,
      billing: reference.billing,
      title: reference.title,
      productReferenceIds: [],
    })),
    variants: sold.map(({ variantId, reference_id: referenceId, price: priceMinor }) => ({
      shop,
      variantId,
      productId: PLANS,
      environment: "test",
      referenceId,
      onSale: true,
      priceMinor,
    })),
    products: insured.map(({ id, title, handle, productType }) => ({
      shop,
      productId: id,
      title,
      handle,
      status: "ACTIVE",
      productType,
      vendor: "",
      categoryId,
    })),
  };
}

let pairs = 0;

export interface InsuredLines {
  phone: NewOrderLine;
  plan: NewOrderLine;
  reference: SoldReference;
}

/** A smartphone and the plan for it, as the storefront puts them into the cart. */
export function linesFor(
  state: ShopState,
  sold: SoldReference[],
  { term = 24, quantity = 1, plans = quantity }: { term?: number; quantity?: number; plans?: number } = {},
): InsuredLines {
  const phone = [...state.products.values()].find(({ productType }) => productType === INSURED_TYPE);
  const variant = phone?.variants[0];
  const reference = sold.find(
    (each) =>
      each.category_id.startsWith(INSURED_TYPE) &&
      each.term === term &&
      variant !== undefined &&
      each.price_band_min <= variant.price &&
      variant.price <= each.price_band_max,
  );
  if (!variant || !reference) throw new Error("The demo shop has no smartphone with an offer");
  // Stock is not what these tests are about.
  variant.tracked = false;
  const pair = `p${(pairs += 1)}`;
  return {
    reference,
    phone: { variantId: variant.id, quantity, properties: [{ name: PAIR, value: pair }] },
    plan: {
      variantId: reference.variantId,
      quantity: plans,
      properties: [
        { name: PAIR, value: pair },
        { name: INSURED_VARIANT, value: variant.id },
        { name: REFERENCE, value: reference.reference_id },
        { name: CONSENT, value: "1 2026-11-20T09:59:00.000Z" },
      ],
    },
  };
}
