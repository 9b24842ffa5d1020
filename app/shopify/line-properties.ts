/**
 * The line-item properties that tie a plan's cart line to the product line it insures.
 *
 * Names start with `_` so that themes and the checkout hide them. They are written by the storefront
 * (extensions/parasol-storefront/assets), survive on the order's line items and are read again on orders/paid.
 * They are claims of the shopper's browser, never truth: plans/ checks each against the synced catalogue.
 */
import { z } from "zod";
import { touchpoints } from "./touchpoints.ts";

/** On both lines: an id that the storefront makes up once per insured line; ties the two where nesting is missing. */
export const PAIR = "_parasol_pair";
/** On the plan's line: numeric id of the insured variant (= the spec's product reference; docs/decisions/0003-references.md). */
export const INSURED_VARIANT = "_parasol_variant";
/** On the plan's line: the offer's `reference_id`. */
export const REFERENCE = "_parasol_reference";
/** On the plan's line: where the shopper chose, one of `touchpoints` (touchpoints.ts). */
export const TOUCHPOINT = "_parasol_touchpoint";
/**
 * On the plan's line: `<consent text version> <ISO 8601 time>` of the shopper's choice. Where a
 * customer confirms a draft order by their own link, it holds the words that they confirmed.
 */
export const CONSENT = "_parasol_consent";
/**
 * An attribute of the cart: where an offer was shown, `11=product_page 22=mini_cart` by variant.
 */
export const OFFERED = "_parasol_offered";

interface OrderedLine {
  variantId: string | null;
  properties: Record<string, string>;
}

/** Adds to product lines the touchpoint that the cart's attributes name for their variant. */
export function addOfferedTouchpoints<Line extends OrderedLine>(
  lines: Line[],
  attributes: Record<string, string>,
): Line[] {
  const shown = new Map(
    (attributes[OFFERED] ?? "").split(" ").map((entry) => {
      const [variantId = "", touchpoint = ""] = entry.split("=");
      return [variantId, touchpoint];
    }),
  );
  return lines.map((line) => {
    const touchpoint = shown.get(line.variantId ?? "");
    if (!touchpoint || REFERENCE in line.properties) return line;
    return { ...line, properties: { ...line.properties, [OFFERED]: touchpoint } };
  });
}

/** The properties of a plan's line. Missing and malformed ones are null: a shopper's browser must not break an order. */
export const planLineProperties = z.object({
  [PAIR]: z.string().min(1).nullable().catch(null).default(null),
  [INSURED_VARIANT]: z.string().regex(/^\d+$/).nullable().catch(null).default(null),
  [REFERENCE]: z.string().min(1).nullable().catch(null).default(null),
  [TOUCHPOINT]: z.enum(touchpoints).nullable().catch(null).default(null),
  [CONSENT]: z.string().trim().min(1).max(500).nullable().catch(null).default(null),
});
