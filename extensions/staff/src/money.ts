import type { Api } from "@shopify/ui-extensions/admin.order-details.block.render";
import { minorDigits } from "../../currency-digits.ts";

/** An amount in minor units, in the language of the admin. */
export const money = (i18n: Api["i18n"], minor: number, currency: string): string =>
  i18n.formatCurrency(minor / 10 ** minorDigits(currency), { currency });
