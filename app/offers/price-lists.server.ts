/**
 * Price lists of markets and company catalogues that change the plans' prices in the shop's currency. A plan then has
 * another price than its offer, so the cart removes it. The remedy is a fixed price for the plan in the list.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { db } from "#app/platform/db.server.ts";
import { toCappedMinorUnits, toDecimalText } from "#app/platform/money.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import { type AdminClient, createAdminClient, readOrNull } from "#app/shopify/graphql.server.ts";
import type { ParasolFixedPricesQuery } from "#app/shopify/types/admin.generated.d.ts";
import type { CurrencyCode, PriceListPriceInput } from "#app/shopify/types/admin.types.d.ts";

type Seller = Pick<Merchant, "shop" | "environment" | "currency">;

export interface AdjustedPriceList {
  id: string;
  /** the merchant's name of the market or catalogue */
  name: string;
  /** per cent: 5, -10 */
  percent: number;
  /** the number of plans on sale without a fixed price in the list */
  plansToFix: number;
}

/** Shopify's limit of fixed prices in one call. */
const PRICES_PER_CALL = 250;

/** Those of the first fifty price lists that change the price of a plan. Null: Shopify is not reachable now. */
export function readAdjustedPriceLists(seller: Seller): Promise<AdjustedPriceList[] | null> {
  return readOrNull(seller.shop, "the price lists", async (signal) => {
    const client = createAdminClient(seller.shop, { signal, attempts: 2 });
    const { priceLists } = await client.request(
      `#graphql
      query ParasolPriceLists {
        priceLists(first: 50) {
          nodes { id name currency parent { adjustment { type value } } catalog { title } }
        }
      }`,
      { requestedCost: 30 },
    );
    const adjusted: AdjustedPriceList[] = [];
    for (const { id, name, currency, parent, catalog } of priceLists.nodes) {
      if (!parent || parent.adjustment.value === 0 || currency !== seller.currency) continue;
      const plansToFix = (await findPricesToFix(client, seller, id)).length;
      if (plansToFix === 0) continue;
      const { type, value } = parent.adjustment;
      const percent = type === "PERCENTAGE_DECREASE" ? -value : value;
      adjusted.push({ id: numericId(id), name: catalog?.title ?? name, percent, plansToFix });
    }
    return adjusted;
  });
}

/**
 * Writes the price of each plan on sale into a price list as a fixed price. Other products keep the adjustment.
 * @param id as in `AdjustedPriceList`
 * @throws UserErrors, AdminRefused, AdminUnavailable, NoAccess
 */
export async function fixPlanPrices(seller: Seller, id: string, actor: Actor): Promise<void> {
  const client = createAdminClient(seller.shop, { attempts: 2 });
  const priceListId = gid("PriceList", id);
  const missing = await findPricesToFix(client, seller, priceListId);
  for (let from = 0; from < missing.length; from += PRICES_PER_CALL) {
    const prices = missing.slice(from, from + PRICES_PER_CALL);
    await client.mutate(
      `#graphql
      mutation ParasolFixPrices($priceListId: ID!, $prices: [PriceListPriceInput!]!) {
        priceListFixedPricesAdd(priceListId: $priceListId, prices: $prices) { userErrors { field message code } }
      }`,
      { variables: { priceListId, prices } },
    );
  }
  if (missing.length > 0)
    await recordAudit({ shop: seller.shop, actor, action: "market_prices_fixed", subject: id });
}

/** The prices of plans on sale that are missing as fixed prices in a list of the shop's currency. */
async function findPricesToFix(
  client: AdminClient,
  { shop, environment, currency }: Seller,
  id: string,
): Promise<PriceListPriceInput[]> {
  const plans = await db.syncedVariant.findMany({
    where: { shop, environment, onSale: true },
    select: { variantId: true, priceMinor: true },
  });
  if (plans.length === 0) return [];
  const fixed = new Map<string, number>();
  let listCurrency: CurrencyCode;
  for (let after: string | null = null; ;) {
    const { priceList }: ParasolFixedPricesQuery = await client.request(
      `#graphql
      query ParasolFixedPrices($id: ID!, $after: String) {
        priceList(id: $id) {
          currency
          prices(first: 250, after: $after, originType: FIXED) {
            nodes { variant { id } price { amount } }
            pageInfo { hasNextPage endCursor }
          }
        }
      }`,
      { variables: { id, after }, requestedCost: 30 },
    );
    if (priceList?.currency !== currency) return [];
    listCurrency = priceList.currency;
    for (const { variant, price } of priceList.prices.nodes)
      fixed.set(numericId(variant.id), toCappedMinorUnits(price.amount, currency));
    if (!priceList.prices.pageInfo.hasNextPage) break;
    after = priceList.prices.pageInfo.endCursor;
  }
  return plans
    .filter(({ variantId, priceMinor }) => fixed.get(variantId) !== priceMinor)
    .map(({ variantId, priceMinor }) => ({
      variantId: gid("ProductVariant", variantId),
      price: { amount: toDecimalText(priceMinor, currency), currencyCode: listCurrency },
    }));
}
