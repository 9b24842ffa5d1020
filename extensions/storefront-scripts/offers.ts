/**
 * Shared by all touchpoints: selects the offers for a price, and connects a plan's cart line to its product. Pure: it
 * uses neither document nor network.
 */

/**
 * `[term in months, price in minor units, billing, variant id, reference id, name of the formula, the merchant's name
 * of it]` as in app/catalogue/sync/compact-catalogue.ts. The formula is present if there are several; the last entry if
 * the merchant has named it in the shopper's language.
 */
export type Offer = [number, number, "monthly" | "annually", string, string, string?, string?];
/** `[lowest product price, highest (inclusive), offers]` */
export type Band = [number, number, Offer[]];

/**
 * The offers for a product's price, formula by formula, each in the merchant's order of terms. Terms outside of that
 * order come last.
 */
export function offersFor(bands: Band[], price: number, order: number[] = []): Offer[] {
  const offers = bands.find(([min, max]) => price >= min && price <= max)?.[2] ?? [];
  const rank = ([term]: Offer) => (order.indexOf(term) + 1 || 1000) * 1000 + term;
  return formulasOf(offers).flatMap((formula) => formula.toSorted((a, b) => rank(a) - rank(b)));
}

/** The offers of each formula. It avoids Map.groupBy, which iOS 16 lacks. */
export const formulasOf = (offers: Offer[]): Offer[][] =>
  [...new Set(offers.map((offer) => offer[5]))].map((formula) =>
    offers.filter((offer) => offer[5] === formula),
  );

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
  { variant, offer: [, , , plan, reference], consent }: Choice,
  pair: string,
  quantity: number,
  touchpoint: string,
) {
  return {
    id: plan,
    quantity,
    properties: {
      _parasol_pair: pair,
      _parasol_variant: variant,
      _parasol_reference: reference,
      _parasol_touchpoint: touchpoint,
      _parasol_consent: consent,
    },
  };
}
