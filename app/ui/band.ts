import type { TFunction } from "i18next";
import { MAX_CENTS } from "#app/catalogue/reference.ts";
import type { Formats } from "./format.ts";

/** A price band as "€50.00 – €99.99", or "from €50.00" where it ends with the largest amount kept. `t` of the catalogue's texts. */
export function bandText(
  { minCents, maxCents, currency }: { minCents: number; maxCents: number; currency: string },
  format: Formats,
  t: TFunction<"catalogue">,
): string {
  const min = format.money(minCents, currency);
  return maxCents >= MAX_CENTS
    ? t("band.from", { min })
    : t("band.between", { min, max: format.money(maxCents, currency) });
}
