/**
 * The line-item properties that connect a plan's cart line with the insured product line.
 *
 * Names start with `_` so that themes and the checkout hide them. The storefront writes them
 * (extensions/parasol-storefront/assets), and the app reads them from the paid order's lines. They come from the
 * shopper's browser and are not trusted: the app checks each against the synced catalogue.
 */
import { z } from "zod";
import { touchpoints } from "./touchpoints.ts";

/** On both lines: a random id for each insured line. It connects the two lines if nesting is missing. */
export const PAIR = "_parasol_pair";
/** On the plan's line: numeric id of the insured variant (= the spec's product reference; docs/decisions/0003-references.md). */
export const INSURED_VARIANT = "_parasol_variant";
/** On the plan's line: the offer's `reference_id`. */
export const REFERENCE = "_parasol_reference";
/** On the plan's line: the touchpoint of the shopper's choice (touchpoints.ts). */
export const TOUCHPOINT = "_parasol_touchpoint";
/**
 * On the plan's line: `<consent text version> <ISO 8601 time>` of the shopper's choice. If a customer confirms a
 * draft order by their own link, it contains the confirmed text.
 */
export const CONSENT = "_parasol_consent";
/**
 * On a draft order's plan line: how many items its customer confirmed. Staff may raise the line's quantity afterwards,
 * and no one has agreed to the others. In a cart the quantity is the shopper's own act, and this is missing.
 */
export const CONFIRMED = "_parasol_confirmed";
/** An attribute of the cart: the touchpoint that showed an offer, by variant: `11=product_page 22=mini_cart`. */
export const OFFERED = "_parasol_offered";

/** How many of a plan line's items the customer agreed to. */
export const agreedItems = ({
  quantity,
  properties,
}: {
  quantity: number;
  properties: Record<string, string>;
}): number => Math.min(quantity, planLineProperties.parse(properties)[CONFIRMED] ?? quantity);

interface OrderedLine {
  variantId: string | null;
  properties: Record<string, string>;
}

/** Adds to product lines the touchpoint of their variant from the cart's attributes. */
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

/**
 * The properties of a plan's line. Missing and malformed values are null: a shopper's browser must not break an
 * order.
 */
export const planLineProperties = z.object({
  [PAIR]: z.string().min(1).nullable().catch(null).default(null),
  [INSURED_VARIANT]: z.string().regex(/^\d+$/).nullable().catch(null).default(null),
  [REFERENCE]: z.string().min(1).nullable().catch(null).default(null),
  [TOUCHPOINT]: z.enum(touchpoints).nullable().catch(null).default(null),
  [CONSENT]: z.string().trim().min(1).max(500).nullable().catch(null).default(null),
  [CONFIRMED]: z.coerce.number().int().min(0).nullable().catch(null).default(null),
});
