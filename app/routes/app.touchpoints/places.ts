import { z } from "zod";
import type { StorefrontTexts } from "#app/offers/storefront-settings.ts";

/** The pages of Display in your shop, in the order of a purchase. */
export const places = ["product_page", "cart", "checkout", "after_purchase", "staff"] as const;
export type Place = (typeof places)[number];

/** The address names the page. The form stays mounted, so changes that are not saved survive a change of page. */
export const placeIn = (search: URLSearchParams): Place =>
  z.enum(places).catch("product_page").parse(search.get("place"));

export const addressOf = (place: Place): string =>
  place === "product_page" ? "/app/touchpoints" : `/app/touchpoints?place=${place}`;

/** The merchant's own texts that each page's preview shows, in the order of the form. */
export const textsOfPlace = {
  product_page: [
    "headline",
    "link",
    "buy",
    "decline",
    "modal_headline",
    "bullets_heading",
    "modal_link",
    "consent",
    "legal",
  ],
  cart: ["cart_heading", "cart_button"],
} as const satisfies Partial<Record<Place, (keyof StorefrontTexts)[]>>;
