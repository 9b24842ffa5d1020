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
  modal_link: text,
  buy: text,
  decline: text,
  legal: z.string().trim().max(2_000).optional(),
  /** What the shopper agrees to. Its version is noted with each plan (app/offers/storefront-settings.server.ts). */
  consent: z.string().trim().max(2_000).optional(),
  cart_heading: text,
  cart_button: text,
});
export type StorefrontTexts = z.infer<typeof texts>;

const languageCode = z.string().regex(/^[a-z]{2,3}$/);
/** As `request.locale.iso_code` names it: `fr`, `pt-BR`, `zh-Hant`. `Intl` takes no part of three letters after it. */
export const storefrontLanguage = z.string().regex(/^[a-z]{2,3}(-(?:[A-Za-z]{2}|[A-Za-z]{4}))?$/);

const lines = z
  .array(z.string().trim().max(200))
  .max(20)
  .transform((all) => all.filter((line) => line !== ""))
  .default([]);

/**
 * What a category's insurance covers and what it does not, point by point, in the merchant's words, and what it is called
 * where it is a formula among several; without a name, as the insurer calls it.
 */
const cover = z.object({
  name: z.string().trim().max(120).optional(),
  bullets: lines,
  exclusions: lines,
});
export type Cover = z.infer<typeof cover>;

/** Shopify's limit of a json metafield is 128 KB, and the app adds a little. */
const MAX_BYTES = 120_000;

const touchpoint = z.object({ on: z.boolean().default(true) });

const settings = z.object({
  /** Terms in months in the order to show them; others follow, shortest first. */
  terms: z.array(z.number().int().positive()).max(12).default([]),
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
   * The language that the insurer's texts are in, which the insurer does not say. To shoppers of another one they are
   * replaced as a whole, by the merchant's texts or Parasol's; only a legal text is never replaced by Parasol.
   */
  language: languageCode.default("fr"),
  /** The insurer's name, which the insurer does not give; empty: shoppers do not see who insures them. */
  insurer: z.string().trim().max(100).default(""),
  texts: z.record(storefrontLanguage, texts).default({}),
  /**
   * By language, then by the key of a category or of a formula in it (`coverKey`). What is missing is the category's, then
   * the insurer's list, in its language alone.
   */
  covers: z.record(storefrontLanguage, z.record(z.string().max(64), cover)).default({}),
});

export const storefrontSettings = settings.refine(
  (given) => new TextEncoder().encode(JSON.stringify(given)).length <= MAX_BYTES,
);
export type StorefrontSettings = z.infer<typeof storefrontSettings>;

/** Everything on, a list of terms, the categories' texts. */
export const defaultStorefrontSettings: StorefrontSettings = storefrontSettings.parse({});

/** The words of a language as the storefront finds them: `pt-BR`, or else `pt`. */
export const coversIn = ({ covers }: StorefrontSettings, language: string): Partial<Record<string, Cover>> =>
  covers[language] ?? covers[language.split("-")[0] ?? ""] ?? {};

/** What shoppers of a language read for a formula: the merchant's name of it, or the insurer's. */
export const formulaName = (
  settings: StorefrontSettings,
  language: string,
  { key, name }: { key: string; name: string },
): string => coversIn(settings, language)[key]?.name || name;

/**
 * What shoppers of a language read of what a formula covers, as the theme shows it: the merchant's points for it, or for
 * its category, or the insurer's where the language is the insurer's.
 */
export function coverPoints(
  settings: StorefrontSettings,
  language: string,
  { keys, bullets }: { keys: readonly string[]; bullets: readonly string[] },
): readonly string[] {
  const own = coversIn(settings, language);
  const points = keys.map((key) => own[key]?.bullets ?? []).find(({ length }) => length > 0);
  return points ?? (language.split("-")[0] === settings.language ? bullets : []);
}
