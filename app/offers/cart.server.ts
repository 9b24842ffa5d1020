/** Checks a cart by the storefront's rules, for callers that do not run its scripts. */
import { findBands, findPlanVariantIds } from "#app/catalogue/product-categories/category-look-up.server.ts";
import { listUniverses } from "#app/catalogue/product-categories/rules.server.ts";
import { universeOf } from "#app/catalogue/product-categories/universe.ts";
import { findCategorisedVariants, listOfferedCategories } from "#app/catalogue/references/look-up.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readSaleRule } from "#app/merchants/settings.server.ts";
import { sellingStopOf } from "#app/merchants/merchant.ts";
import { planLine } from "../../extensions/plan-line.ts";
import {
  findCorrections,
  isPlan,
  removeAllPlans,
  splitCart,
} from "../../extensions/storefront-scripts/cart-rules.ts";
import type { Line } from "../../extensions/storefront-scripts/cart-rules.ts";
import type { Band } from "../../extensions/catalogue.ts";
import { cartResponse, cartSectionIn } from "./cart.ts";
import type { CartLine, CartResponse } from "./cart.ts";
import { reasonOfRefusal } from "./offers.server.ts";
import type { Buyer } from "./offers-response.ts";
import { queryOrNull } from "#app/shopify/graphql.server.ts";

/**
 * Null: the shop does not have the app.
 * @param buyer as far as the caller knows the buyer
 */
export async function checkCart(
  shop: string,
  cartLines: readonly CartLine[],
  buyer: Buyer,
): Promise<CartResponse | null> {
  const merchant = await findMerchant(shop);
  if (!merchant || merchant.uninstalledAt !== null) return null;
  const cart = cartLines.map(({ key, variant_id, quantity, price, properties, parent, gift }): Line => {
    return {
      key,
      variant: variant_id,
      quantity,
      price,
      properties,
      parent: parent ?? undefined,
      isLocked: gift,
    };
  });
  // A plan without the app's line properties is recognised by its variant, as in the checkout.
  const planVariants = await findPlanVariantIds(
    shop,
    cart.map(({ variant }) => variant),
  );
  const isPlanLine = (line: Line) => isPlan(line) || planVariants.has(line.variant);
  const products = cart.filter((line) => !isPlanLine(line));
  const lines = cart.map((line) => (isPlanLine(line) ? planLine(line, products) : line));
  const refusal = reasonOfRefusal(await readSaleRule(shop), merchant, buyer);
  // No contract could be issued for a plan that is sold now, or the merchant has stopped the sale.
  if (sellingStopOf(merchant) !== null || refusal !== null)
    return { changes: removeAllPlans(lines), proposals: [], missing: [] };
  const bands = await bandsByVariant(
    shop,
    merchant.environment,
    lines.map(({ variant }) => variant),
  );
  const bandsOf = (variant: string) => bands.get(variant);
  const parts = splitCart(lines).map((part) => findCorrections(part, bandsOf));
  const corrections = {
    misfits: parts.flatMap(({ misfits }) => misfits),
    changes: parts.flatMap(({ changes }) => changes),
    gaps: parts.flatMap(({ gaps }) => gaps),
  };
  return cartResponse(corrections, bandsOf);
}

/**
 * The bands of variants whose offers are the same for all products. Other variants are missing, as on the storefront.
 */
async function bandsByVariant(
  shop: string,
  environment: Environment,
  variantIds: readonly string[],
): Promise<Map<string, Band[]>> {
  const categories = await listOfferedCategories(shop, environment);
  const universes = await listUniverses(shop);
  // If the offers of one formula differ by product, only the insurer knows the prices of the whole universe.
  const isKnown = (categoryId: string) =>
    categories.has(categoryId) &&
    universeOf(universes, categoryId).every((id) => categories.get(id)?.live !== true);
  const syncedVariants = (await findCategorisedVariants(shop, variantIds)).flatMap(
    ({ variantId, categoryId }) =>
      categoryId !== null && isKnown(categoryId) ? [{ variantId, categoryId }] : [],
  );
  const byCategory = await findBands(shop, environment, universes, [
    ...new Set(syncedVariants.map(({ categoryId }) => categoryId)),
  ]);
  return new Map(
    syncedVariants.map(({ variantId, categoryId }) => [variantId, byCategory.get(categoryId)?.bands ?? []]),
  );
}

// Reads the section of the published theme's cart that takes app blocks, for the link to the theme editor.

const query = `#graphql
  query ParasolCartSection {
    themes(first: 1, roles: [MAIN]) {
      nodes {
        files(first: 50, filenames: ["templates/cart.json", "sections/main-cart*", "sections/cart*"]) {
          nodes { filename body { ... on OnlineStoreThemeFileBodyText { content } } }
        }
      }
    }
  }`;

/** The section's id; null: not found, or Shopify is not reachable now. */
export async function readCartSection(shop: string): Promise<string | null> {
  const data = await queryOrNull(shop, "the theme", query, {});
  const files = data?.themes?.nodes[0]?.files?.nodes ?? [];
  return cartSectionIn(
    files.map(({ filename, body }) => ({ filename, content: "content" in body ? body.content : "" })),
  );
}
