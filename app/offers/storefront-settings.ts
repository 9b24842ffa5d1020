/**
 * The merchant's storefront settings. They are written as JSON into the app-data metafield `settings.storefront` for
 * the theme extension's Liquid. The switches are also boolean metafields `touchpoints.<name>` for `available_if` of
 * the blocks.
 */
import { z } from "zod";
import { productFormats } from "./storefront-choices.ts";

const text = z.string().trim().max(500).optional();

/**
 * The merchant's texts. A missing text falls back to the category's, or to the extension's in the shopper's language.
 */
const texts = z.object({
  headline: text,
  link: text,
  modal_headline: text,
  bullets_heading: text,
  modal_link: text,
  buy: text,
  decline: text,
  legal: z.string().trim().max(2_000).optional(),
  /** The consent text. Each plan records its version (app/offers/storefront-settings.server.ts). */
  consent: z.string().trim().max(2_000).optional(),
  cart_heading: text,
  cart_button: text,
});
export type StorefrontTexts = z.infer<typeof texts>;

const languageCode = z.string().regex(/^[a-z]{2,3}$/);
/**
 * The format of `request.locale.iso_code`: `fr`, `pt-BR`, `zh-Hant`. `Intl` does not accept a second part of three
 * letters.
 */
export const storefrontLanguage = z.string().regex(/^[a-z]{2,3}(-(?:[A-Za-z]{2}|[A-Za-z]{4}))?$/);

const lines = z
  .array(z.string().trim().max(200))
  .max(20)
  .transform((all) => all.filter((line) => line !== ""))
  .default([]);

/**
 * The merchant's texts of a category's coverage and exclusions, point by point, excess and limit, and its name if it is a formula among
 * several. Without a name, the insurer's name is used.
 */
const cover = z.object({
  name: z.string().trim().max(120).optional(),
  bullets: lines,
  exclusions: lines,
  /** What the customer pays of a claim, and the most that is paid, in the merchant's words. */
  excess: text,
  limit: text,
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
      product_page: touchpoint
        .extend({
          format: z.enum(productFormats).default("radio"),
          /** Beside another format: the dialog opens once in a visit if a product is added without a choice. */
          asks: z.boolean().default(false),
        })
        .prefault({}),
      cart: touchpoint.prefault({}),
      mini_cart: touchpoint.prefault({}),
      /** Only on Shopify Plus, and the merchant has to place the block, so it is off by default. */
      checkout: z.object({ on: z.boolean().default(false) }).prefault({}),
    })
    .prefault({}),
  /**
   * The language of the insurer's texts, which the insurer does not state. For shoppers of another language the
   * merchant's or Parasol's texts replace all of them. Parasol never replaces a legal text.
   */
  language: languageCode.default("fr"),
  /** The insurer's name, which the insurer does not send. Empty: shoppers do not see who insures them. */
  insurer: z.string().trim().max(100).default(""),
  /** The insurer's postal address. With the name and the contact for complaints it is in reach of every offer. */
  insurer_address: z.string().trim().max(300).default(""),
  /** Where customers complain: an address, a phone number or a page. */
  complaints: z.string().trim().max(300).default(""),
  texts: z.record(storefrontLanguage, texts).default({}),
  /**
   * By language, then by the key of a category or of a formula in it (`coverKey`). A missing text falls back to the
   * category's, then to the insurer's list in the insurer's language.
   */
  covers: z.record(storefrontLanguage, z.record(z.string().max(64), cover)).default({}),
});

export const storefrontSettings = settings.refine(
  (given) => new TextEncoder().encode(JSON.stringify(given)).length <= MAX_BYTES,
);
export type StorefrontSettings = z.infer<typeof storefrontSettings>;

/** Everything on, no list of terms, the categories' texts. */
export const defaultStorefrontSettings: StorefrontSettings = storefrontSettings.parse({});

/** The insurer's name and postal address; empty: the merchant has not entered the name. */
export const insurerText = ({
  insurer,
  insurer_address: address,
}: Pick<StorefrontSettings, "insurer" | "insurer_address">): string =>
  insurer === "" || address === "" ? insurer : `${insurer}, ${address}`;

/** The coverage texts for a language, as the storefront finds them: `pt-BR`, or else `pt`. */
export const coversIn = ({ covers }: StorefrontSettings, language: string): Partial<Record<string, Cover>> =>
  covers[language] ?? covers[language.split("-")[0] ?? ""] ?? {};

/** A formula's name for shoppers of a language: the merchant's name, or the insurer's. */
export const formulaName = (
  settings: StorefrontSettings,
  language: string,
  { key, name }: { key: string; name: string },
): string => coversIn(settings, language)[key]?.name || name;

/**
 * A formula's coverage points for shoppers of a language, as in the theme: the merchant's points for the formula or
 * its category. In the insurer's language the fallback is the insurer's list.
 */
export function coverPoints(
  settings: StorefrontSettings,
  language: string,
  { keys, bullets }: { keys: readonly string[]; bullets: readonly string[] },
): readonly string[] {
  const covers = coversIn(settings, language);
  const points = keys.map((key) => covers[key]?.bullets ?? []).find(({ length }) => length > 0);
  return points ?? (language.split("-")[0] === settings.language ? bullets : []);
}
