/** Reads the shop's markets. */
import { queryOrNull } from "#app/shopify/graphql.server.ts";
import { offersIn } from "./markets.ts";
import type { Market } from "./markets.ts";

/** The number that a page shows; few shops have more. */
const query = `#graphql
  query ParasolMarkets {
    markets(first: 50, query: "status:ACTIVE") {
      nodes { id name currencySettings { baseCurrency { currencyCode } localCurrencies } }
    }
  }`;

/** The first fifty active markets of a shop that sells in `shopCurrency`. Null: Shopify is not reachable now. */
export async function readMarkets(shop: string, shopCurrency: string): Promise<Market[] | null> {
  const data = await queryOrNull(shop, "the markets", query, {});
  if (!data) return null;
  return data.markets.nodes.map(({ id, name, currencySettings }) => ({
    id,
    name,
    ...offersIn(currencySettings ?? null, shopCurrency),
  }));
}
