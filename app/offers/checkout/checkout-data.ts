/** What the shop stores for the offer at the checkout (extensions/checkout-offer): small, and as the theme has it. */
import type { Category } from "#app/insurance/categories.ts";
import { compactContent, MAX_BYTES } from "#app/catalogue/sync/compact-content.ts";
import type { CompactContent } from "#app/catalogue/sync/compact-content.ts";
import type { CheckoutCatalogue, CheckoutSettings } from "../../../extensions/checkout-offer/src/data.ts";
import { withConsentVersions } from "#app/offers/consent-version.server.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";

/** As many as the theme's line of what is covered. */
const MAX_COVER_POINTS = 3;

/** A category's offers, and the plan product that holds them. Null: more than a metafield holds, the app proxy serves it. */
export function checkoutCatalogue(
  category: Category,
  bands: CompactContent["bands"],
  currency: string,
): CheckoutCatalogue | null {
  const { texts, cg, ipid } = compactContent(category, [], { currency, live: false });
  const { headline, legal, cart_button } = texts;
  const cover = category.marketing.modal.bulletPoints.slice(0, MAX_COVER_POINTS);
  const content = { currency, bands, cg, ipid, texts: { headline, legal, cart_button }, cover };
  return Buffer.byteLength(JSON.stringify(content)) <= MAX_BYTES ? content : null;
}

/**
 * @param isOn the merchant offers insurance at the checkout, and the shop sells it now
 * @param plans by category key: the gid of its plan product
 */
export function checkoutSettings(
  settings: StorefrontSettings,
  {
    isOn,
    quotes,
    plans,
    withdrawalDays,
  }: Pick<CheckoutSettings, "quotes" | "plans"> & { isOn: boolean; withdrawalDays: number },
): CheckoutSettings {
  const { texts, terms, language } = withConsentVersions(settings);
  const own = Object.entries(texts).map(([name, given]) => {
    const { headline, legal, cart_button, consent, consent_version } = given;
    return [name, { headline, legal, cart_button, consent, consent_version }] as const;
  });
  return {
    on: isOn,
    quotes,
    terms,
    language,
    insurer: settings.insurer,
    withdrawal_days: withdrawalDays,
    texts: Object.fromEntries(own),
    plans,
  };
}
