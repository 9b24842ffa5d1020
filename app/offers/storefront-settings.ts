/**
 * What a merchant decides about the storefront. Written as JSON into the app-data metafield `settings.storefront`, which
 * the theme extension's Liquid reads; the switches also go into the boolean metafields `touchpoints.<name>`, which
 * `available_if` of the blocks reads.
 */
import { z } from "zod";
import { productFormats } from "./storefront-choices.ts";

const text = z.string().trim().max(500).optional();

/** The merchant's own texts. What is missing is the category's text, or the extension's in the shopper's language. */
const texts = z.object({
  headline: text,
  link: text,
  modal_headline: text,
  bullets_heading: text,
  /** what is covered, one by one */
  bullets: z
    .array(z.string().trim().max(200))
    .max(20)
    .transform((lines) => lines.filter((line) => line !== ""))
    .optional(),
  modal_link: text,
  buy: text,
  decline: text,
  legal: z.string().trim().max(2_000).optional(),
  /** What the shopper agrees to. Its version is noted with each plan (app/offers/consent-texts.server.ts). */
  consent: z.string().trim().max(2_000).optional(),
  cart_heading: text,
  cart_button: text,
});
export type StorefrontTexts = z.infer<typeof texts>;

const languageCode = z.string().regex(/^[a-z]{2,3}$/);

/** What shoppers of a language do not get in it: the service's texts are in another one, the merchant has given none. */
export function missingTexts(settings: StorefrontSettings, language: string): (keyof StorefrontTexts)[] {
  if (language === settings.language) return [];
  const own = settings.texts[language];
  return (["headline", "bullets", "legal"] as const).filter((name) => !own?.[name]?.length);
}

const touchpoint = z.object({ on: z.boolean().default(true) });

export const storefrontSettings = z.object({
  /** Terms in months in the order to show them; others follow, shortest first. */
  terms: z.array(z.number().int().positive()).max(12).default([]),
  /** Path of the app proxy in this shop: the merchant can rename it, and then the app's own configuration has no say. */
  proxy: z
    .string()
    .trim()
    .regex(/^\/(apps|a|community|tools)\/[A-Za-z0-9_-]{1,30}$/)
    .default("/apps/parasol"),
  touchpoints: z
    .object({
      product_page: touchpoint.extend({ format: z.enum(productFormats).default("radio") }).prefault({}),
      cart: touchpoint.prefault({}),
      mini_cart: touchpoint.prefault({}),
      /** Plus only, and the merchant has to place the block, so it is off until they turn it on. */
      checkout: z.object({ on: z.boolean().default(false) }).prefault({}),
    })
    .prefault({}),
  /**
   * The language that the service's texts are in, which the service does not say. To shoppers of another one they are
   * replaced as a whole, by the merchant's texts or Parasol's; only a legal text is never replaced by Parasol.
   */
  language: languageCode.default("fr"),
  /** By the storefront's language, as `request.locale.iso_code` names it: `fr`, `en`, `pt-BR`. */
  texts: z.record(z.string().regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/), texts).default({}),
});
export type StorefrontSettings = z.infer<typeof storefrontSettings>;

/** Everything on, a list of terms, the categories' texts. */
export const defaultStorefrontSettings: StorefrontSettings = storefrontSettings.parse({});
