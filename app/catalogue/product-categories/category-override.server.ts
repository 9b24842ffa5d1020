/** The merchant's choice of a category for a single product, which overrides every rule. */
import type { Actor } from "#app/audit/actor.ts";
import { changedFields } from "#app/audit/changes.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { saveIfUnchanged, versionOf } from "#app/merchants/settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { AdminRefused, AdminUnavailable, NoAccess } from "#app/shopify/errors.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { categoriseKnown } from "./categorise-products.server.ts";
import { requestFollowUpRun, startRun } from "#app/catalogue/runs/runs.server.ts";

/** A category, null for none, or `clear` to let the rules decide again. */
export type CategoryOverride = { categoryId: string | null } | "clear";

/**
 * Saves the override and applies it at once. `later`: Shopify does not accept it now, so a run will write it.
 * `changed_elsewhere`: the override has changed since the page was loaded, and nothing was saved.
 * @param version `overrideVersion`; null: the page has loaded no version
 */
export async function saveOverride(
  shop: string,
  productId: string,
  override: CategoryOverride,
  actor: Actor,
  version: string | null = null,
): Promise<"saved" | "later" | "unknown_product" | "changed_elsewhere"> {
  const where = { shop_productId: { shop, productId } };
  const product = await db.shopProduct.findUnique({ where });
  if (product === null) return "unknown_product";
  const read = async (tx: Transaction) => chosenFor((await tx.shopProduct.findUnique({ where })) ?? product);
  const isSaved = await saveIfUnchanged(shop, version, read, async (tx) => {
    const old = await tx.categoryOverride.findUnique({ where });
    if (override === "clear") await tx.categoryOverride.deleteMany({ where: { shop, productId } });
    else {
      const create = { shop, productId, ...override };
      await tx.categoryOverride.upsert({ where, create, update: override });
    }
    const changes = changedFields(
      old && { categoryId: old.categoryId },
      override === "clear" ? {} : override,
    );
    await recordAudit({ shop, actor, action: "category_chosen", subject: productId, ...changes }, tx);
  });
  if (!isSaved) return "changed_elsewhere";
  await requestFollowUpRun(shop, "products", "rules");
  if (await isAppliedNow(shop, productId)) return "saved";
  await startRun(shop, "products", "rules");
  return "later";
}

interface Decided {
  decidedBy: string | null;
  categoryId: string | null;
}

/** The merchant's choice for a product, as far as it is applied. */
const chosenFor = ({ decidedBy, categoryId }: Decided): CategoryOverride =>
  decidedBy === "override" ? { categoryId } : "clear";

/** Identifies the choice that a page shows for a product, as `versionOf` identifies settings. */
export const overrideVersion = (product: Decided): string => versionOf(chosenFor(product));

/** False: Shopify refuses the category, or is not reachable. */
async function isAppliedNow(shop: string, productId: string): Promise<boolean> {
  try {
    const adminClient = createAdminClient(shop, { attempts: 2 });
    const refused = await categoriseKnown(adminClient, [productId]);
    return refused.size === 0;
  } catch (error) {
    const isAway =
      error instanceof AdminRefused || error instanceof AdminUnavailable || error instanceof NoAccess;
    if (isAway) return false;
    throw error;
  }
}
