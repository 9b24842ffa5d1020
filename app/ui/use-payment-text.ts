import { useTranslation } from "react-i18next";
import type { Billing } from "#app/insurance/fields.ts";
import { useShop } from "./shop.tsx";

interface Payment {
  /** minor units */
  priceMinor: number;
  currency: string;
  billing: Billing;
  months: number;
}

/**
 * What is paid for an offer and whether anything follows, as `[price, the rest]`: "€78.90", "once, for 36 months". The
 * storefront says it in the same words (snippets/parasol-term.liquid).
 */
export function usePaymentText(): (payment: Payment) => [string, string] {
  const { t } = useTranslation();
  const { format } = useShop();
  return ({ priceMinor, currency, billing, months }) => [
    format.money(priceMinor, currency),
    t(`payment.${billing}`, { months }),
  ];
}
