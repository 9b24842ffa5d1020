/** Which products, variants and orders a query finds, and in which order. */
import { z } from "zod";
import type { Order, Product, Variant } from "../../state.ts";
import { NotImplemented } from "./errors.ts";
import type { SearchFields } from "./search.ts";

export const listArguments = z.object({
  query: z.string().nullish(),
  sortKey: z.string().nullish(),
  savedSearchId: z.null().optional(),
});

export const productFields: SearchFields<Product> = {
  id: ({ id }) => [{ id }],
  title: ({ title }) => [{ text: title }],
  handle: ({ handle }) => [{ text: handle }],
  product_type: ({ productType }) => [{ text: productType }],
  vendor: ({ vendor }) => [{ text: vendor }],
  tag: ({ tags }) => tags.map((text) => ({ text })),
  status: ({ status }) => [{ text: status }],
  sku: ({ variants }) => variants.flatMap(({ sku }) => (sku === null ? [] : [{ text: sku }])),
  gift_card: ({ giftCard }) => [{ text: String(giftCard === true) }],
  published_status: ({ publishedOn, status }) => [
    {
      text:
        publishedOn.size > 0 && (status === "ACTIVE" || status === "UNLISTED") ? "published" : "unpublished",
    },
  ],
  created_at: ({ createdAt }) => [{ date: createdAt }],
  updated_at: ({ updatedAt }) => [{ date: updatedAt }],
  price: ({ variants }) => variants.map(({ price }) => ({ number: price / 100 })),
};

export interface Found {
  product: Product;
  variant: Variant;
}

export const variantFields: SearchFields<Found> = {
  id: ({ variant }) => [{ id: variant.id }],
  product_id: ({ product }) => [{ id: product.id }],
  sku: ({ variant }) => (variant.sku === null ? [] : [{ text: variant.sku }]),
  title: ({ product, variant }) => [{ text: product.title }, { text: variant.title }],
  product_type: ({ product }) => [{ text: product.productType }],
  vendor: ({ product }) => [{ text: product.vendor }],
  tag: ({ product }) => product.tags.map((text) => ({ text })),
  product_status: ({ product }) => [{ text: product.status }],
  updated_at: ({ product }) => [{ date: product.updatedAt }],
};

export const orderFields: SearchFields<Order> = {
  id: ({ id }) => [{ id }],
  name: ({ name }) => [{ text: name }, { text: name.slice(1) }],
  email: ({ email }) => (email === null ? [] : [{ text: email }]),
  financial_status: ({ financialStatus }) => [{ text: financialStatus }],
  status: ({ cancelledAt }) => [{ text: cancelledAt === null ? "open" : "cancelled" }, { text: "any" }],
  created_at: ({ createdAt }) => [{ date: createdAt }],
  updated_at: ({ updatedAt }) => [{ date: updatedAt }],
  processed_at: ({ processedAt }) => [{ date: processedAt }],
  sku: ({ lines }) => lines.flatMap(({ sku }) => (sku === null ? [] : [{ text: sku }])),
};

/** How far back an app sees orders without `read_all_orders`. */
const orderWindow = 60 * 24 * 3600 * 1000;

export function isShown({ createdAt }: Order, scopes: readonly string[]): boolean {
  return scopes.includes("read_all_orders") || Date.parse(createdAt) >= Date.now() - orderWindow;
}

export function sorted<T>(
  items: T[],
  key: string | null | undefined,
  keys: Record<string, (item: T) => string>,
): T[] {
  // Things are kept in the order of their ids.
  if (key == null || key === "ID" || key === "RELEVANCE") return items;
  const value = keys[key];
  if (value === undefined) throw new NotImplemented(`sortKey ${key}`);
  return items.toSorted((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0));
}
