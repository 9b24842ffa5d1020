/** Products of the shop as the Admin API returns them, one at a time or as lines of a bulk query. */
import { z } from "zod";
import { toMinorUnits } from "#app/platform/money.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { RuleProduct } from "./rules.ts";

export const productFields = `id title handle status productType vendor tags
  category: metafield(namespace: "$app", key: "insurance_category") { value }`;

const productNode = z.object({
  id: z.string(),
  title: z.string(),
  handle: z.string(),
  status: z.string(),
  productType: z.string(),
  vendor: z.string(),
  tags: z.array(z.string()),
  category: z.object({ value: z.string() }).nullable(),
});

const variantNode = z.object({ id: z.string(), title: z.string(), price: z.string() });

const collectionNode = z.object({ id: z.string().regex(/\/Collection\//) });

export const bulkLine = z.union([
  productNode,
  variantNode.extend({ __parentId: z.string() }),
  collectionNode.extend({ __parentId: z.string() }),
]);

/** A product as it was read. */
export interface ProductRow extends Omit<RuleProduct, "minPriceMinor" | "collections"> {
  handle: string;
  status: string;
  /** the category key in its metafield */
  writtenKey: string | null;
}

export type ProductChild =
  | { productId: string; variantId: string; title: string; priceMinor: number }
  | { productId: string; collectionId: string };

export interface ProductWithChildren {
  product: ProductRow;
  children: ProductChild[];
}

export function toProductRow({ id, category, ...fields }: z.infer<typeof productNode>): ProductRow {
  return { ...fields, productId: numericId(id), writtenKey: category?.value ?? null };
}

export function toProductChild(
  child: z.infer<typeof variantNode> | z.infer<typeof collectionNode>,
  productId: string,
  currency: string,
): ProductChild {
  const id = numericId(child.id);
  return "price" in child
    ? { productId, variantId: id, title: child.title, priceMinor: toMinorUnits(child.price, currency) }
    : { productId, collectionId: id };
}

const productWithChildren = z.object({
  product: productNode
    .extend({
      variants: z.object({
        nodes: z.array(variantNode),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
      collections: z.object({ nodes: z.array(collectionNode) }),
    })
    .nullable(),
});

/** One product with all its variants, read straight. Null: there is none. Of more than 250 collections the rest is left out. */
export async function fetchProduct(
  adminClient: AdminClient,
  productId: string,
  currency: string,
): Promise<ProductWithChildren | null> {
  let read: ProductWithChildren | null = null;
  for (let after: string | null = null; ;) {
    const page: z.infer<typeof productWithChildren> = await adminClient.request({
      query: `#graphql
      query ParasolProduct($id: ID!, $after: String) {
        product(id: $id) {
          ${productFields}
          variants(first: 250, after: $after) { nodes { id title price } pageInfo { hasNextPage endCursor } }
          collections(first: 250) { nodes { id } }
        }
      }`,
      variables: { id: gid("Product", productId), after },
      schema: productWithChildren,
      requestedCost: 60,
    });
    if (!page.product) return null;
    const { variants, collections, ...own } = page.product;
    const toChild = (child: Parameters<typeof toProductChild>[0]) =>
      toProductChild(child, productId, currency);
    read ??= { product: toProductRow(own), children: collections.nodes.map(toChild) };
    read.children.push(...variants.nodes.map(toChild));
    if (!variants.pageInfo.hasNextPage) return read;
    after = variants.pageInfo.endCursor;
  }
}
