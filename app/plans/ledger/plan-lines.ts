/** Which lines of an order are plans, and which product line each belongs to. */
import { INSURED_VARIANT, PAIR, REFERENCE, planLineProperties } from "#app/shopify/line-properties.ts";
import type { ShopOrderLine } from "#app/shopify/order.ts";
import type { CatalogueView } from "./catalogue-view.ts";

/**
 * A line is a plan when its variant is one of the catalogue's. A line that only claims to be one is kept too: it may
 * be a plan whose reference is gone, and somebody paid for it.
 */
export function isPlanLine(line: ShopOrderLine, { references }: CatalogueView): boolean {
  return (
    (line.variantId !== null && references.has(line.variantId)) || line.properties[REFERENCE] !== undefined
  );
}

/**
 * A plan line's title as people read it, such as "Assurance Smartphone, 24 mois". The platform joins the product's title
 * and the option values; the price band among them says nothing to who has bought the plan.
 */
export function planTitle(lineTitle: string): string {
  // The last " - " that options follow. A pattern would read the rest of the title again from each of them.
  const options = lineTitle.lastIndexOf(" / ");
  const dash = options < 3 ? -1 : lineTitle.lastIndexOf(" - ", options - 3);
  if (dash < 0) return lineTitle;
  return `${lineTitle.slice(0, dash)}, ${lineTitle.slice(dash + 3, lineTitle.indexOf(" / ", dash + 3))}`;
}

/**
 * The product's line that a plan line belongs to: the one of the same pair, the one of that variant (of several the one
 * that it was nested under), or, where the properties were lost on the way, the one that it was nested under.
 */
export function findInsuredLine(plan: ShopOrderLine, products: ShopOrderLine[]): ShopOrderLine | null {
  const claims = planLineProperties.parse(plan.properties);
  const variant = claims[INSURED_VARIANT];
  const pair = claims[PAIR];
  if (pair !== null) {
    const paired = products.filter((line) => line.properties[PAIR] === pair);
    const [only] = paired.length > 1 ? paired.filter((line) => line.variantId === variant) : paired;
    if (only) return only;
  }
  const nestedWith = products.filter(({ groupId }) => groupId !== null && groupId === plan.groupId);
  const ofVariant = products.filter((line) => line.variantId !== null && line.variantId === variant);
  const named = ofVariant.find((line) => nestedWith.includes(line)) ?? ofVariant[0];
  if (named) return named;
  const [only, ...others] = nestedWith;
  return others.length === 0 ? (only ?? null) : null;
}
