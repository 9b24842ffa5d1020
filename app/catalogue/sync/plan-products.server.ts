/** Reads and writes the shop's plan products. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { toMinorUnits } from "#app/platform/money.ts";
import { runBulkQuery } from "#app/shopify/bulk.server.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import { ShopError } from "#app/shopify/errors.ts";
import { userErrors } from "#app/shopify/graphql.server.ts";
import type { AdminClient, UserError } from "#app/shopify/graphql.server.ts";
import { productFields } from "./difference.ts";
import type { FoundProduct, FoundVariant, ProductChange } from "./difference.ts";
import { optionNames, PLAN_TAG } from "./plan-products.ts";
import type { Language } from "./plan-products.ts";
import { productSetPoints, productSetVariables } from "./product-set.ts";
import { readPublicationId, savePublicationId } from "#app/catalogue/settings.server.ts";

/** The shop has no publication of the online store, so nothing can be sold there. */
export class NoOnlineStore extends ShopError {
  override name = "NoOnlineStore";
}

const PRODUCT = `id handle title descriptionHtml productType status tags published: publishedOnPublication(publicationId: $publication) featuredMedia { id }`;
const VARIANT = `id sku price taxable selectedOptions { name value } inventoryItem { tracked requiresShipping }`;

const productNode = z.object({
  id: z.string(),
  handle: z.string(),
  title: z.string(),
  descriptionHtml: z.string(),
  productType: z.string(),
  status: productFields.shape.status,
  tags: z.array(z.string()),
  published: z.boolean(),
  featuredMedia: z.object({ id: z.string() }).nullable(),
});
const variantNode = z.object({
  id: z.string(),
  sku: z.string().nullable(),
  price: z.string(),
  taxable: z.boolean(),
  selectedOptions: z.array(z.object({ name: z.string(), value: z.string() })),
  inventoryItem: z.object({ tracked: z.boolean(), requiresShipping: z.boolean() }),
});
const line = z.union([variantNode.extend({ __parentId: z.string() }), productNode]);

/** The currency and language in which a shop's plan products are kept. */
export interface ShopLocale {
  currency: string;
  language: Language;
}

const planProductsCount = z.object({ productsCount: z.object({ count: z.number().int() }).nullable() });

/** Whether the shop has any plan product: a point, where reading them all costs ten and a wait. */
export async function hasPlanProducts(adminClient: AdminClient): Promise<boolean> {
  const { productsCount } = await adminClient.request({
    query: `#graphql
    query ParasolPlanProductsCount { productsCount(query: "tag:${PLAN_TAG}", limit: 1) { count } }`,
    schema: planProductsCount,
    requestedCost: 1,
  });
  return (productsCount?.count ?? 0) > 0;
}

/**
 * The plan products of the shop as they are, both environments', by product id. They are found by their tag.
 * @throws BulkFailed, AdminRefused, AdminUnavailable
 */
export async function readPlanProducts(
  adminClient: AdminClient,
  publicationId: string,
  terms: ShopLocale,
  signal: AbortSignal,
): Promise<Map<string, FoundProduct>> {
  const products = new Map<string, FoundProduct>();
  const orphans: { productId: string; variant: FoundVariant }[] = [];
  const query = `{
    products(query: "tag:${PLAN_TAG}") {
      edges { node {
        ${PRODUCT.replace("$publication", JSON.stringify(gid("Publication", publicationId)))}
        variants { edges { node { ${VARIANT} } } }
      } }
    }
  }`;
  for await (const object of runBulkQuery(adminClient, query, line, signal)) {
    if ("__parentId" in object) {
      orphans.push({ productId: numericId(object.__parentId), variant: foundVariant(object, terms) });
    } else {
      const product = foundProduct(object);
      products.set(product.productId, product);
    }
  }
  for (const { productId, variant } of orphans) products.get(productId)?.variants.push(variant);
  return products;
}

