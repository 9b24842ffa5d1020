/** Reads what a shop lacks before it may sell real insurance (app/merchants/law.ts). */
import { findLegalGaps, isEuropean, type LegalGap } from "#app/merchants/law.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { saleRuleOf } from "#app/merchants/settings.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import { readStorefrontSettings } from "./storefront-settings.server.ts";
import { hasTwoDeadlines } from "./withdrawal-days.server.ts";

export interface LegalState {
  isEuropean: boolean;
  gaps: LegalGap[];
}

export async function readLegalState({
  shop,
  country,
  environment,
}: Pick<Merchant, "shop" | "country" | "environment">): Promise<LegalState> {
  const [storefront, { withdrawalDays, sale }] = await Promise.all([
    readStorefrontSettings(shop),
    readMerchantSettings(shop),
  ]);
  const { countries } = saleRuleOf(sale, country);
  const facts = {
    ...storefront,
    country,
    countries,
    withdrawalDays,
    hasTwoDeadlines: await hasTwoDeadlines({ shop, environment }, storefront, withdrawalDays),
    mailIsOn,
  };
  return { isEuropean: isEuropean(facts), gaps: findLegalGaps(facts) };
}
