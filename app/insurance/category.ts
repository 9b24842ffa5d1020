import { z } from "zod";
import { cutText } from "#app/platform/storable-text.ts";
import { id, text } from "./fields.ts";

const MAX_BULLET_POINTS = 50;

const buttons = z.object({ link_text: text, headline: text });
const modal = z.object({
  headline: text,
  coverage_bullets_heading: text,
  bullet_points: z
    .array(z.string())
    .nullish()
    .transform((value) => (value ?? []).slice(0, MAX_BULLET_POINTS).map((point) => cutText(point, 500))),
  link_text: text,
  buy_text: text,
  decline_text: text,
  legal_text: text,
  /** URL */
  image: text,
  /** URL */
  merchant_logo: text,
  /** URL */
  marketing_page_url: text,
});
const cart = z.object({ simple_offer_button_text: text });

/** An object of texts that may be missing or null altogether: every text in it is "" then. */
function texts<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? {}, schema);
}

/**
 * Spec, "Category". Texts and links that are missing or null read as "": whether a category may be sold without them
 * is the caller's rule. Texts come from outside: plain text, never to be used as HTML; links are not checked here.
 */
export const category = z.object({
  /** The category's name. */
  id,
  marketing_data: texts(z.object({ buttons: texts(buttons), modal: texts(modal), cart: texts(cart) })),
  legal_documents: texts(
    z.object({
      /** URL of the insurance product information document (IPID). */
      ipid_url: text,
      /** URL of the general conditions. */
      cg_url: text,
    }),
  ),
});
export type Category = z.infer<typeof category>;
