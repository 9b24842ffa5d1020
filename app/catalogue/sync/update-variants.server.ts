/** Writes only the variants that differ: with direct calls for a few products, in bulk for many. */
import { z } from "zod";
import { log } from "#app/platform/log.server.ts";
import { runBulkMutation } from "#app/shopify/bulk.server.ts";
import { BulkFailed, UserErrors, joinMessages } from "#app/shopify/errors.ts";
import type { UserError } from "#app/shopify/errors.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { ParasolUpdateVariantsMutationVariables } from "#app/shopify/types/admin.generated.d.ts";
import type { ProductChange, VariantEntry } from "./difference.ts";
import { variantUpdatePoints, variantUpdates } from "./product-set.ts";
import type { SyncContext } from "./sync-context.server.ts";

const UPDATE = `#graphql
mutation ParasolUpdateVariants($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkUpdate(productId: $productId, variants: $variants) { userErrors { field message code } }
}`;

/** If a line fails as a whole, the mutation's field or all data is null. */
const bulkResult = z.object({
  data: z
    .object({
      productVariantsBulkUpdate: z
        .object({ userErrors: z.array(z.object({ message: z.string() })) })
        .nullable(),
    })
    .nullish(),
  __lineNumber: z.number().int(),
});

/**
 * From this number of calls a bulk operation is cheaper: it costs 20 points and a few polls, each call costs at least
 * 10.
 */
const IN_BULK_FROM = 3;

/** What Shopify refused: the single references, or none if it refuses the whole call. */
interface Refusal {
  references: Map<string, string>;
  message: string;
}

/** @param entries in the order of the call */
export function readRefusal(errors: readonly UserError[], entries: readonly VariantEntry[]): Refusal {
  const references = new Map<string, string>();
  for (const { field, message } of errors) {
    // `["variants", "12", "price"]` is the thirteenth variant; a call with an input has that first.
    const [list, index] = field?.[0] === "input" ? field.slice(1) : (field ?? []);
    const entry = list === "variants" && index !== undefined ? entries[Number(index)] : undefined;
    if (entry?.referenceId != null) references.set(entry.referenceId, message);
  }
  return { references, message: joinMessages(errors) };
}

/** One call. @returns Shopify's errors; none: written */
export async function requestUpdate(
  adminClient: AdminClient,
  variables: ParasolUpdateVariantsMutationVariables,
  points: number,
): Promise<readonly UserError[]> {
  try {
    await adminClient.mutate(UPDATE, { variables, requestedCost: points + 1 });
    return [];
  } catch (error) {
    if (error instanceof UserErrors) return error.errors;
    throw error;
  }
}

/** Null: written. */
export async function updateVariants(
  adminClient: AdminClient,
  change: ProductChange,
  currency: string,
): Promise<Refusal | null> {
  for (const update of variantUpdates(change, currency)) {
    const errors = await requestUpdate(adminClient, update.variables, variantUpdatePoints(update));
    if (errors.length > 0) return readRefusal(errors, update.entries);
  }
  return null;
}

/**
 * Sends many calls in one bulk operation.
 * @param variables of each call
 * @returns the indexes of the calls that Shopify refused: all of them if the operation failed
 */
export async function requestUpdatesInBulk(
  { adminClient, signal }: Pick<SyncContext, "adminClient" | "signal">,
  variables: readonly object[],
): Promise<Set<number>> {
  const unanswered = new Set(variables.keys());
  try {
    for await (const { data, __lineNumber: line } of runBulkMutation(
      adminClient,
      UPDATE,
      variables,
      bulkResult,
      signal,
    )) {
      if (data?.productVariantsBulkUpdate?.userErrors.length === 0) unanswered.delete(line);
    }
  } catch (error) {
    if (!(error instanceof BulkFailed)) throw error;
    log.warn(
      { shop: adminClient.shop, reason: error.message },
      "Failed to update variants in a bulk operation; they are updated by single calls",
    );
  }
  return unanswered;
}

/**
 * Writes the new values of many products' variants in one bulk operation.
 * @returns the ids of the finished products. All others have to be written one by one: there were too few for a bulk
 * operation, or Shopify refused them, and only single calls explain why
 */
export async function updateVariantsInBulk(
  context: SyncContext,
  changes: readonly ProductChange[],
): Promise<Set<string>> {
  const updates = changes.flatMap((change) =>
    variantUpdates(change, context.locale.currency).map((update) => ({
      ...update,
      productId: change.productId,
    })),
  );
  if (updates.length < IN_BULK_FROM) return new Set();
  const done = new Set(updates.flatMap(({ productId }) => productId ?? []));
  const refused = await requestUpdatesInBulk(
    context,
    updates.map(({ variables }) => variables),
  );
  for (const line of refused) done.delete(updates[line]?.productId ?? "");
  return done;
}