const onePage = z.object({
  product: productNode
    .extend({
      variants: z.object({
        nodes: z.array(variantNode),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    })
    .nullable(),
});

/** One plan product, read straight: for those that the search index does not show (yet). Null: it is gone. */
export async function readPlanProduct(
  adminClient: AdminClient,
  publicationId: string,
  productId: string,
  terms: ShopLocale,
): Promise<FoundProduct | null> {
  let product: FoundProduct | null = null;
  for (let after: string | null = null; ;) {
    const page: z.infer<typeof onePage> = await adminClient.request({
      query: `#graphql
      query ParasolPlanProduct($id: ID!, $publication: ID!, $after: String) {
        product(id: $id) {
          ${PRODUCT}
          variants(first: 250, after: $after) { nodes { ${VARIANT} } pageInfo { hasNextPage endCursor } }
        }
      }`,
      variables: { id: gid("Product", productId), publication: gid("Publication", publicationId), after },
      schema: onePage,
      requestedCost: 60,
    });
    if (!page.product) return null;
    const { nodes, pageInfo } = page.product.variants;
    product ??= foundProduct(page.product);
    product.variants.push(...nodes.map((node) => foundVariant(node, terms)));
    if (!pageInfo.hasNextPage) return product;
    after = pageInfo.endCursor;
  }
}

function foundProduct({ id, featuredMedia, ...fields }: z.infer<typeof productNode>): FoundProduct {
  return { ...fields, productId: numericId(id), hasImage: featuredMedia !== null, variants: [] };
}

function foundVariant(node: z.infer<typeof variantNode>, { currency, language }: ShopLocale): FoundVariant {
  const names = optionNames[language];
  const option = (name: string, position: number) =>
    (node.selectedOptions.find((each) => each.name === name) ?? node.selectedOptions[position])?.value ?? "";
  return {
    variantId: numericId(node.id),
    sku: node.sku ?? "",
    priceMinor: toMinorUnits(node.price, currency),
    duration: option(names.duration, 0),
    band: option(names.band, 1),
    taxable: node.taxable,
    requiresShipping: node.inventoryItem.requiresShipping,
    tracked: node.inventoryItem.tracked,
  };
}

export type WriteResult =
  | { ok: true; productId: string }
  /** `references`: those that the platform complains of by their place; empty where it refuses the product as a whole */
  | { ok: false; references: Map<string, string>; message: string };

const setAnswer = z.object({
  productSet: z.object({
    product: z.object({ id: z.string() }).nullable(),
    productSetOperation: z.object({ id: z.string() }).nullable(),
    userErrors,
  }),
});
const operationAnswer = z.object({
  productOperation: z.object({
    status: z.enum(["CREATED", "ACTIVE", "COMPLETE"]),
    product: z.object({ id: z.string() }).nullable(),
    userErrors,
  }),
});

/** Writes a change and publishes the product where it is not. Writing the same change again is harmless. */
export async function writePlanProduct(
  adminClient: AdminClient,
  publicationId: string,
  change: ProductChange,
  { currency, language }: ShopLocale,
  signal: AbortSignal,
): Promise<WriteResult> {
  let { productId } = change;
  if (change.writes.product || change.writes.image || change.writes.variants) {
    const written = await setProduct(adminClient, change, { currency, language }, signal);
    if (!written.ok) return written;
    productId = written.productId;
  }
  if (productId === null) return { ok: false, references: new Map(), message: "The product has no id" };
  if (change.writes.publish) await publish(adminClient, publicationId, productId);
  return { ok: true, productId };
}

async function setProduct(
  adminClient: AdminClient,
  change: ProductChange,
  { currency, language }: ShopLocale,
  signal: AbortSignal,
): Promise<WriteResult> {
  const variables = productSetVariables(change, currency, language);
  const { productSet } = await adminClient.request({
    query: `#graphql
    mutation ParasolSetPlanProduct($identifier: ProductSetIdentifiers, $input: ProductSetInput!, $synchronous: Boolean!) {
      productSet(identifier: $identifier, input: $input, synchronous: $synchronous) {
        product { id }
        productSetOperation { id }
        userErrors { field message code }
      }
    }`,
    variables: { ...variables },
    schema: setAnswer,
    requestedCost: productSetPoints(change) + 1,
  });
  const operation = productSet.productSetOperation;
  const outcome = operation ? await waitForOperation(adminClient, operation.id, signal) : productSet;
  if (outcome.userErrors.length > 0) return refusedReferences(outcome.userErrors, change);
  if (!outcome.product)
    return { ok: false, references: new Map(), message: "The platform returned no product" };
  return { ok: true, productId: numericId(outcome.product.id) };
}

async function waitForOperation(adminClient: AdminClient, operationId: string, signal: AbortSignal) {
  for (let pause = 200; ; pause = Math.min(pause * 2, 5_000)) {
    const { productOperation } = await adminClient.request({
      query: `#graphql
      query ParasolSetState($id: ID!) {
        productOperation(id: $id) {
          status
          product { id }
          ... on ProductSetOperation { userErrors { field message code } }
        }
      }`,
      variables: { id: operationId },
      schema: operationAnswer,
      requestedCost: 3,
    });
    if (productOperation.status === "COMPLETE") return productOperation;
    await wait(pause, undefined, { signal });
  }
}

/** Which references a refusal is about: `["input", "variants", "12", "price"]` is the thirteenth variant. */
function refusedReferences(errors: readonly UserError[], change: ProductChange): WriteResult {
  const references = new Map<string, string>();
  for (const { field, message } of errors) {
    const [, list, index] = field ?? [];
    const entry = list === "variants" && index !== undefined ? change.variants[Number(index)] : undefined;
    if (entry?.referenceId != null) references.set(entry.referenceId, message);
  }
  return { ok: false, references, message: errors.map(({ message }) => message).join("; ") };
}

const publishAnswer = z.object({ publishablePublish: z.object({ userErrors }) });

async function publish(adminClient: AdminClient, publicationId: string, productId: string): Promise<void> {
  const { publishablePublish } = await adminClient.request({
    query: `#graphql
    mutation ParasolPublish($id: ID!, $input: [PublicationInput!]!) {
      publishablePublish(id: $id, input: $input) { userErrors { field message } }
    }`,
    variables: {
      id: gid("Product", productId),
      input: [{ publicationId: gid("Publication", publicationId) }],
    },
    schema: publishAnswer,
  });
  const [error] = publishablePublish.userErrors;
  if (error) {
    throw new NoOnlineStore(error.message, {
      shop: adminClient.shop,
      operation: "ParasolPublish",
      requestId: null,
    });
  }
}

/** Takes a whole product from sale, such as the test environment's once production is in use. */
export async function retirePlanProduct(adminClient: AdminClient, productId: string): Promise<void> {
  const { productSet } = await adminClient.request({
    query: `#graphql
    mutation ParasolRetirePlanProduct($identifier: ProductSetIdentifiers, $input: ProductSetInput!) {
      productSet(identifier: $identifier, input: $input, synchronous: true) {
        product { id }
        productSetOperation { id }
        userErrors { field message code }
      }
    }`,
    variables: { identifier: { id: gid("Product", productId) }, input: { status: "DRAFT" } },
    schema: setAnswer,
    requestedCost: 11,
  });
  const [error] = productSet.userErrors;
  // Deleted by the merchant in the meantime: it is off sale, which is what was wanted.
  if (error && error.code !== "PRODUCT_DOES_NOT_EXIST")
    throw new Error(`The product could not be retired: ${error.message}`);
}

const publications = z.object({
  publications: z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) }),
});

/** The online store is a shop's first publication; where it is not, all are read. */
const PAGES = [1, 250];

/** The numeric id of the online store's publication. @throws NoOnlineStore */
export async function findOnlineStorePublication(adminClient: AdminClient): Promise<string> {
  const known = await readPublicationId(adminClient.shop);
  if (known !== null) return known;
  for (const first of PAGES) {
    const { publications: found } = await adminClient.request({
      query: `#graphql
      query ParasolPublications($first: Int!) { publications(first: $first) { nodes { id name } } }`,
      variables: { first },
      schema: publications,
    });
    const store = found.nodes.find(({ name }) => name === "Online Store");
    if (!store) continue;
    const id = numericId(store.id);
    await savePublicationId(adminClient.shop, id);
    return id;
  }
  throw new NoOnlineStore("the shop has no online store to publish to", {
    shop: adminClient.shop,
    operation: "ParasolPublications",
    requestId: null,
  });
}
