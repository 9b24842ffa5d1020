/** The merchant's own choice of a category for single products, which stands above every rule. */
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { saveIfUnchanged, versionOf } from "#app/merchants/save-settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { AdminRefused, AdminUnavailable, NoAccess } from "#app/shopify/errors.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { categoriseKnown } from "./categorise-products.server.ts";
import { listRules } from "./rules.server.ts";
import { requestFollowUpRun, startRun } from "#app/catalogue/runs/runs.server.ts";

/** A category, null for none, or `clear` to let the rules decide again. */
export type CategoryOverride = { categoryId: string | null } | "clear";

/**
 * Saves the override and applies it at once. `later`: the platform does not take it now, so a run will write it;
 * `changed_elsewhere`: it is another one by now than the version that was shown, and nothing was saved.
 * @param version of `overrideVersions`; null: whoever saves has not looked at it before
 */
export async function saveOverride(
  shop: string,
  productId: string,
  override: CategoryOverride,
  actor: Actor,
  version: string | null = null,
): Promise<"saved" | "later" | "unknown_product" | "changed_elsewhere"> {
  const known = await db.shopProduct.count({ where: { shop, productId } });
  if (known === 0) return "unknown_product";
  const where = { shop_productId: { shop, productId } };
  const read = async (transaction: Transaction) =>
    overrideOf(await transaction.categoryOverride.findUnique({ where }));
  const isSaved = await saveIfUnchanged(shop, version, read, async (transaction, old) => {
    if (override === "clear") await transaction.categoryOverride.deleteMany({ where: { shop, productId } });
    else {
      const create = { shop, productId, ...override };
      await transaction.categoryOverride.upsert({ where, create, update: override });
    }
    const changes = changedFields(old === "clear" ? null : old, override === "clear" ? {} : override);
    await recordAudit(
      { shop, actor, action: "category_chosen", subject: productId, ...changes },
      transaction,
    );
  });
  if (!isSaved) return "changed_elsewhere";
  await requestFollowUpRun(shop, "products", "rules");
  if (await isAppliedNow(shop, productId)) return "saved";
  await startRun(shop, "products", "rules");
  return "later";
}

const overrideOf = (row: { categoryId: string | null } | null): CategoryOverride =>
  row === null ? "clear" : { categoryId: row.categoryId };

/** Names the override of each of these products as it is (save-settings.server.ts), for a page that shows them. */
export async function overrideVersions(
  shop: string,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.categoryOverride.findMany({ where: { shop, productId: { in: [...productIds] } } });
  const byProduct = new Map(rows.map((row) => [row.productId, row]));
  return new Map(productIds.map((id) => [id, versionOf(overrideOf(byProduct.get(id) ?? null))]));
}

/** False: the platform refuses the category, or cannot be reached. */
async function isAppliedNow(shop: string, productId: string): Promise<boolean> {
  try {
    const adminClient = createAdminClient(shop, { attempts: 2 });
    const refused = await categoriseKnown(adminClient, [productId], await listRules(shop));
    return refused.size === 0;
  } catch (error) {
    const isAway =
      error instanceof AdminRefused || error instanceof AdminUnavailable || error instanceof NoAccess;
    if (isAway) return false;
    throw error;
  }
}
