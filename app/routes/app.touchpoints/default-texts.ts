import type { ExtensionTexts, extensionTexts } from "#app/offers/extension-texts.server.ts";
import type { PreviewSample } from "#app/offers/preview/sample.ts";
import type { StorefrontTexts } from "#app/offers/storefront-settings.ts";

export type ExtensionTextsByLanguage = typeof extensionTexts;
export type DefaultTexts = Record<keyof StorefrontTexts, string>;

/** What shoppers read where the merchant says nothing: the category's words, else Parasol's; "" where nobody has any. */
export function defaultTexts(sample: PreviewSample | null, extension: ExtensionTexts): DefaultTexts {
  const { buttons, modal, cart } = sample?.category.marketing_data ?? {};
  return {
    headline: buttons?.headline ?? "",
    link: buttons?.link_text || extension.link,
    buy: modal?.buy_text || extension.buy,
    decline: modal?.decline_text || extension.decline,
    modal_headline: modal?.headline ?? "",
    modal_link: modal?.link_text ?? "",
    legal: modal?.legal_text ?? "",
    consent: extension.consent,
    cart_heading: extension.cart_heading,
    cart_button: cart?.simple_offer_button_text || extension.cart_button,
  };
}
