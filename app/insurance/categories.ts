import { z } from "zod";
import { cutText } from "#app/platform/storable-text.ts";
import { id, text } from "./fields.ts";
import { readWholeList } from "./list.ts";
import type { Send } from "./request.ts";
import { megabytes } from "./response.ts";

const MAX_BULLET_POINTS = 50;
/** Each becomes a product of the shop; a merchant sells in a few. */
const MAX_CATEGORIES = 1_000;

/** A text of a stored category; "" where it was not known yet when the category was stored. */
const stored = z.string().default("");

/** Our form of a category, also as it is stored. */
export const category = z.object({
  /** The category's name. */
  id: z.string(),
  marketing: z.object({
    buttons: z.object({ linkText: stored, headline: stored }).prefault({}),
    modal: z
      .object({
        headline: stored,
        bulletsHeading: stored,
        bulletPoints: z.array(z.string()).default([]),
        linkText: stored,
        buyText: stored,
        declineText: stored,
        legalText: stored,
        imageUrl: stored,
        merchantLogoUrl: stored,
        marketingPageUrl: stored,
      })
      .prefault({}),
    cart: z.object({ buttonText: stored }).prefault({}),
  }),
  legal: z.object({
    /** The insurance product information document (IPID). */
    ipidUrl: stored,
    /** The general conditions. */
    conditionsUrl: stored,
  }),
});
export type Category = z.infer<typeof category>;

/** An object of texts that may be missing or null altogether: every text in it is "" then. */
function texts<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? {}, schema);
}

const bulletPoints = z
  .array(z.string())
  .nullish()
  .transform((value) => (value ?? []).slice(0, MAX_BULLET_POINTS).map((point) => cutText(point, 500)));

/**
 * Spec, "Category". Texts and links that are missing or null read as "": whether a category may be sold without them
 * is the caller's rule. Texts come from outside: plain text, never to be used as HTML; links are not checked here.
 */
export const wireCategory = z
  .object({
    id,
    marketing_data: texts(
      z.object({
        buttons: texts(z.object({ link_text: text, headline: text })),
        modal: texts(
          z.object({
            headline: text,
            coverage_bullets_heading: text,
            bullet_points: bulletPoints,
            link_text: text,
            buy_text: text,
            decline_text: text,
            legal_text: text,
            image: text,
            merchant_logo: text,
            marketing_page_url: text,
          }),
        ),
        cart: texts(z.object({ simple_offer_button_text: text })),
      }),
    ),
    legal_documents: texts(z.object({ ipid_url: text, cg_url: text })),
  })
  .transform(({ id, marketing_data: { buttons, modal, cart }, legal_documents: legal }): Category => {
    return {
      id,
      marketing: {
        buttons: { linkText: buttons.link_text, headline: buttons.headline },
        modal: {
          headline: modal.headline,
          bulletsHeading: modal.coverage_bullets_heading,
          bulletPoints: modal.bullet_points,
          linkText: modal.link_text,
          buyText: modal.buy_text,
          declineText: modal.decline_text,
          legalText: modal.legal_text,
          imageUrl: modal.image,
          merchantLogoUrl: modal.merchant_logo,
          marketingPageUrl: modal.marketing_page_url,
        },
        cart: { buttonText: cart.simple_offer_button_text },
      },
      legal: { ipidUrl: legal.ipid_url, conditionsUrl: legal.cg_url },
    };
  });

export function categories(send: Send, store: string) {
  return {
    /** Endpoint 2. A category that cannot be read is left out. */
    list: async (): Promise<Category[]> => {
      const { items } = await readWholeList(
        send,
        { method: "GET", endpoint: "categories", path: `${store}/categories`, maxBytes: megabytes(4) },
        { schema: wireCategory, name: "categories", maxItems: MAX_CATEGORIES, isStrict: false },
      );
      return items;
    },
  };
}
