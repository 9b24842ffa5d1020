import { useTranslation } from "react-i18next";
import { MAX_CENTS } from "#app/catalogue/references/reference.ts";
import { useShop } from "./shop.tsx";

/** A price band (minor units, both ends included) as "€50.00 – €99.99"; "from €50.00" where it has no upper end. */
export function useBandText(): (minCents: number, maxCents: number, currency: string) => string {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  return (minCents, maxCents, currency) => {
    const min = format.money(minCents, currency);
    return maxCents >= MAX_CENTS
      ? t("band.from", { min })
      : t("band.between", { min, max: format.money(maxCents, currency) });
  };
}
