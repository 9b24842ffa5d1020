/** Which of the merchant's stores at the service an order belongs to, by where it is delivered. */
import { z } from "zod";
import { type Place, territoryOf } from "../../extensions/sale-rule.ts";

export const marketStore = z.object({ storeId: z.string(), countries: z.array(z.string()) });
export type MarketStore = z.infer<typeof marketStore>;

/** The further store that this place is assigned to; null: the connection's own. */
export function storeFor(stores: readonly MarketStore[], delivery: Place | null | undefined): string | null {
  const territory = delivery ? territoryOf(delivery) : null;
  if (territory === null) return null;
  return stores.find(({ countries }) => countries.includes(territory))?.storeId ?? null;
}

/** @param stores the others: a country is one store's */
export function assignCountries(
  stores: readonly MarketStore[],
  { storeId, countries }: MarketStore,
): MarketStore[] {
  const others = stores
    .filter((store) => store.storeId !== storeId)
    .map((store) => ({ ...store, countries: store.countries.filter((code) => !countries.includes(code)) }));
  return [...others, { storeId, countries }];
}
