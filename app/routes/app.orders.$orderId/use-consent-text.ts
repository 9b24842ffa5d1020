import { useTranslation } from "react-i18next";
import { readConsent } from "#app/plans/ledger/consent.ts";
import type { UnitView } from "#app/plans/orders/order-page.server.ts";
import { useShop } from "#app/ui/shop.tsx";

/** On the storefront the links of the documents follow; quoted alone, the text would end with a colon. */
const withoutColon = (text: string) => text.replace(/\s*:\s*$/u, "");

/** The shopper's consent as the line noted it, in words, with the text where it is on record. */
export function useConsentText(): (
  unit: Pick<UnitView, "consent" | "consentText" | "consentWords" | "consentErasedAt">,
) => string | null {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  return ({ consent, consentText, consentWords, consentErasedAt }) => {
    if (consentErasedAt !== null) return t("plan.consentErased", { at: format.date(consentErasedAt) });
    if (consentWords !== null) return t("plan.consentNoted", { consent: consentWords });
    const noted = consent === null ? null : readConsent(consent);
    if (noted === null) return null;
    const at = format.dateTime(noted.at);
    return consentText === null
      ? t("plan.consent", { version: noted.version, at })
      : t("plan.consentTo", { text: withoutColon(consentText), at });
  };
}
