/** Who insures, who sells, and the right to withdraw: what each offer on a customer's page says. */
import { withdrawalSearch } from "#app/customers/customer-links.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { readMerchantSettings, readSaleRule } from "#app/merchants/settings.server.ts";
import type { Language } from "#app/platform/locale.ts";
import { aboutInsurance } from "./extension-texts.server.ts";
import type { StorefrontSettings } from "./storefront-settings.ts";
import { shownWithdrawalDays } from "./withdrawal-days.server.ts";

export interface OfferAbout {
  /** the insurer's name; empty: the merchant has not entered it */
  insurer: string;
  /** in which the customer may withdraw; 0: the legal text alone says how many */
  withdrawalDays: number;
  sentences: ReturnType<typeof aboutInsurance>;
}

export async function readOfferAbout(
  merchant: Pick<Merchant, "shop" | "environment">,
  settings: StorefrontSettings,
  language: Language,
): Promise<OfferAbout> {
  const { shop } = merchant;
  const [{ withdrawalDays: setting }, { registrationNumber }] = await Promise.all([
    readMerchantSettings(shop),
    readSaleRule(shop),
  ]);
  const withdrawalDays = await shownWithdrawalDays(merchant, settings, setting);
  const withdrawalPage = withdrawalSearch(shop);
  return {
    insurer: settings.insurer,
    withdrawalDays,
    sentences: aboutInsurance(language, { settings, registrationNumber, withdrawalDays, withdrawalPage }),
  };
}
