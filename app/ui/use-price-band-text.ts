import { useTranslation } from "react-i18next";
import { MAX_STORED_MINOR } from "#app/platform/money.ts";
import { useShop } from "./shop.tsx";

/** A price band (minor units, both ends included) as "€50.00 – €99.99"; "from €50.00" where it has no upper end. */
export function usePriceBandText(): (minMinor: number, maxMinor: number, currency: string) => string {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  return (minMinor, maxMinor, currency) => {
    const min = format.money(minMinor, currency);
    return maxMinor >= MAX_STORED_MINOR
      ? t("band.from", { min })
      : t("band.between", { min, max: format.money(maxMinor, currency) });
  };
}
