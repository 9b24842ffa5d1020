/**
 * The rules of insured carts, as pure functions: the storefront applies them to the shopper's cart, the server to the
 * carts of headless shops. The cases are listed in docs/storefront.md and tested in test/storefront/cart-rules.test.ts.
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
  /** A gift, a gift card or a line of a draft order: neither it nor its plan is changed. */
  untouchable?: boolean;
}

export interface Change {
  key: string;
  /** the line's new quantity; 0 removes it */
  quantity: number;
}

export interface Misfit {
  /** the plan's line, which is removed */
  key: string;
  /** the product's line */
  product: Line;
  /** the offer of the same term that fits now, for the shopper to accept; null where there is none */
  offer: Offer | null;
}

/** A plan that this app's storefront added. */
export function isPlan({ properties }: Line): boolean {
  return !!properties["_parasol_reference"] && !!properties["_parasol_pair"];
}

/** The lines of the product that a plan insures: those of its pair, or its parent line where the pair was lost. */
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
 * The changes that make the plans' quantities match their products. Too few: the dearest plan is raised. Too many: the
 * cheapest is cut first, the one just chosen last. A plan without its product is removed.
 */
export function balanceQuantities(lines: Line[]): Change[] {
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
 * Plans that no longer fit their product (its price is in another band, or it is another variant), each with the offer of
 * the same term that fits now. That one has another price, so only the shopper may add it. Plans whose catalogue is
 * not known here are left alone.
 */
export function findMisfits(lines: Line[], bandsOf: (variant: string) => Band[] | undefined): Misfit[] {
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

export interface CartCorrections {
  changes: Change[];
  misfits: Misfit[];
}

/** Everything to change in a cart: plans that no longer fit are removed, the others' quantities follow. */
export function findCorrections(
  lines: Line[],
  bandsOf: (variant: string) => Band[] | undefined,
): CartCorrections {
  const misfits = findMisfits(lines, bandsOf);
  const changes = [
    ...balanceQuantities(lines).filter(({ key }) => !misfits.some((misfit) => misfit.key === key)),
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
