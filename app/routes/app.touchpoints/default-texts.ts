import type { OwnTexts, ownTexts } from "#app/offers/own-texts.server.ts";
import type { PreviewSample } from "#app/offers/preview.server.ts";
import type { StorefrontTexts } from "#app/offers/storefront-settings.ts";

export type OwnTextsByLanguage = typeof ownTexts;
export type DefaultTexts = Record<keyof StorefrontTexts, string>;

/** What shoppers read where the merchant says nothing: the category's words, else Parasol's; "" where nobody has any. */
export function defaultTexts(sample: PreviewSample | null, own: OwnTexts): DefaultTexts {
  const { buttons, modal, cart } = sample?.category.marketing_data ?? {};
  return {
    headline: buttons?.headline ?? "",
    link: buttons?.link_text || own.link,
    buy: modal?.buy_text || own.buy,
    decline: modal?.decline_text || own.decline,
    modal_headline: modal?.headline ?? "",
    modal_link: modal?.link_text ?? "",
    legal: modal?.legal_text ?? "",
    consent: own.consent,
    cart_heading: own.cart_heading,
    cart_button: cart?.simple_offer_button_text || own.cart_button,
  };
}
