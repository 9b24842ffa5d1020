import type { ReactNode } from "react";
import { createContext, useContext, useMemo } from "react";
import type { Locale } from "#app/platform/locale.ts";
import { formatsFor } from "./format.ts";
import type { Formats } from "./format.ts";

/** The shop's data that every page needs for its language and formats. */
export interface ShopInfo {
  shop: string;
  locale: Locale;
  /** ISO 4217 */
  currency: string;
  /** IANA name */
  timezone: string;
}

const ShopContext = createContext<(ShopInfo & { format: Formats }) | null>(null);

export function ShopProvider({ info, children }: { info: ShopInfo; children: ReactNode }) {
  const { shop, locale, currency, timezone } = info;
  const value = useMemo(
    () => ({ shop, locale, currency, timezone, format: formatsFor(locale, timezone) }),
    [shop, locale, currency, timezone],
  );
  return <ShopContext.Provider value={value}>{children}</ShopContext.Provider>;
}

/** The shop and its formats: `const { format } = useShop()`. */
export function useShop(): ShopInfo & { format: Formats } {
  const shop = useContext(ShopContext);
  if (shop === null) throw new Error("useShop works inside the pages of the app only");
  return shop;
}

/**
 * Formats the organisation's amounts. Commissions are in euros. Contract prices are in the store's currency, which the
 * insurer does not send (spec, "Sales"). A missing amount is "–".
 */
export function useFormatEuros(): (cents: number | null) => string {
  const { format } = useShop();
  return (cents) => (cents === null ? "–" : format.money(cents, "EUR"));
}
