import { useShop } from "./shop.tsx";

/**
 * Writes the organisation's amounts. Commissions are euros; contract prices are in the store's currency, which the
 * service does not send (spec, "Sales"). "–" where there is none.
 */
export function useFormatEuros(): (cents: number | null) => string {
  const { format } = useShop();
  return (cents) => (cents === null ? "–" : format.money(cents, "EUR"));
}
