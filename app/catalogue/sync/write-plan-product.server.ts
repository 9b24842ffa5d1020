/** Writes a plan product into the shop, or unpublishes it. */
import { setTimeout as wait } from "node:timers/promises";
import { gid, numericId } from "#app/shopify/gid.ts";
import { type UserError, UserErrors, VariantLimitReached } from "#app/shopify/errors.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { ParasolSetPlanProductMutation } from "#app/shopify/types/admin.generated.d.ts";
import type { ProductChange } from "./difference.ts";
import type { ShopLocale } from "./plan-products.ts";
import { productSetPoints, productSetVariables } from "./product-set.ts";
import { publishProduct } from "./publication.server.ts";
import { readRefusal, updateVariants } from "./update-variants.server.ts";

export type ProductWriteResult =
  | { type: "written"; productId: string }
  /** the shop has reached Shopify's daily limit of new variants; nothing was written */
  | { type: "variant_limit" }
  /** `references`: Shopify's message for each refused reference; empty if it refuses the whole product */
  | { type: "refused"; references: Map<string, string>; message: string };

/** Writes a change and publishes the product if it is not published. Writing the same change twice is harmless. */
export async function writePlanProduct(
  adminClient: AdminClient,
  publicationId: string,
  change: ProductChange,
  { currency }: ShopLocale,
  signal: AbortSignal,
): Promise<ProductWriteResult> {
  let { productId } = change;
  const { product, variants, publish } = change.writes;
  if (product || variants === "list") {
    const written = await setProduct(adminClient, change, currency, signal);
    if (written.type !== "written") return written;
    productId = written.productId;
  }
  if (productId === null) return refusedAsWhole("The product has no id");
  const refused = await updateVariants(adminClient, change, currency);
  if (refused) return { type: "refused", ...refused };
  if (publish) await publishProduct(adminClient, publicationId, productId);
  return { type: "written", productId };
}

async function setProduct(
  adminClient: AdminClient,
  change: ProductChange,
  currency: string,
  signal: AbortSignal,
): Promise<ProductWriteResult> {
  let productSet: ParasolSetPlanProductMutation["productSet"];
  try {
    ({ productSet } = await adminClient.request(
      `#graphql
      mutation ParasolSetPlanProduct($identifier: ProductSetIdentifiers, $input: ProductSetInput!, $synchronous: Boolean!) {
        productSet(identifier: $identifier, input: $input, synchronous: $synchronous) {
          product { id }
          productSetOperation { id }
          userErrors { field message code }
        }
      }`,
      {
        variables: productSetVariables(change, currency),
        requestedCost: productSetPoints(change) + 1,
      },
    ));
  } catch (error) {
    if (error instanceof VariantLimitReached) return { type: "variant_limit" };
    throw error;
  }
  const operation = productSet?.productSetOperation;
  const outcome = operation ? await waitForOperation(adminClient, operation.id, signal) : productSet;
  if (!outcome) return refusedAsWhole("Shopify returned nothing");
  if (outcome.userErrors.some(isVariantLimit)) return { type: "variant_limit" };
  if (outcome.userErrors.length > 0) {
    return { type: "refused", ...readRefusal(outcome.userErrors, change.variants) };
  }
  if (!outcome.product) return refusedAsWhole("Shopify returned no product");
  return { type: "written", productId: numericId(outcome.product.id) };
}

/** In a synchronous call the limit is an error of the whole call; in an asynchronous operation it is a user error. */
function isVariantLimit({ code, message }: UserError): boolean {
  return code === "VARIANTS_OVER_LIMIT" || /daily variant creation limit/i.test(message);
}

function refusedAsWhole(message: string): ProductWriteResult {
  return { type: "refused", references: new Map(), message };
}

async function waitForOperation(adminClient: AdminClient, operationId: string, signal: AbortSignal) {
  for (let pause = 200; ; pause = Math.min(pause * 2, 5_000)) {
    const { productOperation } = await adminClient.request(
      `#graphql
      query ParasolSetState($id: ID!) {
        productOperation(id: $id) {
          status
          product { id }
          ... on ProductSetOperation { userErrors { field message code } }
        }
      }`,
      { variables: { id: operationId }, requestedCost: 3 },
    );
    if (!productOperation || !("userErrors" in productOperation)) return null;
    if (productOperation.status === "COMPLETE") return productOperation;
    await wait(pause, undefined, { signal });
  }
}

/**
 * Unpublishes a whole product, for example the test environment's product after production is in use.
 * @throws UserErrors if Shopify refuses
 */
export async function retirePlanProduct(adminClient: AdminClient, productId: string): Promise<void> {
  const { productSet } = await adminClient.request(
    `#graphql
    mutation ParasolRetirePlanProduct($identifier: ProductSetIdentifiers, $input: ProductSetInput!) {
      productSet(identifier: $identifier, input: $input, synchronous: true) {
        product { id }
        productSetOperation { id }
        userErrors { field message code }
      }
    }`,
    {
      variables: { identifier: { id: gid("Product", productId) }, input: { status: "DRAFT" } },
      requestedCost: 11,
    },
  );
  // The merchant may have deleted it in the meantime: then it is off sale as intended.
  const errors = (productSet?.userErrors ?? []).filter(({ code }) => code !== "PRODUCT_DOES_NOT_EXIST");
  if (errors.length === 0) return;
  const operation = "ParasolRetirePlanProduct";
  throw new UserErrors(errors, { shop: adminClient.shop, operation, requestId: null });
}
