/** The shop's markets, and which of them show offers: those where the cart has the shop's currency. */

export interface Market {
  id: string;
  name: string;
  /** ISO 4217; null if the market inherits it */
  currency: string | null;
  /** `some`: if a market has several currencies, shoppers who pay in the shop's currency */
  offers: "shown" | "some" | "none";
}

interface MarketCurrency {
  baseCurrency: { currencyCode: string };
  /** shoppers pay in their own country's currency */
  localCurrencies: boolean;
}

/** Whether a market's currency allows offers in a shop with `shopCurrency`. */
export function offersIn(
  currency: MarketCurrency | null,
  shopCurrency: string,
): Pick<Market, "currency" | "offers"> {
  if (currency === null) return { currency: null, offers: "some" };
  const { currencyCode } = currency.baseCurrency;
  if (currency.localCurrencies) return { currency: currencyCode, offers: "some" };
  return { currency: currencyCode, offers: currencyCode === shopCurrency ? "shown" : "none" };
}
