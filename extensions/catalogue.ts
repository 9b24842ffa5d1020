/**
 * The compact catalogue of an insurance category, as the app stores it and as Liquid, the storefront's scripts, the
 * checkout and the cart's rules read it; and which of its offers fit a price. Pure: it uses neither document nor network.
 */

/** A plan that the shop sells. */
export interface Offer {
  /** months */
  term: number;
  /** in minor units: of the whole term, or of a month if it is billed monthly */
  price: number;
  /** `annually` is paid once for the whole term. */
  billing: "monthly" | "annually";
  /** id of the variant that sells it */
  variant: string;
  /** the insurer's id */
  reference: string;
  /** the insurer's name of the set of guarantees, if the category has several */
  formula?: string | undefined;
}

/** The offers for products of a price: `min` to `max`, inclusive, in minor units. */
export interface Band<Sold extends Offer = Offer> {
  min: number;
  max: number;
  /** sorted by formula and term */
  offers: Sold[];
}

/** A set of guarantees, if a category has several. */
export interface Formula {
  /** the insurer's name, which its offers have as well */
  name: string;
  /** what it covers, in the insurer's language */
  bullets: string[];
  /** https links of general conditions and information document */
  cg: string;
  ipid: string;
  /** key of the merchant's texts about it */
  key: string;
  /** key of the merchant's texts about its category, if that is another */
  category?: string | undefined;
}

/** Where Shopify does not sell the plans of a category, because a catalogue there leaves them out. */
export interface Closed {
  /** ids of markets */
  markets: string[];
  /** companies cannot buy them */
  companies: boolean;
}

/**
 * The offers for a product's price, formula by formula, each in the merchant's order of terms. Terms outside of that
 * order come last.
 */
export function offersFor<Sold extends Offer>(
  bands: Band<Sold>[],
  price: number,
  order: number[] = [],
): Sold[] {
  const offers = bands.find(({ min, max }) => price >= min && price <= max)?.offers ?? [];
  const rank = ({ term }: Offer) => (order.indexOf(term) + 1 || 1000) * 1000 + term;
  return formulasOf(offers).flatMap((formula) => formula.toSorted((a, b) => rank(a) - rank(b)));
}

/** The offers of each formula. It avoids Map.groupBy, which iOS 16 lacks. */
export function formulasOf<Sold extends Offer>(offers: Sold[]): Sold[][] {
  const names = new Set(offers.map(({ formula }) => formula));
  return [...names].map((name) => offers.filter(({ formula }) => formula === name));
}

/** What an offer costs over its whole term. */
export const totalOf = ({ term, price, billing }: Offer): number =>
  billing === "monthly" ? price * term : price;

/** The offer with the lowest price over its whole term, for the "from" price. */
export const cheapestOf = (offers: readonly Offer[]): Offer | undefined =>
  offers.toSorted((a, b) => totalOf(a) - totalOf(b))[0];
