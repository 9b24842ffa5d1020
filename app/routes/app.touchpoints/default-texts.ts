import type { ExtensionTexts, extensionTexts } from "#app/offers/extension-texts.server.ts";
import type { PreviewSample } from "#app/offers/preview/sample.ts";
import type { StorefrontTexts } from "#app/offers/storefront-settings.ts";

export type ExtensionTextsByLanguage = typeof extensionTexts;
export type DefaultTexts = Record<keyof StorefrontTexts, string>;

/**
 * What shoppers read where the merchant says nothing: the category's words, else Parasol's; "" where nobody has any.
 * @param spoken whether the service's texts are in the shoppers' language; only the legal text is shown if not
 */
export function defaultTexts(
  sample: PreviewSample | null,
  extension: ExtensionTexts,
  spoken: boolean,
): DefaultTexts {
  const service = sample?.category.marketing_data;
  const { buttons, modal, cart } = (spoken ? service : undefined) ?? {};
  return {
    headline: buttons?.headline || extension.headline,
    link: buttons?.link_text || extension.link,
    buy: modal?.buy_text || extension.buy,
    decline: modal?.decline_text || extension.decline,
    modal_headline: modal?.headline ?? "",
    modal_link: modal?.link_text ?? "",
    bullets_heading: modal?.coverage_bullets_heading ?? "",
    legal: service?.modal.legal_text ?? "",
    consent: extension.consent,
    cart_heading: extension.cart_heading,
    cart_button: cart?.simple_offer_button_text || extension.cart_button,
  };
}
