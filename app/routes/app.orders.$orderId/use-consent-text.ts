import { useTranslation } from "react-i18next";
import { readConsent } from "#app/plans/ledger/consent.ts";
import type { UnitView } from "#app/plans/orders/order-page.server.ts";
import { useShop } from "#app/ui/shop.tsx";

/** The shopper's consent as the line noted it, in words, with the text where it is on record. */
export function useConsentText(): (unit: Pick<UnitView, "consent" | "consentText">) => string | null {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  return ({ consent, consentText }) => {
    if (consent === null) return null;
    const noted = readConsent(consent);
    if (noted === null) return t("plan.consentNoted", { consent });
    const at = format.dateTime(noted.at);
    return consentText === null
      ? t("plan.consent", { version: noted.version, at })
      : t("plan.consentTo", { text: consentText, at });
  };
}
