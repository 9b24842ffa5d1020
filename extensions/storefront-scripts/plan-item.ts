/** How a plan goes into the cart, and what connects its line to its product. Pure: neither document nor network. */
import type { Offer } from "../catalogue.ts";

/** Line-item properties, by name. */
export type Properties = Record<string, string>;

/**
 * The id that connects a product's line to its plans: the variant, and a digest of the line's distinguishing
 * properties. It depends on the line alone, so that the same choice merges with the first line.
 */
export function pairOf(variant: string, properties: Record<string, unknown> | null | undefined): string {
  const own = Object.entries(properties ?? {}).filter(([name]) => !name.startsWith("_parasol"));
  let digest = 0;
  for (const char of JSON.stringify(own.sort())) digest = (digest * 33 + char.charCodeAt(0)) % 4294967291;
  return own.length ? `${variant}-${digest.toString(36)}` : variant;
}

export interface Choice {
  /** the insured variant */
  variant: string;
  /** the price as shown, which the shopper accepts */
  offer: Offer;
  /** `<version of the consent text> <ISO 8601 time>` */
  consent: string;
}

/** The plan's entry of `/cart/add.js`, with the properties of app/shopify/line-properties.ts. */
export function planItem(
  { variant, offer, consent }: Choice,
  pair: string,
  quantity: number,
  touchpoint: string,
) {
  return {
    id: offer.variant,
    quantity,
    properties: {
      _parasol_pair: pair,
      _parasol_variant: variant,
      _parasol_reference: offer.reference,
      _parasol_touchpoint: touchpoint,
      _parasol_consent: consent,
    },
  };
}
