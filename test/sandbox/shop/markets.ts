/** A variant's price in a market: its price list's fixed price, else the shop's price with the list's adjustment. */
import type { Market, Variant } from "./state.ts";

export function marketPrice(market: Market | undefined, { id, price }: Variant): number {
  const list = market?.priceList;
  if (list == null) return price;
  return list.fixedPrices.get(id) ?? Math.round((price * (100 + list.adjustment)) / 100);
}

/** `fr`, `belgique`: the market's name in a URL. */
export const marketHandle = ({ name }: Market): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
