/** The merchant's word on single products, which stands above every rule. */
import { db } from "#app/platform/db.server.ts";
import { NoAccessError } from "#app/shopify/admin.server.ts";
import { createAdminClient, AdminRefused, AdminUnavailable } from "#app/shopify/graphql.server.ts";
import { decideOne } from "./product-categories.server.ts";
import { listRules } from "./rules.server.ts";
import { followRun, startRun } from "#app/catalogue/runs/runs.server.ts";

/** A category, null for none, or `clear` to let the rules decide again. */
export type Word = { categoryId: string | null } | "clear";

/**
 * Keeps the merchant's word on a product and decides the product anew, at once. `later`: the platform does not take it
 * now, so a run will write it.
 */
export async function saveOverride(
  shop: string,
  productId: string,
  word: Word,
): Promise<"saved" | "later" | "unknown_product"> {
  const known = await db.shopProduct.count({ where: { shop, productId } });
  if (known === 0) return "unknown_product";
  if (word === "clear") await db.categoryOverride.deleteMany({ where: { shop, productId } });
  else {
    await db.categoryOverride.upsert({
      where: { shop_productId: { shop, productId } },
      create: { shop, productId, ...word },
      update: word,
    });
  }
  await followRun(shop, "products", "rules");
  try {
    await decideOne(createAdminClient(shop, { attempts: 2 }), productId, await listRules(shop));
    return "saved";
  } catch (error) {
    const isAway =
      error instanceof AdminRefused || error instanceof AdminUnavailable || error instanceof NoAccessError;
    if (!isAway) throw error;
    await startRun(shop, "products", "rules");
    return "later";
  }
}
