/**
 * Bundles of Shopify in an order. Its lines are the components; the bundle, which the shopper saw and insured, is only
 * the group of these lines.
 */
import { INSURED_VARIANT, PAIR, planLineProperties } from "#app/shopify/line-properties.ts";
import type { LineAmounts, ShopBundle, ShopOrderLine } from "#app/shopify/order.ts";

/**
 * Joins the components of each bundle to one line, which is named as the bundle, costs what they cost together, and has
 * as many items as there are whole bundles. It keeps the id of the first component. Components whose quantities are no
 * multiple of the bundle's stay as they are.
 * @param products lines that are no plans
 */
export function joinBundles(products: readonly ShopOrderLine[]): ShopOrderLine[] {
  const components = Map.groupBy(products, ({ bundle }) => bundle?.id);
  return products.flatMap((line) => {
    if (line.bundle === null) return [line];
    const ofBundle = components.get(line.bundle.id) ?? [];
    const joined = joinComponents(line.bundle, ofBundle);
    if (joined === null) return [line];
    return line === ofBundle[0] ? [joined] : [];
  });
}

function joinComponents(bundle: ShopBundle, components: readonly ShopOrderLine[]): ShopOrderLine | null {
  const [first] = components;
  if (!first || components.some(({ quantity }) => quantity % bundle.quantity !== 0)) return null;
  const wholeBundles = (count: (line: ShopOrderLine) => number) =>
    Math.min(...components.map((line) => Math.floor((count(line) * bundle.quantity) / line.quantity)));
  const amountsIn = (currency: string): LineAmounts | null => {
    const amounts = components.flatMap((line) => {
      const found = line.amounts.find((each) => each.currency === currency);
      return found ? [{ ...found, perBundle: line.quantity / bundle.quantity }] : [];
    });
    if (amounts.length < components.length) return null;
    return {
      currency,
      unitPriceMinor: amounts.reduce((sum, each) => sum + each.unitPriceMinor * each.perBundle, 0),
      discountsMinor: amounts.reduce((sum, { discountsMinor }) => sum + discountsMinor, 0),
    };
  };
  const [inShop, ...others] = first.amounts.flatMap(({ currency }) => amountsIn(currency) ?? []);
  if (!inShop) return null;
  return {
    ...first,
    productId: bundle.productId,
    variantId: bundle.variantId,
    title: bundle.title,
    sku: null,
    quantity: bundle.quantity,
    currentQuantity: wholeBundles(({ currentQuantity }) => currentQuantity),
    fulfilledQuantity: wholeBundles(({ fulfilledQuantity }) => fulfilledQuantity),
    requiresShipping: components.some(({ requiresShipping }) => requiresShipping),
    amounts: [inShop, ...others],
    properties: Object.fromEntries(components.flatMap(({ properties }) => Object.entries(properties))),
  };
}

/** A line of a bundle that is not the whole bundle. */
export const isComponent = ({ bundle, variantId }: ShopOrderLine): boolean =>
  bundle !== null && variantId !== bundle.variantId;

/**
 * Whether a plan that insures no line was sold for a bundle of which the order has the components alone, or for one of
 * these components.
 * @param products lines that are no plans, with bundles not joined
 */
export function isSoldForBundle(plan: ShopOrderLine, products: readonly ShopOrderLine[]): boolean {
  const { [INSURED_VARIANT]: variant, [PAIR]: pair } = planLineProperties.parse(plan.properties);
  if (variant === null) return false;
  return products.some(
    (line) =>
      isInGroupOf(plan, line) ||
      (isComponent(line) &&
        (line.variantId === variant || (pair !== null && line.properties[PAIR] === pair))),
  );
}

export const isInGroupOf = (plan: ShopOrderLine, { groupId }: ShopOrderLine): boolean =>
  groupId !== null && groupId === plan.groupId;
