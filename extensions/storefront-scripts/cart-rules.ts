/**
 * The rules of insured carts, as pure functions: the storefront applies them to the shopper's cart, the server to what
 * arrives. Table of cases: docs/storefront.md, each with its test in test/storefront/cart-rules.test.ts.
 */
import { type Band, type Offer, offersFor, type Properties } from "./offers.ts";

/** A line of a cart or of an order. */
export interface Line {
  /** the Ajax key, or an order line's id */
  key: string;
  /** variant id */
  variant: string;
  quantity: number;
  /** unit price before discounts, minor units */
  price: number;
  properties: Properties;
  /** key of the line this one is nested under */
  parent?: string | undefined;
  /** A gift, a gift card or a line of a draft order: neither it nor its plan is touched. */
  untouchable?: boolean;
}

export interface Change {
  key: string;
  /** the quantity the line is to have; 0 takes it out */
  quantity: number;
}

export interface Misfit {
  /** the plan's line that no longer fits its product: it is taken out */
  key: string;
  /** the product's line */
  product: Line;
  /** the offer of the same term that fits now, for the shopper to agree to; null where there is none */
  offer: Offer | null;
}

/** A plan that this app's storefront added. A lead's plan (sold through its own link) is none of its business. */
export function isPlan({ properties }: Line): boolean {
  return !!properties["_parasol_reference"] && !!properties["_parasol_pair"] && !properties["_parasol_lead"];
}

/** The lines of the product that a plan insures: tied by the pair, or nested where the pair was lost. */
function productsOf<L extends Line>(plan: L, lines: L[]): L[] {
  const products = lines.filter((line) => !isPlan(line));
  const pair = plan.properties["_parasol_pair"];
  const tied = products.filter((line) => line.properties["_parasol_pair"] === pair);
  return tied.length ? tied : products.filter(({ key }) => key === plan.parent);
}

/** The plans of a product's line. */
export function plansOf<L extends Line>(product: L, lines: L[]): L[] {
  return lines.filter((line) => isPlan(line) && productsOf(line, lines).includes(product));
}

/**
 * Brings the plans' quantities to what they insure. Too few: the dearest is raised. Too many: the cheapest is cut
 * first, the one just chosen last. A plan without its product goes.
 */
export function balance(lines: Line[]): Change[] {
  const changes: Change[] = [];
  const seen = new Set<Line>();
  for (const first of lines.filter(isPlan)) {
    if (seen.has(first)) continue;
    const products = productsOf(first, lines);
    const plans = products[0] ? plansOf(products[0], lines) : [first];
    for (const plan of plans) seen.add(plan);
    if (products.some(({ untouchable }) => untouchable)) continue;
    let missing = sum(products) - sum(plans);
    const dearestFirst = [...plans].sort((a, b) => b.price - a.price || (chosenAt(a) < chosenAt(b) ? 1 : -1));
    const newest = [...plans].sort((a, b) => (chosenAt(a) < chosenAt(b) ? 1 : -1))[0];
    const order =
      missing < 0 ? [newest, ...dearestFirst.filter((plan) => plan !== newest)].reverse() : dearestFirst;
    for (const plan of order) {
      if (!plan || !missing) continue;
      const quantity = Math.max(0, plan.quantity + missing);
      missing -= quantity - plan.quantity;
      changes.push({ key: plan.key, quantity });
    }
  }
  return changes;
}

/**
 * Plans whose product now costs what another price band covers, or is another variant, each with the plan of the same
 * term that fits now. That one has another price, to which nobody has agreed: it is for the shopper to put in. A
 * catalogue that is not known here changes nothing.
 */
export function rechoose(lines: Line[], bandsOf: (variant: string) => Band[] | undefined): Misfit[] {
  return lines.filter(isPlan).flatMap((plan): Misfit[] => {
    const [product] = productsOf(plan, lines);
    const bands = product && !product.untouchable ? bandsOf(product.variant) : undefined;
    if (!product || !bands?.length) return [];
    const { _parasol_reference: reference, _parasol_variant: insured } = plan.properties;
    const fitting = offersFor(bands, product.price);
    if (insured === product.variant && fitting.some((offer) => offer[4] === reference)) return [];
    const term = bands.flatMap(([, , offers]) => offers).find((offer) => offer[4] === reference)?.[0];
    return [
      {
        key: plan.key,
        product,
        offer: fitting.find((offer) => offer[0] === term) ?? null,
      },
    ];
  });
}

export interface Findings {
  changes: Change[];
  misfits: Misfit[];
}

/** All that a cart needs: plans that no longer fit go, the others are balanced. */
export function findingsIn(lines: Line[], bandsOf: (variant: string) => Band[] | undefined): Findings {
  const misfits = rechoose(lines, bandsOf);
  const changes = [
    ...balance(lines).filter(({ key }) => !misfits.some((misfit) => misfit.key === key)),
    ...misfits.map(({ key }) => ({ key, quantity: 0 })),
  ];
  return { misfits, changes };
}

function sum(lines: Line[]): number {
  return lines.reduce((total, { quantity }) => total + quantity, 0);
}

/** ISO 8601 times sort as text. */
function chosenAt({ properties }: Line): string {
  return properties["_parasol_consent"]?.split(" ")[1] ?? "";
}
