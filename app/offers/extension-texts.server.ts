/**
 * The theme extension's texts: what shoppers read where neither the merchant nor the category says anything. They are
 * the theme extension's, so that they are written once.
 */
import english from "../../extensions/parasol-storefront/locales/en.default.json" with { type: "json" };
import french from "../../extensions/parasol-storefront/locales/fr.json" with { type: "json" };
import type { StorefrontTexts } from "./storefront-settings.ts";

/** Those of the merchant's texts that the extension has a text for. */
export type ExtensionTexts = Required<
  Pick<StorefrontTexts, "headline" | "link" | "buy" | "decline" | "consent" | "cart_heading" | "cart_button">
>;

const textsOf = ({ offer, cart }: Pick<typeof english, "offer" | "cart">): ExtensionTexts => ({
  headline: offer.headline,
  link: offer.more,
  buy: offer.buy,
  decline: offer.none,
  consent: offer.consent,
  cart_heading: cart.heading,
  cart_button: cart.add,
});

/** By language; `default` is what Shopify shows in every other one. */
export const extensionTexts: Record<"fr" | "default", ExtensionTexts> = {
  fr: textsOf(french),
  default: textsOf(english),
};
