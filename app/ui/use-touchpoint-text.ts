import { useTranslation } from "react-i18next";
import { touchpoints } from "#app/shopify/touchpoints.ts";

/** A touchpoint of the spec in words: `mini_cart` as "Cart drawer". */
export function useTouchpointText(): (touchpoint: string) => string {
  const { t } = useTranslation("analytics");
  return (touchpoint) => {
    const known = touchpoints.find((each) => each === touchpoint);
    return known ? t(`attachment.touchpoint.${known}`) : t("attachment.unknown");
  };
}
