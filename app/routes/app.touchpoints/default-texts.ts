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
  const service = sample?.category.marketing;
  const { buttons, modal, cart } = (spoken ? service : undefined) ?? {};
  return {
    headline: buttons?.headline || extension.headline,
    link: buttons?.linkText || extension.link,
    buy: modal?.buyText || extension.buy,
    decline: modal?.declineText || extension.decline,
    modal_headline: modal?.headline ?? "",
    modal_link: modal?.linkText ?? "",
    bullets_heading: modal?.bulletsHeading ?? "",
    legal: service?.modal.legalText ?? "",
    consent: extension.consent,
    cart_heading: extension.cart_heading,
    cart_button: cart?.buttonText || extension.cart_button,
  };
}
