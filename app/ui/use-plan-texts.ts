import { useTranslation } from "react-i18next";
import type { Billing } from "#app/insurance/fields.ts";
import type { ListedItem } from "#app/orders/admin/order-list.server.ts";
import { touchpoints } from "#app/shopify/touchpoints.ts";
import { reasons } from "#app/orders/book/item-states.ts";
import { useShop } from "./shop.tsx";

interface Payment {
  /** minor units */
  priceMinor: number;
  currency: string;
  billing: Billing;
}

/**
 * The price of an offer and its billing, as `[price, billing]`: "€78.90", "paid once". The storefront uses the same
 * words (snippets/parasol-term.liquid).
 */
export function usePaymentText(): (payment: Payment) => [string, string] {
  const { t } = useTranslation();
  const { format } = useShop();
  return ({ priceMinor, currency, billing }) => [format.money(priceMinor, currency), t(`payment.${billing}`)];
}

/** The same for a sold plan: the customer's payment. Unknown parts are omitted. */
export function usePlanPaymentText(): (
  plan: Pick<ListedItem, "premiumMinor" | "currency" | "termMonths"> & { billing: Billing | null },
) => string {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const sayPayment = usePaymentText();
  return ({ premiumMinor, currency, termMonths: months, billing }) => {
    const premium =
      billing === null
        ? t("plan.premium", { premium: format.money(premiumMinor, currency) })
        : sayPayment({ priceMinor: premiumMinor, currency, billing }).join(" ");
    return months === null ? premium : `${premium} · ${t("plan.term", { count: months })}`;
  };
}

/** The text of a touchpoint of the spec: `mini_cart` as "Cart drawer". */
export function useTouchpointText(): (touchpoint: string) => string {
  const { t } = useTranslation("analytics");
  return (touchpoint) => {
    const known = touchpoints.find((each) => each === touchpoint);
    return known ? t(`attachment.touchpoint.${known}`) : t("attachment.unknown");
  };
}

/** The note of a plan's step. A reason has a text of the app; the insurer's message is shown as received. */
export function useNoteText(): (note: string | null) => string | null {
  const { t } = useTranslation("plans");
  return (note) => {
    const reason = reasons.find((each) => each === note);
    return reason === undefined ? note : t(`reason.${reason}`);
  };
}
