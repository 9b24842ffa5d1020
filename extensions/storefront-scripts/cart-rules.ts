/**
 * The rules of insured carts, as pure functions: the storefront applies them to the shopper's cart, the server to the
 * carts of headless shops. The cases are described in docs/storefront.md and kept in test/storefront/cart-cases.ts.
 */
import { type Band, type Offer, offersFor } from "../catalogue.ts";
import type { Properties } from "./plan-item.ts";

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
  isLocked?: boolean;
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
  /**
   * The offer of the same formula, term and billing that fits now, for the shopper to accept. Null where there is none,
   * and where the shop charges another price for it than the offer's: that would be so again.
   */
  offer: Offer | null;
}

export interface Gap {
  /** the plan's line that was chosen last */
  plan: Line;
  /** the product's line to insure */
  product: Line;
  /** items of the product that no plan insures */
  quantity: number;
}

/** The price bands of a variant's category; undefined where they are not known. */
type BandsOf = (variant: string) => Band[] | undefined;

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

/** How many items of a product no plan insures, of all its lines of one pair. */
export function uninsuredItems(product: Line, lines: Line[]): number {
  const plans = plansOf(product, lines);
  const [plan] = plans;
  return sum(plan ? productsOf(plan, lines) : [product]) - sum(plans);
}

/** A product's lines with the plans that insure them. A plan without its product has a group of its own. */
interface Pair {
  products: Line[];
  plans: Line[];
}

function pairsOf(lines: Line[]): Pair[] {
  const seen = new Set<Line>();
  return lines.filter(isPlan).flatMap((plan) => {
    if (seen.has(plan)) return [];
    const products = productsOf(plan, lines);
    const plans = products[0] ? plansOf(products[0], lines) : [plan];
    for (const each of plans) seen.add(each);
    return products.some(({ isLocked }) => isLocked) ? [] : [{ products, plans }];
  });
}

/**
 * The changes that leave no more plans than products: the cheapest is cut first, the one just chosen last. A plan
 * without its product is removed. Nothing is ever raised here: findGaps says what is missing, for the shopper to accept.
 */
export function cutPlans(lines: Line[]): Change[] {
  return pairsOf(lines).flatMap(({ products, plans }) => {
    let excess = sum(plans) - sum(products);
    const [newest] = newestFirst(plans);
    const cheapestFirst = plans.toSorted(
      (a, b) => +(a === newest) - +(b === newest) || a.price - b.price || byChoice(a, b),
    );
    return cheapestFirst.flatMap((plan) => {
      if (excess <= 0) return [];
      const quantity = Math.max(0, plan.quantity - excess);
      excess -= plan.quantity - quantity;
      return [{ key: plan.key, quantity }];
    });
  });
}

/** The changes that take every plan out of a cart: the shop sells no insurance now. */
export function removeAllPlans(lines: Line[]): Change[] {
  return lines.filter(isPlan).map(({ key }) => ({ key, quantity: 0 }));
}

/** Products with fewer plans than items, each with the plan that would insure the others: the one chosen last. */
export function findGaps(lines: Line[]): Gap[] {
  return pairsOf(lines).flatMap(({ products, plans }) => {
    const quantity = sum(products) - sum(plans);
    const [plan] = newestFirst(plans);
    const product = products.find(({ key }) => key === plan?.parent) ?? products[0];
    return plan && product && quantity > 0 ? [{ plan, product, quantity }] : [];
  });
}

/**
 * Plans that no longer fit their product (its price is in another band, or it is another variant), each with the offer
 * of the same formula, term and billing that fits now. That one has another price, so only the shopper may add it. And
 * plans for which the shop charges another price than the offer's, as a market's price list can. Plans whose catalogue
 * is not known here are left alone.
 */
export function findMisfits(lines: Line[], bandsOf: BandsOf): Misfit[] {
  return lines.filter(isPlan).flatMap((plan): Misfit[] => {
    const [product] = productsOf(plan, lines);
    const bands = product && !product.isLocked ? bandsOf(product.variant) : undefined;
    if (!product || !bands?.length) return [];
    // An agent's plan has no properties: its place under the product says what it insures.
    const { _parasol_variant: insured = product.variant } = plan.properties;
    const fitting = offersFor(bands, product.price);
    const isPlans = (offer: Offer) => offer.variant === plan.variant;
    const own = insured === product.variant && fitting.find(isPlans);
    if (own && own.price === plan.price) return [];
    const was = bands.flatMap(({ offers }) => offers).find(isPlans);
    const isSameKind = ({ term, billing, formula }: Offer) =>
      term === was?.term && billing === was.billing && formula === was.formula;
    return [{ key: plan.key, product, offer: (!own && fitting.find(isSameKind)) || null }];
  });
}

/**
 * Splits a cart into independent parts: lines of one pair, and plans with the line that they are nested under. The
 * cart's rules compare every line with every line, so their work grows with the square of a part and no longer with the
 * cube of the cart.
 */
export function splitCart(lines: readonly Line[]): Line[][] {
  const products = lines.filter((line) => !isPlan(line));
  const pairOf = ({ properties }: Line) => properties["_parasol_pair"];
  const pairs = new Set(products.map(pairOf));
  const partOf = (line: Line): string => {
    const pair = pairOf(line);
    return pair !== undefined && pairs.has(pair) ? `pair ${pair}` : `line ${line.key}`;
  };
  const partOfProduct = new Map(products.map((product) => [product.key, partOf(product)]));
  const partOfPlan = (plan: Line): string =>
    pairs.has(pairOf(plan)) ? partOf(plan) : (partOfProduct.get(plan.parent ?? "") ?? partOf(plan));
  return [...Map.groupBy(lines, (line) => (isPlan(line) ? partOfPlan(line) : partOf(line))).values()];
}

export interface CartCorrections {
  changes: Change[];
  misfits: Misfit[];
  gaps: Gap[];
}

/**
 * Everything to change in a cart: plans that no longer fit are removed, the others never outnumber their products. And
 * what would be missing then, for the shopper to accept.
 */
export function findCorrections(lines: Line[], bandsOf: BandsOf): CartCorrections {
  const misfits = findMisfits(lines, bandsOf);
  const fitting = lines.filter(({ key }) => !misfits.some((misfit) => misfit.key === key));
  return {
    misfits,
    changes: [...cutPlans(fitting), ...misfits.map(({ key }) => ({ key, quantity: 0 }))],
    gaps: findGaps(fitting),
  };
}

function sum(lines: Line[]): number {
  return lines.reduce((total, { quantity }) => total + quantity, 0);
}

const newestFirst = (plans: Line[]) => plans.toSorted((a, b) => byChoice(b, a));

/** ISO 8601 times sort as text; of plans chosen at one time the dearer counts as newer. */
function byChoice(a: Line, b: Line): number {
  const [first, second] = [chosenAt(a), chosenAt(b)];
  return first < second ? -1 : first > second ? 1 : a.price - b.price;
}

function chosenAt({ properties }: Line): string {
  return properties["_parasol_consent"]?.split(" ")[1] ?? "";
}
