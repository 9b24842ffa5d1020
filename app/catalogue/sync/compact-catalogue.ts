/**
 * The compact catalogue of one category, as it is written into an app-data metafield
 * (`app.metafields.catalogue[<category key>]`) and read by the theme extension's Liquid. Short keys, because the same
 * JSON is embedded in the product page. The extension's copy of this shape is extensions/parasol-storefront.
 */
import { createHash } from "node:crypto";
import { z } from "zod";

/**
 * `[term in months, price in minor units, billing, variant id, reference id, name of the formula]`; the last one only
 * where the category has several formulas
 */
const compactOffer = z.tuple([
  z.number().int().positive(),
  z.number().int().nonnegative(),
  z.enum(["monthly", "annually"]),
  z.string().regex(/^\d+$/),
  z.string(),
  z.string().exactOptional(),
]);

export const compactCatalogue = z.object({
  /** Version of the write: grows with every change, the same in all categories of one write. */
  v: z.number().int().positive(),
  /** The name of the service’s category. */
  category: z.string(),
  currency: z.string().length(3),
  /** True where offers differ by product reference: then only the proxy's live offers are shown. */
  live: z.boolean(),
  /** `[lowest product price, highest product price (inclusive), offers sorted by formula and term]`, minor units, sorted. */
  bands: z.array(z.tuple([z.number().int(), z.number().int(), z.array(compactOffer)])),
  /** Marketing texts of the category: plain text, never HTML. */
  texts: z.object({
    headline: z.string(),
    link: z.string(),
    modal_headline: z.string(),
    bullets_heading: z.string(),
    bullets: z.array(z.string()),
    modal_link: z.string(),
    buy: z.string(),
    decline: z.string(),
    legal: z.string(),
    image: z.string(),
    logo: z.string(),
    page: z.string(),
    cart_button: z.string(),
  }),
  /** https links of the legal documents. */
  cg: z.string(),
  ipid: z.string(),
  /**
   * Where there are several formulas, what differs between them: `[name, what is covered, general conditions, IPID, key of
   * its cover, key of its category's cover where that is another]`, in the merchant's order. The names are those of `bands`.
   */
  formulas: z
    .array(
      z.tuple([
        z.string(),
        z.array(z.string()),
        z.string(),
        z.string(),
        z.string(),
        z.string().exactOptional(),
      ]),
    )
    .exactOptional(),
});
export type CompactCatalogue = z.infer<typeof compactCatalogue>;

/**
 * The metafield key of a category: the spec's category id is a free name, a metafield key is 3 to 64 characters of
 * `[a-z0-9_-]`. A readable slug, with a short digest so that two names never meet in one key.
 */
export function categoryKey(categoryId: string): string {
  const slug = categoryId
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 40);
  return `${slug || "category"}_${createHash("sha256").update(categoryId).digest("hex").slice(0, 8)}`;
}

/**
 * Under which a merchant's words about a formula are kept (`covers` of app/offers/storefront-settings.ts): its category's
 * key, or one of its own where the category has several. It has the service's name in it: a formula that the service names
 * otherwise may cover something else.
 */
export const coverKey = (categoryId: string, formula: string | null): string =>
  categoryKey(formula === null ? categoryId : `${categoryId} · ${formula}`);
