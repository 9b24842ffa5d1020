import { useTranslation } from "react-i18next";
import { useShop } from "#app/ui/shop.tsx";

const noted = /^(\S+) (\d{4}-\d{2}-\d{2}T\S+)$/;

/** The shopper's consent as the line noted it (`<version> <time>`), in words; what is not noted so, as it is. */
export function useConsentText(): (consent: string | null) => string | null {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  return (consent) => {
    if (consent === null) return null;
    const [, version, at = ""] = noted.exec(consent) ?? [];
    if (version === undefined || Number.isNaN(Date.parse(at))) return t("plan.consentNoted", { consent });
    return t("plan.consent", { version, at: format.dateTime(at) });
  };
}
