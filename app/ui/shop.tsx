import type { ReactNode } from "react";
import { createContext, useContext, useMemo } from "react";
import type { Locale } from "#app/platform/locale.ts";
import { formatsFor } from "./format.ts";
import type { Formats } from "./format.ts";

/** What every page knows of the shop it shows. */
export interface ShopFacts {
  shop: string;
  locale: Locale;
  /** ISO 4217 */
  currency: string;
  /** IANA name */
  timezone: string;
}

const Facts = createContext<(ShopFacts & { format: Formats }) | null>(null);

export function ShopProvider({ facts, children }: { facts: ShopFacts; children: ReactNode }) {
  const { shop, locale, currency, timezone } = facts;
  const value = useMemo(
    () => ({ shop, locale, currency, timezone, format: formatsFor(locale, timezone) }),
    [shop, locale, currency, timezone],
  );
  return <Facts.Provider value={value}>{children}</Facts.Provider>;
}

/** The shop's facts and its formats: `const { format } = useShop()`. */
export function useShop(): ShopFacts & { format: Formats } {
  const facts = useContext(Facts);
  if (facts === null) throw new Error("useShop works inside the pages of the app only");
  return facts;
}
