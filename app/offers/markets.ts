/** The shop's markets, and where shoppers are offered insurance: where its currency is the cart's. */

export interface Market {
  id: string;
  name: string;
  /** ISO 4217; null where the market takes it from elsewhere */
  currency: string | null;
  /** `some`: shoppers who pay in the shop's currency, where a market has several */
  offers: "shown" | "some" | "none";
}

interface MarketCurrency {
  baseCurrency: { currencyCode: string };
  /** shoppers pay in their own country's currency */
  localCurrencies: boolean;
}

/** What a market's currency means for offers in a shop of `shopCurrency`. */
export function offersIn(
  currency: MarketCurrency | null,
  shopCurrency: string,
): Pick<Market, "currency" | "offers"> {
  if (currency === null) return { currency: null, offers: "some" };
  const { currencyCode } = currency.baseCurrency;
  if (currency.localCurrencies) return { currency: currencyCode, offers: "some" };
  return { currency: currencyCode, offers: currencyCode === shopCurrency ? "shown" : "none" };
}
